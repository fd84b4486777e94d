/** What no permit is given for, one thing at a time. */
import { describe, expect, it } from 'vitest';
import { holds, noted, spent } from '../../src/judge/evidence.ts';
import { absent, known, unknown } from '../../src/judge/facts/fact.ts';
import type { AbsPath, RefName } from '../../src/judge/facts/names.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { WorktreeFacts, WorktreeLock } from '../../src/judge/facts/worktree.ts';
import { judge } from '../../src/judge/judge.ts';
import {
  type Berth,
  evidenceText,
  permitBranch,
  permitPurge,
  permitRestore,
  permitReturn,
  permitUnlock,
  permitWorktree,
  type Vacancy,
} from '../../src/judge/permit.ts';
import { dueOf } from '../../src/judge/purge.ts';
import type { Row } from '../../src/judge/row.ts';
import { desk, emptySurvey, OTHER, TIP, TOPIC } from './samples.ts';

describe('a permit to unlock', () => {
  const lock: WorktreeLock = { reason: 'x', owner: null, pid: 7, alive: false, aside: null };
  const worktree = { admin: 'desk', gitDir: '/app/.git/worktrees/desk' as AbsPath, path: '/desk' as AbsPath };
  const given = (more: Partial<WorktreeLock>) => permitUnlock({ ...worktree, lock: known({ ...lock, ...more }) });

  it('is given for the lock of a process that is gone, and for no other', () => {
    expect(given({})).toMatchObject({ lock });
    expect(given({ alive: true })).toBeNull();
    expect(given({ alive: null })).toBeNull();
    expect(given({ pid: null })).toBeNull();
    expect(given({ aside: 'locked.1' })).toBeNull();
    expect(permitUnlock({ ...worktree, lock: absent })).toBeNull();
    expect(permitUnlock({ ...worktree, lock: unknown('why') })).toBeNull();
  });
});

describe('what was found', () => {
  const found = [spent('landed', 'it is there', null), noted('anchored', 'a'), holds('unmerged', 'no')];
  const unseen = (count: number) =>
    noted('processes-unreadable', `${count} processes could not be looked at`, null, 'processes');

  it('is the same with more or fewer processes elsewhere, and another with anything else', () => {
    expect(evidenceText([...found, unseen(1)])).toBe(evidenceText([...found, unseen(2)]));
    expect(evidenceText([...found, unseen(1)])).toBe(evidenceText(found));
    for (const one of found) expect(evidenceText(found.filter((other) => other !== one))).not.toBe(evidenceText(found));
    const other = noted('anchored', 'b');
    expect(evidenceText(found.map((one) => (one.code === 'anchored' ? other : one)))).not.toBe(evidenceText(found));
    const inside = holds('process-inside', 'process 7 works in it', { source: 'processes' });
    expect(evidenceText([...found, inside])).not.toBe(evidenceText(found));
  });
});

describe('a permit to delete a branch', () => {
  const row: Extract<Row, { kind: 'branch' }> = {
    kind: 'branch',
    id: `branch:${TOPIC}`,
    name: 'topic',
    path: null,
    action: 'delete',
    reason: { code: 'landed', text: 'it is there' },
    evidence: [spent('landed', 'it is there', null)],
    state: { head: TIP, upstream: null, ahead: null, behind: null, worktree: null, lastCommit: null },
  };
  const given = (more: Partial<typeof row>) => permitBranch({ ...row, ...more });

  it('is given for a row that goes, and only with all that the row must say', () => {
    expect(given({})).toMatchObject({ ref: TOPIC, tip: TIP, evidence: 'spent proven landed: it is there' });
    expect(given({ action: 'keep' })).toBeNull();
    expect(permitBranch({ ...row, kind: 'worktree', action: 'delete' } as unknown as Row)).toBeNull();
    expect(given({ evidence: [...row.evidence, holds('unmerged', 'no')] })).toBeNull();
    expect(given({ evidence: [noted('anchored', 'a')] })).toBeNull();
    expect(given({ id: 'branch:refs/heads/a..b' })).toBeNull();
    expect(given({ id: 'branch:refs/tags/topic' })).toBeNull();
    expect(given({ state: { ...row.state, head: null } })).toBeNull();
  });
});

