/** Every hold of a worktree, alone, keeps a row that would otherwise go. */
import { describe, expect, it } from 'vitest';
import type { HoldCode } from '../../src/judge/evidence.ts';
import type { MergeFacts } from '../../src/judge/facts/branch.ts';
import { absent, known, unknown } from '../../src/judge/facts/fact.ts';
import type { AbsPath } from '../../src/judge/facts/names.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { Occupant } from '../../src/judge/facts/presence.ts';
import type { AdminFacts, Identity, WorktreeContents, WorktreeFacts } from '../../src/judge/facts/worktree.ts';
import { judge } from '../../src/judge/judge.ts';
import {
  admin,
  BASE,
  contents,
  desk,
  emptySurvey,
  lease,
  merged,
  NOW,
  OTHER,
  run,
  some,
  TIP,
  TOPIC,
  weight,
} from './samples.ts';

const survey: Survey = { ...emptySurvey, worktrees: known([desk]) };

function rowOf(worktree: Partial<WorktreeFacts>, more: Partial<Survey> = {}) {
  const [row] = judge({ ...survey, ...more, worktrees: known([{ ...desk, ...worktree }]) }).rows;
  if (row?.kind !== 'worktree') throw new Error('one worktree gives one row');
  return row;
}

const withContents = (part: Partial<WorktreeContents>) => rowOf({ contents: known({ ...contents, ...part }) });
const withAdmin = (part: Partial<AdminFacts>) => rowOf({ adminState: known({ ...admin, ...part }) });
const withOccupant = (use: { how: 'works' | 'watches' }) =>
  rowOf({ presence: known({ occupants: [{ ...use, pid: 7, name: 'vim' } as Occupant], unreadable: 3 }) });
const withMerge = (part: Partial<MergeFacts>) => rowOf({ merge: known({ ...merged, ...part }) });
/** Of what is not what it should be nothing else is read. */
const withIdentity = (identity: Identity) => rowOf({ identity, contents: absent });

/** What makes each hold true, and nothing else. */
const ALONE: Readonly<Partial<Record<HoldCode, () => ReturnType<typeof rowOf>>>> = {
  'main-worktree': () => rowOf({ admin: null }),
  'current-worktree': () => rowOf({ isCurrent: true }),
  protected: () => rowOf({ protectedBy: 'the settings protect /desk', contents: absent }),
  'foreign-owner': () => withIdentity({ kind: 'foreign-owner', owner: 7, what: 'its folder' }),
  missing: () => withIdentity({ kind: 'missing', why: 'gone' }),
  'pointer-broken': () => withIdentity({ kind: 'pointer-broken', why: 'broken' }),
  'wrong-occupant': () => withIdentity({ kind: 'wrong-occupant', why: 'a link' }),
  'repository-damaged': () => withIdentity({ kind: 'repository-damaged', why: 'no HEAD' }),
  conflicted: () => withContents({ conflicted: some }),
  staged: () => withContents({ staged: some }),
  modified: () => withContents({ unstaged: some }),
  'hidden-edits': () => withContents({ hidden: some }),
  untracked: () => withContents({ untracked: some }),
  'ignored-precious': () => withContents({ precious: { ...some, files: 2, bytes: 17 * 1024 ** 2, paths: some.names } }),
  'nested-repository': () => withContents({ nested: [{ path: 'a', what: 'a repository' }] }),
  'nested-worktree': () => rowOf({ inside: ['/desk/inner' as AbsPath] }),
  'submodule-commits': () => withContents({ submodules: [{ path: 'a', holds: 'a commit', drifted: false }] }),
  'mount-inside': () => withContents({ mounts: ['a'] }),
  'operation-in-progress': () => withAdmin({ operations: ['rebase'] }),
  'index-locked': () =>
    withAdmin({ indexLock: { file: 'index.lock', written: 0, holders: known({ pids: [], all: true }) } }),
  'detached-commits': () =>
    rowOf({ branch: null, merge: known({ ...merged, proof: null, missing: ['a'], missingCount: 1 }) }),
  'reflog-commits': () => rowOf({ reflog: known({ dropped: [OTHER], replaced: [] }) }),
  'branch-elsewhere': () => rowOf({ sharedWith: ['/other' as AbsPath] }),
  unmerged: () => withMerge({ proof: null, missing: ['a'], missingCount: 1 }),
  'no-own-commits': () => withMerge({ relation: 'line', worked: false, proof: { code: 'ancestor', commits: [BASE] } }),
  'net-zero': () => withMerge({ veto: { code: 'net-zero', by: null, grade: 'proven' } }),
  'reverted-later': () => withMerge({ veto: { code: 'reverted-later', by: OTHER, grade: 'hint' } }),
  'merged-locally': () => withMerge({ proof: null, local: true }),
  locked: () => withAdmin({ lock: { reason: '', owner: null, pid: null, alive: null, aside: null } }),
  'probe-failed': () => rowOf({ contents: unknown('it could not be read') }),
  'base-unknown': () => rowOf({}, { base: unknown('nothing tells') }),
  shallow: () => withMerge({ relation: 'cut' }),
  'remote-unverified': () => rowOf({}, { baseMoved: true }),
  'trash-unreachable': () => rowOf({ trash: unknown('it is in another file system') }),
  leased: () => rowOf({ lease: known(lease) }),
  'lease-unreadable': () => rowOf({ lease: unknown('it is empty') }),
  'run-active': () => rowOf({}, { runs: known({ runs: [run], unreadable: [] }) }),
  'runs-unread': () => rowOf({}, { runs: known({ runs: [], unreadable: [{ file: 'a', reason: 'it is empty' }] }) }),
  'reservations-unread': () => rowOf({}, { hasUnreadReservations: true }),
  'process-inside': () => withOccupant({ how: 'works' }),
  'process-possibly-inside': () => withOccupant({ how: 'watches' }),
  'process-check-unavailable': () => rowOf({ presence: unknown('/proc cannot be read') }),
  'recent-write': () => rowOf({ measure: known({ ...weight, lastWrite: { time: NOW - 1000, path: 'a' } }) }),
};

