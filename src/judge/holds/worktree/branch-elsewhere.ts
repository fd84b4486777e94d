// Question: is another worktree on the same branch?
// Evidence: git's list. One of them moves the branch under the other, so that its files look edited.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const branchElsewhere: WorktreeHold = ({ sharedWith }) =>
  sharedWith[0] === undefined
    ? null
    : holds('branch-elsewhere', `its branch is checked out in ${sharedWith[0]}, too`, {
        check: 'git worktree list --porcelain',
      });
