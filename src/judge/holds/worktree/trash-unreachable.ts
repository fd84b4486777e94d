// Question: can it be moved into a trash?
// Evidence: what is mounted where, and who may write there. A copy would be no way to move it: what arrives late would be lost.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const trashUnreachable: WorktreeHold = ({ trash }) =>
  trash.kind === 'unknown'
    ? holds('trash-unreachable', `it cannot be moved into a trash: ${trash.reason}; trash.path names one`, {
        source: 'files',
      })
    : null;
