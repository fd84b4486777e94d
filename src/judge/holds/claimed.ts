// Question: does somebody say that they work on the branch, also where their worktree is gone?
// Evidence: live leases and unfinished runs that name it. What cannot be read may name it.
import { type Evidence, holds } from '../evidence.ts';
import { leaseStanding, runStanding } from '../facts/claims.ts';
import type { BranchHold } from './hold.ts';

export const branchLeased: BranchHold = ({ ref }, { leases, now }): Evidence | null => {
  if (leases.kind === 'absent') return null;
  const unread = leases.kind === 'unknown' ? leases.reason : leases.value.unreadable;
  if (unread !== null)
    return holds('lease-unreadable', `whether somebody leased it cannot be told: ${unread}`, { source: 'state' });
  const [live] =
    leases.kind === 'known'
      ? leases.value.leases.filter((lease) => lease.branch === ref && leaseStanding(lease, now) === 'live')
      : [];
  if (live === undefined) return null;
  const owner = live.owner === null ? '' : ` by ${live.owner}`;
  return holds('leased', `it is leased${owner}, in ${live.worktree}`, { source: 'state' });
};

export const branchInRun: BranchHold = ({ ref }, { runs, now }): Evidence | null => {
  if (runs.kind === 'absent') return null;
  const check = 'coppice run list';
  if (runs.kind === 'unknown') return holds('runs-unread', runs.reason, { check, source: 'state' });
  const [unread] = runs.value.unreadable;
  if (unread !== undefined)
    return holds('runs-unread', `the run ${unread.file} cannot be read, and may name it`, { check, source: 'state' });
  const active = runs.value.runs.find(
    (run) => runStanding(run, now) === 'active' && run.lanes.some((lane) => lane.branch === ref),
  );
  if (active === undefined) return null;
  return holds('run-active', `the run ${active.title} (${active.id}) works on it`, { check, source: 'state' });
};
