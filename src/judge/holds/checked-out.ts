// Question: does a worktree use the branch, by checking it out, rebasing or bisecting it?
// Evidence: git's list of worktrees, and the files in which git keeps what each one is doing, also where the folder is gone.
// Cannot know: held as probe-failed.
import { type Evidence, holds } from '../evidence.ts';
import type { BranchHold } from './hold.ts';

export const checkedOut: BranchHold = (branch): Evidence | null => {
  if (branch.uses.kind === 'unknown')
    return holds('probe-failed', `it is not known whether a worktree uses it: ${branch.uses.reason}`);
  const use = branch.uses.kind === 'known' ? branch.uses.value[0] : undefined;
  if (!use) return null;
  const place = use.path === null ? 'in a worktree' : `in ${use.path}`;
  return holds('checked-out', `it is ${use.how} ${place}`, { check: 'git worktree list --porcelain' });
};
