/** Every hold of a branch, alone, keeps a row that would otherwise go. */
import { describe, expect, it } from 'vitest';
import { HOLD_CODES, type HoldCode, LADDER_CODES } from '../../src/judge/evidence.ts';
import type { BranchFacts, MergeFacts } from '../../src/judge/facts/branch.ts';
import { absent, known, unknown } from '../../src/judge/facts/fact.ts';
import type { AbsPath, RefName } from '../../src/judge/facts/names.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import { judge } from '../../src/judge/judge.ts';
import { BASE, emptySurvey, lease, merged, OTHER, run, TIP, TOPIC } from './samples.ts';

const spentBranch: BranchFacts = {
  ref: TOPIC,
  oid: TIP,
  symbolic: null,
  upstream: null,
  isProtected: false,
  uses: known([]),
  lastMove: null,
  merge: known(merged),
};

const survey: Survey = { ...emptySurvey, branches: known([spentBranch]) };

/** git's merge beside the tree that it should give. */
const MERGES =
  /^test "\$\(git merge-tree --write-tree ([0-9a-f]{40}) [0-9a-f]{40}\)" = "\$\(git rev-parse '\1\^\{tree\}'\)" && echo nothing to add$/;

function rowOf(branch: Partial<BranchFacts>, more: Partial<Survey> = {}) {
  const [row] = judge({ ...survey, ...more, branches: known([{ ...spentBranch, ...branch }]) }).rows;
  if (row?.kind !== 'branch') throw new Error('one branch gives one row');
  return row;
}

function withMerge(merge: Partial<MergeFacts>): Partial<BranchFacts> {
  return { merge: known({ ...merged, ...merge }) };
}

/** What makes each hold true, and nothing else. */
const ALONE: Readonly<Partial<Record<HoldCode, () => ReturnType<typeof rowOf>>>> = {
  protected: () => rowOf({ isProtected: true }),
  'reflog-commits': () => rowOf(withMerge({ dropped: [OTHER] })),
  unmerged: () => rowOf(withMerge({ proof: null, missing: ['a'], missingCount: 1 })),
  'no-own-commits': () =>
    rowOf(withMerge({ relation: 'line', worked: false, proof: { code: 'ancestor', commits: [BASE] } })),
  'net-zero': () => rowOf(withMerge({ veto: { code: 'net-zero', by: null, grade: 'proven' } })),
  'reverted-later': () => rowOf(withMerge({ veto: { code: 'reverted-later', by: OTHER, grade: 'hint' } })),
  'merged-locally': () => rowOf(withMerge({ proof: null, local: true })),
  leased: () => rowOf({}, { leases: known({ leases: [lease], unreadable: null }) }),
  'lease-unreadable': () => rowOf({}, { leases: known({ leases: [], unreadable: 'it is empty' }) }),
  'run-active': () => rowOf({}, { runs: known({ runs: [run], unreadable: [] }) }),
  'runs-unread': () => rowOf({}, { runs: known({ runs: [], unreadable: [{ file: 'a', reason: 'it is empty' }] }) }),
  'probe-failed': () => rowOf(withMerge({ blind: true })),
  'base-unknown': () => rowOf({}, { base: unknown('nothing tells') }),
  shallow: () => rowOf(withMerge({ relation: 'cut' })),
  'remote-unverified': () => rowOf({}, { baseMoved: true }),
  'default-branch': () => rowOf({}, { defaults: new Set([TOPIC]) }),
  'checked-out': () => rowOf({ uses: known([{ how: 'checked out', path: '/desk' as AbsPath }]) }),
  'ahead-of-upstream': () => rowOf(withMerge({ unpushed: [OTHER] })),
  'symbolic-ref': () => rowOf({ symbolic: 'refs/heads/other' as RefName }),
  'reserved-ref': () => rowOf({ ref: 'refs/heads/coppice-reserved/item-1' as RefName }),
};

/** What only a worktree or a stray can be held by: worktrees.test.ts. */
const ONLY_WORKTREES: readonly HoldCode[] = [
  'within-budget',
  'trash-unreachable',
  'main-worktree',
  'current-worktree',
  'foreign-owner',
  'missing',
  'pointer-broken',
  'wrong-occupant',
  'repository-damaged',
  'other-repository',
  'no-worktree',
  'conflicted',
  'staged',
  'modified',
  'hidden-edits',
  'untracked',
  'ignored-precious',
  'nested-repository',
  'nested-worktree',
  'submodule-commits',
  'mount-inside',
  'operation-in-progress',
  'index-locked',
  'detached-commits',
  'branch-elsewhere',
  'locked',
  'reservations-unread',
  'process-inside',
  'process-possibly-inside',
  'process-check-unavailable',
  'recent-write',
];

