/** Which claims, occupants and writes hold, and which are over, from facts alone. */
import { describe, expect, it } from 'vitest';
import { isLaneOf, leaseStanding, runStanding } from '../../src/judge/facts/claims.ts';
import { absent, known, unknown } from '../../src/judge/facts/fact.ts';
import type { AbsPath, RefName } from '../../src/judge/facts/names.ts';
import type { Occupant } from '../../src/judge/facts/presence.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { WorktreeFacts, WorktreeLock } from '../../src/judge/facts/worktree.ts';
import { judge } from '../../src/judge/judge.ts';
import { admin, BASE, desk, emptySurvey, KEY, lease, NOW, run, TIP, TOPIC, weight } from './samples.ts';

const HOUR = 3_600_000;
const past = { ...lease, expires: NOW };

function holdsOf(worktree: Partial<WorktreeFacts>, more: Partial<Survey> = {}) {
  const [row] = judge({ ...emptySurvey, ...more, worktrees: known([{ ...desk, ...worktree }]) }).rows;
  return row?.evidence.filter(({ effect }) => effect === 'holds').map(({ code }) => code);
}

function branchHolds(more: Partial<Survey>) {
  const branch = { ref: TOPIC, oid: TIP, symbolic: null, upstream: null, isProtected: false, lastMove: null };
  const [row] = judge({
    ...emptySurvey,
    ...more,
    branches: known([{ ...branch, uses: known([]), merge: desk.merge }]),
  }).rows;
  return row?.evidence.filter(({ effect }) => effect === 'holds').map(({ code }) => code);
}

describe('a lease', () => {
  it('is live until it is over or given back', () => {
    expect(leaseStanding(lease, NOW)).toBe('live');
    expect(leaseStanding(past, NOW)).toBe('expired');
    expect(leaseStanding({ ...lease, released: NOW }, NOW)).toBe('released');
  });

  it('that is over holds nothing', () => {
    for (const over of [past, { ...lease, released: NOW }]) {
      expect(holdsOf({ lease: known(over) })).toEqual([]);
      expect(branchHolds({ leases: known({ leases: [over], unreadable: null }) })).toEqual([]);
    }
  });

  it('holds the branch that it names, and no other', () => {
    const other = { ...lease, branch: 'refs/heads/other' as RefName };
    expect(branchHolds({ leases: known({ leases: [other, lease], unreadable: null }) })).toEqual(['leased']);
    expect(branchHolds({ leases: known({ leases: [other], unreadable: null }) })).toEqual([]);
    expect(branchHolds({ leases: unknown('why') })).toEqual(['lease-unreadable']);
  });

  it('of the main worktree is not asked about', () => {
    expect(holdsOf({ admin: null, lease: known(lease) })).toEqual(['main-worktree']);
    expect(holdsOf({ admin: null }, { runs: known({ runs: [run], unreadable: [] }) })).toEqual(['main-worktree']);
    expect(holdsOf({ admin: null, inside: ['/desk/a' as AbsPath] })).toEqual(['main-worktree']);
    expect(holdsOf({ admin: null }, { hasUnreadReservations: true })).toEqual(['main-worktree']);
  });
});

describe('a mark beside a lease', () => {
  const mark: WorktreeLock = {
    reason: 'coppice lease T-1 until 2026-01-01T00:00:00Z',
    owner: null,
    pid: null,
    alive: null,
    aside: null,
  };
  const holdsWith = (lock: Partial<WorktreeLock>, record: WorktreeFacts['lease']) =>
    holdsOf({ lease: record, adminState: known({ ...admin, lock: { ...mark, ...lock } }) });

  it('holds nothing when that lease is known to be over', () => {
    expect(holdsWith({}, known(past))).toEqual([]);
  });

  it('holds in every other case', () => {
    expect(holdsWith({}, known(lease))).toEqual(['locked', 'leased']);
    expect(holdsWith({}, known({ ...past, task: 'T-2' }))).toEqual(['locked']);
    expect(holdsWith({}, absent)).toEqual(['locked']);
    expect(holdsWith({}, unknown('why'))).toEqual(['locked', 'lease-unreadable']);
    expect(holdsWith({ aside: 'locked.1' }, known(past))).toEqual(['locked']);
    expect(holdsWith({ reason: `${mark.reason} and more` }, known(past))).toEqual(['locked']);
    expect(holdsWith({ reason: 'keep' }, known({ ...past, task: null }))).toEqual(['locked']);
  });
});