describe('a permit to put a worktree aside', () => {
  const survey: Survey = { ...emptySurvey, worktrees: known([desk]) };
  const [going] = judge(survey).rows as [Row];
  const given = (row: Partial<Row>, worktree: Partial<WorktreeFacts> = {}) =>
    permitWorktree({ ...going, ...row } as Row, { ...desk, ...worktree });

  it('is given for a row that goes with the facts of that row, and only with all that is needed to move it', () => {
    expect(given({})).toMatchObject({ row: 'worktree:desk', admin: 'desk', head: TIP, branch: TOPIC, mark: null });
    expect(given({ action: 'keep' })).toBeNull();
    expect(given({ kind: 'branch' })).toBeNull();
    expect(given({ id: 'worktree:other' })).toBeNull();
    expect(given({ id: 'worktree:@' }, { admin: null })).toBeNull();
    expect(given({ evidence: [...going.evidence, holds('unmerged', 'no')] })).toBeNull();
    expect(given({ evidence: [noted('anchored', 'a')] })).toBeNull();
    expect(given({}, { head: null })).toBeNull();
    expect(given({}, { identity: { kind: 'missing', why: 'gone' } })).toBeNull();
    expect(given({}, { trash: unknown('none') })).toBeNull();
    expect(given({}, { trash: absent })).toBeNull();
    expect(given({}, { adminState: unknown('why') })).toBeNull();
  });
});

describe('a permit to bring a worktree back', () => {
  const free: Berth = { path: '/desk' as AbsPath, there: absent, admin: 'desk', namesake: absent };

  it('is given for a place and a name that are free', () => {
    expect(permitReturn('x', free)).toEqual({ entry: 'x', path: '/desk', admin: 'desk' });
    for (const taken of [known('a folder'), unknown<string>('why')]) {
      expect(permitReturn('x', { ...free, there: taken })).toBeNull();
      expect(permitReturn('x', { ...free, namesake: taken })).toBeNull();
    }
  });
});

describe('a permit to make a branch again', () => {
  const free: Vacancy = { ref: TOPIC, there: absent, used: known(false) };
  const given = (more: Partial<Vacancy>, wasCut = false) => permitRestore(TIP, { ...free, ...more }, wasCut);

  it('is given for a name that is free, or that was being given back', () => {
    expect(given({})).toEqual({ ref: TOPIC, tip: TIP });
    expect(given({ there: known(TIP) })).toBeNull();
    expect(given({ there: known(TIP) }, true)).not.toBeNull();
    expect(given({ there: known(OTHER) }, true)).toBeNull();
    expect(given({ there: unknown('why') }, true)).toBeNull();
    expect(given({ used: known(true) })).toBeNull();
    expect(given({ used: known(true) }, true)).not.toBeNull();
    expect(given({ used: unknown('why') })).toBeNull();
    expect(given({ ref: 'refs/tags/topic' as RefName })).toBeNull();
  });
});

const DAY = 24 * 60 * 60_000;

describe('a permit to purge', () => {
  it('is given when the time is over, and never without one', () => {
    expect(permitPurge('run', 100, 50, 150)).toEqual({ run: 'run' });
    expect(permitPurge('run', 100, 50, 149)).toBeNull();
    expect(permitPurge('run', 100, null, 1e15)).toBeNull();
  });

  it('is counted for what is due', () => {
    const aside = { keep: 50, unfinished: absent, mirrors: [] };
    const trash = [
      { run: 'a', put: 100, bytes: 7, seenDue: null },
      { run: 'b', put: 50, bytes: 5, seenDue: 100 },
    ];
    expect(dueOf({ aside: { ...aside, trash: known(trash) }, now: 100 + DAY - 1 })).toEqual({ due: 0, bytes: 0 });
    expect(dueOf({ aside: { ...aside, trash: known(trash) }, now: 100 + DAY })).toEqual({ due: 1, bytes: 5 });
    expect(dueOf({ aside: { ...aside, keep: DAY * 2, trash: known(trash) }, now: 100 + DAY })).toEqual({
      due: 0,
      bytes: 0,
    });
    expect(dueOf({ aside: { ...aside, trash: unknown('why') }, now: 1e15 })).toEqual({ due: 0, bytes: 0 });
  });
});
