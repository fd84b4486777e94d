// Question: is this the main worktree?
// Evidence: it has no git directory among those of the linked ones.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const mainWorktree: WorktreeHold = (worktree) =>
  worktree.admin === null
    ? holds('main-worktree', 'it is the main worktree', { check: 'git worktree list --porcelain' })
    : null;