describe('a branch', () => {
  it('goes without a commit of its own only when that is asked, and only when its last move is known', () => {
    const fresh = withMerge({ relation: 'line', worked: false, proof: null });
    const unused = 1000;
    const now = 5_000_000;
    expect(rowOf({ ...fresh, lastMove: 4990 }, { unused, now })).toMatchObject({
      action: 'delete',
      reason: { code: 'no-own-commits' },
    });
    for (const [lastMove, asked] of [
      [4999, unused],
      [null, unused],
      [4990, null],
    ] as const)
      expect(rowOf({ ...fresh, lastMove }, { unused: asked, now })).toMatchObject({
        action: 'keep',
        reason: { code: 'no-own-commits' },
      });
  });

  it.each(LADDER_CODES)('goes when %s is proven and nothing holds it', (code) => {
    const row = rowOf(
      withMerge({ proof: { code, commits: [BASE] }, ...(code === 'ancestor' ? { relation: 'side' } : {}) }),
    );
    expect(row).toMatchObject({ action: 'delete', reason: { code } });
  });

  it.each(Object.entries(ALONE))('stays for %s alone', (code, make) => {
    const row = make();
    expect(row.action).toBe('keep');
    expect(row.reason.code).toBe(code);
    expect(row.evidence.filter((one) => one.effect === 'holds').map((one) => one.code)).toEqual([code]);
  });

  it('knows no other hold', () => {
    expect([...Object.keys(ALONE), ...ONLY_WORKTREES].sort()).toEqual([...HOLD_CODES].sort());
  });

  it('stays when nothing speaks for it', () => {
    expect(rowOf({ merge: absent })).toMatchObject({ action: 'keep' });
    expect(rowOf(withMerge({ proof: null }))).toMatchObject({ action: 'keep', reason: { code: 'unmerged' } });
  });

  it.each([
    ['how it stands to the base', { merge: unknown<MergeFacts>('why') }],
    ['who uses it', { uses: unknown<never>('why') }],
  ])('stays when it is not known %s', (_what, branch) => {
    expect(rowOf(branch)).toMatchObject({ action: 'keep', reason: { code: 'probe-failed' } });
  });

  it('goes with nothing but the proof where nothing else is found', () => {
    expect(rowOf({}).evidence.map(({ code }) => code)).toEqual(['squash-merged']);
  });

  it('goes with commits that an amend replaced, and says so', () => {
    const row = rowOf(withMerge({ replaced: [OTHER] }));
    expect(row.action).toBe('delete');
    expect(row.evidence.map((one) => one.code)).toContain('anchored');
  });

  it.each(['landed', 'squash-merged', 'series-merged', 'absorbed'] as const)(
    '%s says nothing of commits without trace',
    (code) => {
      expect(rowOf(withMerge({ proof: { code, commits: [BASE] }, unpushed: [OTHER] })).reason.code).toBe(
        'ahead-of-upstream',
      );
    },
  );

  it.each(['rebase-merged', 'ancestor'] as const)('%s speaks of each commit', (code) => {
    const row = rowOf(
      withMerge({
        proof: { code, commits: [BASE] },
        relation: code === 'ancestor' ? 'side' : 'forked',
        unpushed: [OTHER],
      }),
    );
    expect(row.action).toBe('delete');
  });
});

describe('a sweep', () => {
  it('is blind when it has no base for the branches there are', () => {
    expect(judge({ ...survey, base: unknown('nothing tells') }).blind).toBe(true);
    expect(judge({ ...survey, base: unknown('nothing tells'), branches: known([]) }).blind).toBe(false);
    expect(judge({ ...survey, branches: unknown('why') }).blind).toBe(true);
    expect(judge(survey).blind).toBe(false);
  });

  it('gives checks of fixed words and object ids only', () => {
    const hostile = { ref: 'refs/heads/x;touch$IFS' as RefName };
    for (const make of Object.values(ALONE)) {
      for (const row of [make(), rowOf(hostile)]) {
        for (const { check } of row.evidence) expect((check ?? '').replace(MERGES, 'git')).toMatch(/^[a-z0-9 .^-]*$/i);
      }
    }
  });
});
