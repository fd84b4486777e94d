// Question: do its commits change nothing in the end, so that no content can tell whether they are wanted?
// Evidence: the tree at the merge base and at the tip; for runs of commits, the trees before and after.
import { holds } from '../evidence.ts';
import { baseName, type MergeHold } from './hold.ts';

export const netZero: MergeHold = (merge, branch, survey) => {
  if (merge.veto?.code !== 'net-zero') return null;
  const check = survey.base.kind === 'known' ? `git log --oneline ${branch.oid} --not ${survey.base.value.oid}` : null;
  return holds('net-zero', `its commits leave nothing changed, and are not on ${baseName(survey)}`, { check });
};
