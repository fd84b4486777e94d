// Question: is it locked?
// Evidence: git's lock in its git directory, with the reason that was given.
import { holds } from '../../evidence.ts';
import type { AdminHold } from './hold.ts';

export const locked: AdminHold = ({ lock }) =>
  lock === null
    ? null
    : holds('locked', lock === '' ? 'it is locked, without a reason' : `it is locked: ${lock}`, {
        check: 'git worktree list --porcelain',
      });
