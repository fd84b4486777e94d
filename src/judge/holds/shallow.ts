// Question: does the clone end before the branch's start?
// Evidence: the list of commits whose parents a shallow clone left out.
import { holds } from '../evidence.ts';
import type { MergeHold } from './hold.ts';

export const shallow: MergeHold = (merge) =>
  merge.veto?.code === 'shallow' || merge.relation === 'cut'
    ? holds('shallow', 'the clone is too shallow to show where it started')
    : null;
