// Question: does the caller stand in it?
// Evidence: the caller's folder and the one that -C names, without links on the way.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const currentWorktree: WorktreeHold = (worktree) =>
  worktree.isCurrent ? holds('current-worktree', 'you are in it', { source: 'files' }) : null;
