// Question: does somebody say that they use it?
// Evidence: its lease, and the runs that name it. A claim that is over holds nothing; one that cannot be read may be live.
import { type Evidence, holds } from '../../evidence.ts';
import { isLaneOf, leaseStanding, runStanding } from '../../facts/claims.ts';
import type { Survey } from '../../facts/survey.ts';
import type { WorktreeFacts, WorktreeLock } from '../../facts/worktree.ts';
import { spanWords } from '../../span.ts';
import { quoted, type WorktreeHold } from './hold.ts';

export const leased: WorktreeHold = ({ admin, path, lease }, { now }) => {
  if (admin === null || lease.kind === 'absent') return null;
  const folder = quoted(path);
  const check = folder === null ? null : `coppice -C ${folder} lease show`;
  if (lease.kind === 'unknown')
    return holds('lease-unreadable', `whether it is leased cannot be told: ${lease.reason}`, {
      check,
      source: 'state',
    });
  const { owner, task, expires } = lease.value;
  if (leaseStanding(lease.value, now) !== 'live') return null;
  const words = [owner === null ? '' : ` to ${owner}`, task === null ? '' : ` for ${task}`].join('');
  return holds('leased', `it is leased${words}, for another ${spanWords(expires - now)}`, { check, source: 'state' });
};

export function inRuns(worktree: WorktreeFacts, { runs, now }: Survey): (Evidence | null)[] {
  if (worktree.admin === null || runs.kind === 'absent') return [];
  const check = 'coppice run list';
  if (runs.kind === 'unknown') return [holds('runs-unread', runs.reason, { check, source: 'state' })];
  const { runs: read, unreadable } = runs.value;
  const active = read.find(
    (run) => runStanding(run, now) === 'active' && run.lanes.some((lane) => isLaneOf(lane, worktree)),
  );
  const [first] = unreadable;
  return [
    active === undefined
      ? null
      : holds('run-active', `it is a lane of the run ${active.title} (${active.id}), which is not finished`, {
          check,
          source: 'state',
        }),
    first === undefined
      ? null
      : holds('runs-unread', `the run ${first.file} cannot be read, and may name it: ${first.reason}`, {
          check,
          source: 'state',
        }),
  ];
}

/** What a mark beside a lease says, and nothing after it. */
const MARK = /^coppice lease (\S+) until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** True when git's lock is only the mark that coppice sets beside a lease, and the record of that lease says it is over. */
export function isMarkOfPastLease({ lease }: WorktreeFacts, lock: WorktreeLock, now: number): boolean {
  const task = lock.aside === null ? MARK.exec(lock.reason)?.[1] : undefined;
  if (task === undefined || lease.kind !== 'known' || lease.value.task !== task) return false;
  return leaseStanding(lease.value, now) !== 'live';
}
