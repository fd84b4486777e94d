// Question: does another worktree lie in it?
// Evidence: the folders of all registered worktrees, without links on the way.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const nestedWorktree: WorktreeHold = ({ inside, admin }) =>
  inside[0] === undefined || admin === null
    ? null
    : holds('nested-worktree', `the worktree ${inside[0]} lies in it`, { check: 'git worktree list --porcelain' });
