// Question: was any work done on this branch at all?
// Evidence: reflog entries of commits made on it; a tip that a merge brought to the base.
// Cannot know: without a reflog a tip on the base's own line proves nothing: somebody may be about to start.
import { holds } from '../evidence.ts';
import { baseName, type MergeHold } from './hold.ts';

export const noOwnCommits: MergeHold = (merge, branch, survey) => {
  if (merge.relation !== 'line' || merge.worked) return null;
  const text = `no commit is known to have been made on it: its tip is one of ${baseName(survey)}`;
  const check =
    survey.base.kind === 'known' ? `git merge-base --is-ancestor ${branch.oid} ${survey.base.value.oid}` : null;
  return holds('no-own-commits', text, { check });
};
