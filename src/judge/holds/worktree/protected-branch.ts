// Question: does a branch stand in it that is there to stay, such as main or develop?
// Evidence: the patterns of `protect.branches`, and what is a default branch. Whoever names the worktree knows: then it is not asked.
import { holds } from '../../evidence.ts';
import { branchName } from '../../facts/names.ts';
import type { WorktreeHold } from './hold.ts';

export const protectedBranch: WorktreeHold = ({ admin, branch, isBranchProtected }, { named, defaults }) => {
  if (admin === null || branch === null || named !== null) return null;
  if (!isBranchProtected && !defaults.has(branch)) return null;
  return holds('protected', `the settings protect its branch ${branchName(branch)}, which is there to stay`, {
    source: 'config',
  });
};
