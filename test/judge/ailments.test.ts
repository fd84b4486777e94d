/** What doctor says, and above all the commands that it does not name, from facts alone. */
import { describe, expect, it } from 'vitest';
import { absent, known, unknown } from '../../src/judge/facts/fact.ts';
import type { AbsPath } from '../../src/judge/facts/names.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { AdminFacts, GitLock, WorktreeFacts } from '../../src/judge/facts/worktree.ts';
import { judge } from '../../src/judge/judge.ts';
import { admin, desk, emptySurvey, NOW, run } from './samples.ts';

const HOUR = 3_600_000;

/** Code and command of each ailment. */
function mended(worktrees: readonly Partial<WorktreeFacts>[], more: Partial<Survey> = {}) {
  const survey = { ...emptySurvey, worktrees: known(worktrees.map((one) => ({ ...desk, ...one }))), ...more };
  return judge(survey).ailments.map(({ code, mend }) => [code, mend]);
}

const withAdmin = (more: Partial<AdminFacts>) => ({ adminState: known({ ...admin, ...more }) });
const broken = { identity: { kind: 'pointer-broken', why: 'broken' }, contents: absent } as const;

describe('an ailment', () => {
  it('is none where nothing is wrong', () => {
    expect(mended([{}])).toEqual([]);
    expect(mended([], { runs: known({ runs: [run], unreadable: [] }) })).toEqual([]);
  });

  it('is what could not be read', () => {
    expect(mended([], { worktrees: unknown('why') })).toContainEqual(['probe-failed', null]);
    expect(mended([], { branches: unknown('why') })).toContainEqual(['probe-failed', null]);
    expect(mended([{ presence: unknown('why') }])).toContainEqual(['process-check-unavailable', null]);
    const aside = { ...emptySurvey.aside, mirrors: ['copy'] };
    expect(mended([], { aside: { ...aside, trash: unknown('why'), unfinished: unknown('why') } })).toEqual([
      ['trash-unreadable', null],
      ['journal-unreadable', null],
      ['refs-mirrored', null],
    ]);
    expect(mended([], { aside: { ...emptySurvey.aside, unfinished: known([]) } })).toEqual([]);
    expect(mended([], { aside: { ...emptySurvey.aside, unfinished: known(['a']) } })).toEqual([
      ['act-unfinished', 'coppice purge --apply'],
    ]);
  });

  it('is a run that cannot be read, or that nobody heard of', () => {
    expect(mended([], { runs: unknown('why') })).toEqual([['runs-unread', null]]);
    const unreadable = [{ file: 'a', reason: 'it is empty' }];
    expect(mended([], { runs: known({ runs: [{ ...run, updated: 0 }], unreadable }) })).toEqual([
      ['runs-unread', null],
      ['run-expired', `coppice run finish ${run.id}`],
    ]);
  });

  it('is a base that is not known, and a clone that is cut', () => {
    const base = unknown<never>('nothing tells');
    expect(mended([], { base })).toEqual([['base-unknown', 'git -C /app remote set-head origin --auto']]);
    expect(mended([], { base, remote: null })).toEqual([['base-unknown', null]]);
    expect(mended([], { shallow: true })).toEqual([['shallow', 'git -C /app fetch --unshallow']]);
  });

  it('is a setting that misleads; one that may be meant is left alone', () => {
    const fault = (code: string, place: string | null) => mended([], { faults: [{ code, text: 'it is set', place }] });
    expect(fault('core-bare-set', '/app/.git/config')).toEqual([
      ['core-bare-set', 'git config --file /app/.git/config core.bare false'],
    ]);
    expect(fault('core-bare-set', '/app\n/config')).toEqual([['core-bare-set', null]]);
    expect(fault('core-bare-set', null)).toEqual([['core-bare-set', null]]);
    expect(fault('core-worktree-set', '/app/.git/config')).toEqual([['core-worktree-set', null]]);
  });

  it('of a pointer is mended by a command only when that reaches nothing else', () => {
    expect(mended([broken])).toEqual([['pointer-broken', 'git -C /app worktree repair']]);
    for (const kind of ['missing', 'wrong-occupant'] as const) {
      const other = { path: '/other' as AbsPath, identity: { kind, why: 'gone' }, contents: absent } as const;
      expect(mended([broken, other])[0]).toEqual(['pointer-broken', null]);
    }
    expect(mended([broken, { path: '/other' as AbsPath, protectedBy: 'x' }])[0]).toEqual(['pointer-broken', null]);
  });

  it('of a lock whose process is gone names the verb for it', () => {
    const lock = { reason: '', owner: null, pid: 7, alive: false, aside: null };
    expect(mended([withAdmin({ lock })])).toEqual([['stale-lock', 'coppice unlock --dead']]);
    for (const alive of [true, null]) expect(mended([withAdmin({ lock: { ...lock, alive } })])).toEqual([]);
  });
});

describe('the lock of an index', () => {
  const old: GitLock = { file: 'index.lock', written: NOW - HOUR, holders: known({ pids: [], all: true }) };
  const mendOf = (more: Partial<GitLock>, part: Partial<WorktreeFacts> = {}) =>
    mended([{ ...withAdmin({ indexLock: { ...old, ...more } }), ...part }])[0];

  it('may be removed when it is old and nobody is there', () => {
    expect(mendOf({})).toEqual(['index-locked', 'rm /app/.git/worktrees/desk/index.lock']);
  });

  it.each([
    ['is new', { written: NOW - HOUR + 1 }],
    ['is open', { holders: known({ pids: [7], all: true }) }],
    ['may be open', { holders: known({ pids: [], all: false }) }],
    ['is not known to be closed', { holders: unknown<never>('why') }],
  ] as const)('may not be removed when it %s', (_how, lock) => {
    expect(mendOf(lock)).toEqual(['index-locked', null]);
  });

  it.each<[string, WorktreeFacts['presence']]>([
    ['is somebody', known({ occupants: [{ how: 'works', pid: 7, name: null }], unreadable: 0 })],
    ['may be somebody', unknown('why')],
    ['was nobody asked for', absent],
  ])('may not be removed when there %s', (_who, presence) => {
    expect(mended([{ ...withAdmin({ indexLock: old }), presence }])).toContainEqual(['index-locked', null]);
  });

  it('is not named in a way that a shell may take otherwise', () => {
    expect(mendOf({}, { gitDir: '/app/.git\x07' as AbsPath })).toEqual(['index-locked', null]);
    expect(mendOf({}, { gitDir: "/a b'c" as AbsPath })).toEqual(['index-locked', "rm '/a b'\\''c/index.lock'"]);
  });
});
