// Question: does somebody write its index right now, or did once and left the lock?
// Evidence: git's lock files in its git directory. They are never removed.
import { holds } from '../../evidence.ts';
import { type AdminHold, gitIn } from './hold.ts';

export const indexLocked: AdminHold = ({ indexLock }, { path }) =>
  indexLock === null
    ? null
    : holds('index-locked', 'git writes its index, or left its lock file there once', {
        check: gitIn(path, 'rev-parse --git-path index.lock'),
        source: 'files',
      });
