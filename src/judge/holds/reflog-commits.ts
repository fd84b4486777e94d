// Question: does only the branch's reflog still hold commits that a reset or a checkout left behind?
// Evidence: the reflog, and what the tip and the base reach.
// Cannot know: a reflog that cannot be read leaves the branch unjudged.
import { holds } from '../evidence.ts';
import { shortOid } from '../facts/names.ts';
import { count, type MergeHold } from './hold.ts';

export const reflogCommits: MergeHold = (merge, branch) => {
  const [first] = merge.dropped;
  if (first === undefined) return null;
  const which =
    merge.dropped.length === 1
      ? `commit ${shortOid(first)}`
      : `${count(merge.dropped.length, 'commit')}, such as ${shortOid(first)},`;
  const text = `only its reflog still holds ${which} that a reset or a checkout left behind`;
  return holds('reflog-commits', text, { check: `git log --oneline ${first} --not ${branch.oid}` });
};
