// Question: was something not to be read that the verdict needs?
// Evidence: the survey's own word. Unknown is never taken for merged, clean or absent.
import { type Evidence, holds } from '../evidence.ts';
import type { BranchFacts } from '../facts/branch.ts';
import type { MergeHold } from './hold.ts';

/** The merge facts themselves could not be read. */
export function mergeUnknown(branch: BranchFacts): Evidence | null {
  return branch.merge.kind === 'unknown' ? holds('probe-failed', branch.merge.reason) : null;
}

/** Contents that a step of the ladder needed are not here. */
export const contentsMissing: MergeHold = (merge) =>
  merge.blind
    ? holds('probe-failed', 'contents that are not here, or are too large to compare, would be needed to tell')
    : null;
