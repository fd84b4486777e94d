// Question: is something mounted in it?
// Evidence: the system's list of mounts. Without that list the worktree's files count as not read.
import { holds } from '../../evidence.ts';
import type { ContentHold } from './hold.ts';

export const mountInside: ContentHold = ({ mounts }) =>
  mounts[0] === undefined
    ? null
    : holds('mount-inside', `something is mounted in it at ${mounts[0]}`, { check: 'findmnt', source: 'files' });
