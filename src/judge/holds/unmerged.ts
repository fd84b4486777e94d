// Question: is something of it not proven to be on the base?
// Evidence: no step of the merge ladder held. This is the answer for all that is not known better.
import { holds } from '../evidence.ts';
import type { MergeFacts } from '../facts/branch.ts';
import { baseName, count, type MergeHold } from './hold.ts';

export const unmerged: MergeHold = (merge, branch, survey) => {
  if (merge.proof !== null || merge.veto !== null || merge.local || merge.relation === 'line') return null;
  const base = survey.base.kind === 'known' ? survey.base.value.oid : null;
  const check = base === null ? null : `git diff --stat ${base}...${branch.oid}`;
  return holds('unmerged', whatIsMissing(merge, baseName(survey)), { check });
};

function whatIsMissing(merge: MergeFacts, base: string): string {
  if (merge.relation === 'unrelated')
    return `it has no one commit of ${base} as its start, so nothing of it is proven there`;
  if (merge.missingCount === 0) return `its commits are not on ${base}`;
  const rest = merge.missingCount - merge.missing.length;
  const paths = merge.missing.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `not on ${base}: its change of ${paths} (${count(merge.missingCount, 'path')})`;
}
