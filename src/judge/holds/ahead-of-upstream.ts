// Question: is there a commit that neither the upstream nor the base has, and of which the proof says nothing?
// Evidence: the graph. A proof about the branch's end result does not speak of commits that left no trace in it.
// Cannot know: without an upstream, or with one that is gone, there is nothing to be ahead of.
import { holds } from '../evidence.ts';
import { shortOid } from '../facts/names.ts';
import { count, type MergeHold } from './hold.ts';

export const aheadOfUpstream: MergeHold = (merge, branch) => {
  const [first] = merge.unpushed;
  if (
    first === undefined ||
    merge.proof === null ||
    merge.proof.code === 'ancestor' ||
    merge.proof.code === 'rebase-merged'
  )
    return null;
  const which =
    merge.unpushed.length === 1
      ? `commit ${shortOid(first)} is`
      : `${count(merge.unpushed.length, 'commit')} from ${shortOid(first)} on are`;
  const check = branch.upstream?.oid ? `git log --oneline ${branch.oid} --not ${branch.upstream.oid}` : null;
  return holds('ahead-of-upstream', `${which} neither on its upstream nor on the base`, { check });
};