describe('a run', () => {
  const lane = { task: 'T-1', worktree: '/x' as AbsPath, key: null, branch: null };

  it('is active until it is finished or nobody hears of it', () => {
    expect(runStanding(run, NOW)).toBe('active');
    expect(runStanding({ ...run, updated: NOW - 24 * HOUR }, NOW)).toBe('expired');
    expect(runStanding({ ...run, finished: NOW }, NOW)).toBe('finished');
  });

  it('names a working copy by its key or its place', () => {
    const copy = { key: KEY, path: '/desk' as AbsPath, realPath: '/real' };
    expect(isLaneOf({ ...lane, key: KEY }, copy)).toBe(true);
    expect(isLaneOf({ ...lane, worktree: copy.path }, copy)).toBe(true);
    expect(isLaneOf({ ...lane, worktree: '/real' as AbsPath }, copy)).toBe(true);
    expect(isLaneOf(lane, copy)).toBe(false);
    expect(isLaneOf(lane, { ...copy, key: null })).toBe(false);
  });

  it('that is over, or names others, holds nothing', () => {
    const over = [
      { ...run, finished: NOW },
      { ...run, updated: 0 },
      { ...run, lanes: [lane] },
    ];
    expect(holdsOf({}, { runs: known({ runs: over, unreadable: [] }) })).toEqual([]);
    expect(branchHolds({ runs: known({ runs: over, unreadable: [] }) })).toEqual([]);
    const among = known({ runs: [...over, run], unreadable: [] });
    expect([holdsOf({}, { runs: among }), branchHolds({ runs: among })]).toEqual([['run-active'], ['run-active']]);
  });

  it('that cannot be read may name any', () => {
    expect(holdsOf({}, { runs: unknown('why') })).toEqual(['runs-unread']);
    expect(branchHolds({ runs: unknown('why') })).toEqual(['runs-unread']);
  });
});

describe('an occupant', () => {
  const holdsFor = (...occupants: readonly Partial<Occupant>[]) =>
    holdsOf({
      presence: known({
        occupants: occupants.map((one) => ({ pid: 7, name: null, path: 'a', ...one }) as Occupant),
        unreadable: 1,
      }),
    });

  it('holds by what is sure, and else by what may be', () => {
    for (const how of ['works', 'root', 'open', 'mapped'] as const)
      expect(holdsFor({ how })).toEqual(['process-inside']);
    for (const how of ['watches', 'perhaps'] as const) expect(holdsFor({ how })).toEqual(['process-possibly-inside']);
    expect(holdsFor({ how: 'works' }, { how: 'watches' })).toEqual(['process-inside']);
    expect(holdsFor({ how: 'works' }, { how: 'watches', pid: 8 })).toEqual([
      'process-inside',
      'process-possibly-inside',
    ]);
    expect(holdsFor()).toEqual([]);
    expect(holdsOf({ presence: absent })).toEqual([]);
  });
});

