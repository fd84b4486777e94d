// Question: is the work only on the local base, which the remote does not have yet?
// Evidence: the ladder, with the local base in place of the remote's.
import { holds } from '../evidence.ts';
import { baseName, type MergeHold } from './hold.ts';

export const mergedLocally: MergeHold = (merge, _branch, survey) =>
  merge.local && merge.proof === null
    ? holds('merged-locally', `it is merged into the local default branch, which ${baseName(survey)} does not have yet`)
    : null;