const holdsOf = (row: ReturnType<typeof rowOf>) =>
  row.evidence.filter(({ effect }) => effect === 'holds').map(({ code }) => code);

describe('a worktree', () => {
  it.each(Object.entries(ALONE))('stays for %s alone', (code, make) => {
    const row = make();
    expect(row.action).toBe('keep');
    expect(row.reason.code).toBe(code);
    expect(holdsOf(row)).toEqual([code]);
  });

  it('goes on a detached HEAD that is proven, and stays on a commit of the base without own ones', () => {
    expect(rowOf({ branch: null })).toMatchObject({ action: 'remove', reason: { code: 'squash-merged' } });
    const line = { ...merged, relation: 'line', worked: false, proof: null } as const;
    expect(holdsOf(rowOf({ branch: null, merge: known(line) }))).toEqual(['no-own-commits']);
  });

  it('of another account says whose', () => {
    const { reason } = withIdentity({ kind: 'foreign-owner', owner: 7, what: 'its folder' });
    expect(reason.text).toBe('its folder belongs to user 7');
  });

  it('on a branch that is there to stay is held, unless somebody names it', () => {
    const held = (part: Partial<WorktreeFacts>, more: Partial<Survey> = {}) => holdsOf(rowOf(part, more));
    expect(held({ isBranchProtected: true })).toEqual(['protected']);
    expect(held({}, { defaults: new Set([TOPIC]) })).toEqual(['protected']);
    expect(held({ isBranchProtected: true, branch: null })).toEqual([]);
    expect(held({ isBranchProtected: true }, { named: { keepsBranch: false, pushed: new Set() } })).toEqual([]);
  });

  it('without ignored files is not held for them, whatever the settings say', () => {
    expect(rowOf({}, { precious: { ...survey.precious, holds: true, upTo: 0 } }).action).toBe('remove');
  });

  it('that is named may go without any proof where its branch stays, and holds of its files go on to hold', () => {
    const named = { keepsBranch: true, pushed: new Set<never>() };
    const unproven = { merge: absent } as const;
    const codes = (part: Partial<WorktreeFacts>, more: Partial<Survey>) =>
      rowOf({ ...unproven, ...part }, more).evidence.map(({ effect, code }) => `${effect} ${code}`);
    expect(codes({}, { named })).toEqual(['spent branch-stays']);
    expect(codes({}, { named, base: unknown('none') })).toEqual(['spent branch-stays']);
    expect(codes({ merge: unknown('why') }, { named })).toEqual(['spent branch-stays']);
    expect(codes({}, { named: { keepsBranch: false, pushed: new Set([TIP]) } })).toEqual(['spent pushed']);
    for (const pushed of [new Set<never>(), new Set([OTHER])])
      expect(codes({}, { named: { keepsBranch: false, pushed } })).not.toContain('spent pushed');
    expect(codes({ branch: null }, { named })).not.toContain('spent branch-stays');
    expect(codes({ head: null }, { named })).not.toContain('spent branch-stays');
    expect(codes({ contents: known({ ...contents, staged: some }) }, { named })).toContain('holds staged');
  });

  it('says what speaks for it beside what holds it', () => {
    const row = rowOf({ isCurrent: true });
    expect(row.evidence.map(({ code }) => code)).toEqual(['squash-merged', 'current-worktree']);
  });

  it.each([
    ['its contents', { contents: unknown<WorktreeContents>('why') }],
    ['its git directory', { adminState: unknown<AdminFacts>('why') }],
    ['how it stands to the base', { merge: unknown<MergeFacts>('why') }],
    ['its reflog', { reflog: unknown<never>('why') }],
  ])('stays when it is not known: %s', (_what, part) => {
    expect(holdsOf(rowOf(part))).toContain('probe-failed');
  });

  it('stays when contents were missing to tell how it stands to the base', () => {
    expect(holdsOf(withMerge({ blind: true }))).toEqual(['probe-failed']);
  });

  it('holds for ignored files as the settings say: how many, how large, or any', () => {
    const precious = (files: number, bytes: number) => ({ ...some, count: files, files, bytes, paths: some.names });
    const codes = (files: number, bytes: number, more: Partial<Survey['precious']> = {}) =>
      rowOf(
        { contents: known({ ...contents, precious: precious(files, bytes) }) },
        { precious: { ...survey.precious, ...more } },
      ).evidence.map(({ code }) => code);
    expect(codes(1000, 1024)).toContain('archived');
    expect(codes(1001, 1024)).toContain('ignored-precious');
    expect(codes(1001, 1024)).not.toContain('archived');
    expect(codes(1, 16 * 1024 ** 2)).toContain('archived');
    expect(codes(1, 16 * 1024 ** 2 + 1)).toContain('ignored-precious');
    expect(codes(1, 1, { holds: true })).toContain('ignored-precious');
    expect(codes(2, 11, { upTo: 10 })).toContain('ignored-precious');
    expect(codes(1, 1, { place: unknown('no home') })).toContain('ignored-precious');
    expect(codes(1, 1, { most: 0 })).toContain('ignored-precious');
    const unlisted = { ...precious(1, 1), paths: null };
    expect(holdsOf(rowOf({ contents: known({ ...contents, precious: unlisted }) }))).toEqual(['ignored-precious']);
  });

  it('has no other evidence against it for what is only worth knowing', () => {
    const row = rowOf({
      contents: known({
        ...contents,
        rebuildable: { ...some, files: null, bytes: null },
        duplicate: { ...some, files: 2, bytes: 2 },
        submodules: [{ path: 'a', holds: null, drifted: true }],
      }),
      adminState: known({ ...admin, privateRefs: ['ORIG_HEAD'], stashes: 2 }),
      reflog: known({ dropped: [], replaced: [OTHER] }),
    });
    expect(holdsOf(row)).toEqual([]);
    expect(row.action).toBe('remove');
    expect(row.evidence.filter(({ effect }) => effect === 'noted').map(({ code }) => code)).toEqual([
      'anchored',
      'anchored',
      'rebuildable',
      'duplicate',
      'submodule-drift',
      'stash-entries',
    ]);
  });

  it('without own commits goes on only when that is asked, and when its last move and write are known', () => {
    const fresh = { merge: known({ ...merged, relation: 'line', worked: false, proof: null } as MergeFacts) };
    const measure = (time: number) => known({ ...weight, lastWrite: { time, path: 'a' } });
    const now = 1_750_000_100_000;
    const unused = 1000;
    const codes = (part: Partial<WorktreeFacts>, asked: Survey['unused']) =>
      rowOf({ ...fresh, ...part }, { unused: asked, now, idle: 0 }).evidence.find(
        ({ code }) => code === 'no-own-commits',
      )?.effect;
    expect(codes({ measure: measure(1_750_000_000_000) }, unused)).toBe('spent');
    expect(codes({ measure: measure(1_750_000_099_500) }, unused)).toBe('holds');
    expect(codes({ measure: absent }, unused)).toBe('holds');
    expect(
      codes({ measure: measure(1_750_000_000_000), adminState: known({ ...admin, lastMove: null }) }, unused),
    ).toBe('holds');
    expect(codes({ measure: measure(1_750_000_000_000) }, null)).toBe('holds');
  });
});

describe('a place', () => {
  it.each(['repository', 'worktree', 'unregistered', 'folder', 'file', 'link', 'broken', 'unreadable'] as const)(
    'that is a stray stays: %s',
    (what) => {
      const path = '/root/stray' as AbsPath;
      const rows = judge({ ...survey, worktrees: known([]), strays: [{ path, what, of: null }] }).rows;
      const isOther = what === 'repository' || what === 'worktree';
      expect(rows).toMatchObject([
        { id: 'stray:/root/stray', action: 'keep', reason: { code: isOther ? 'other-repository' : 'no-worktree' } },
      ]);
    },
  );

  it('that is protected stays', () => {
    const rows = judge({ ...survey, worktrees: known([]), protectedPlaces: ['/safe' as AbsPath] }).rows;
    expect(rows).toMatchObject([{ id: 'protected:/safe', action: 'keep', reason: { code: 'protected' } }]);
  });
});