describe('a recent write', () => {
  const written = (time: number) => ({ measure: known({ ...weight, lastWrite: { time, path: 'a' } }) });
  const moved = (seconds: number) => ({ adminState: known({ ...admin, lastMove: seconds }) });
  const idle = emptySurvey.idle;

  it('holds by the newest of its files and its reflog', () => {
    expect(holdsOf(written(NOW - idle + 1))).toEqual(['recent-write']);
    expect(holdsOf(written(NOW - idle))).toEqual([]);
    expect(holdsOf(moved((NOW - idle) / 1000 + 1))).toEqual(['recent-write']);
    expect(holdsOf(moved((NOW - idle) / 1000))).toEqual([]);
    expect(holdsOf({ ...written(NOW - 1000), ...moved(1) })).toEqual(['recent-write']);
    expect(holdsOf({ measure: known({ ...weight, lastWrite: null }), ...moved(NOW / 1000) })).toEqual(['recent-write']);
  });

  it('of a time that is yet to come holds, and none where no time is asked for', () => {
    expect(holdsOf(written(NOW + HOUR))).toEqual(['recent-write']);
    expect(holdsOf(written(NOW + HOUR), { idle: 0 })).toEqual([]);
    expect(holdsOf({ measure: absent, adminState: known({ ...admin, lastMove: null }) })).toEqual([]);
  });

  it('of the main worktree is not asked about', () => {
    expect(holdsOf({ admin: null, ...written(NOW) })).toEqual(['main-worktree']);
  });
});

describe('a worktree whose base or HEAD is not known', () => {
  it('stays for that alone', () => {
    expect(holdsOf({ head: null })).toEqual(['unmerged']);
    expect(holdsOf({ merge: absent })).toEqual([]);
    expect(holdsOf({ merge: absent }, { baseMoved: true })).toEqual(['remote-unverified']);
    expect(holdsOf({ reflog: absent })).toEqual([]);
  });
});

describe('a branch that a worktree uses', () => {
  const rowsOf = (worktree: Partial<WorktreeFacts>, how: 'checked out' | 'being rebased', path: string | null) => {
    const branch = { ref: TOPIC, oid: TIP, symbolic: null, upstream: null, isProtected: false, lastMove: null };
    const uses = known([{ how, path: path as AbsPath | null }]);
    const branches = known([{ ...branch, uses, merge: desk.merge }]);
    const { rows } = judge({ ...emptySurvey, worktrees: known([{ ...desk, ...worktree }]), branches });
    return rows.map(({ action }) => action);
  };

  it('goes with the worktree, and only where that goes and nothing else uses it', () => {
    expect(rowsOf({}, 'checked out', '/desk')).toEqual(['remove', 'delete']);
    expect(rowsOf({ isCurrent: true }, 'checked out', '/desk')).toEqual(['keep', 'keep']);
    expect(rowsOf({}, 'being rebased', '/desk')).toEqual(['remove', 'keep']);
    expect(rowsOf({}, 'checked out', '/other')).toEqual(['remove', 'keep']);
    expect(rowsOf({}, 'checked out', null)).toEqual(['remove', 'keep']);
  });
});

describe('a sweep', () => {
  it('says once what it doubts', () => {
    const doubts = (more: Partial<Survey>) => judge({ ...emptySurvey, ...more }).doubts.map(({ code }) => code);
    expect(doubts({})).toEqual([]);
    expect(doubts({ base: unknown('why') })).toEqual([]);
    expect(doubts({ fetch: { status: 'failed', at: null, detail: null } })).toEqual(['remote-unverified']);
    expect(doubts({ baseMoved: true })).toEqual(['remote-unverified']);
    expect(doubts({ shallow: true })).toEqual(['shallow']);
    expect(doubts({ worktrees: unknown('why') })).toEqual(['probe-failed']);
    expect(doubts({ branches: unknown('why') })).toEqual(['probe-failed']);
    expect(doubts({ faults: [{ code: 'x', text: 'x', place: null }] })).toEqual(['x']);
    const two = known([desk, { ...desk, presence: unknown<never>('why') }]);
    expect(doubts({ worktrees: two })).toEqual(['process-check-unavailable']);
    expect(doubts({ worktrees: known([desk]), hasUnreadReservations: true })).toEqual([]);
    expect(doubts({ worktrees: known([desk, desk]), hasUnreadReservations: true })).toEqual(['reservations-unread']);
  });

  it('is blind when the worktrees cannot be read', () => {
    expect(judge({ ...emptySurvey, worktrees: unknown('why') }).blind).toBe(true);
    expect(judge(emptySurvey)).toMatchObject({ blind: false, base: { oid: BASE } });
  });
});
