// Question: does only the reflog of its HEAD still hold commits that a reset or a checkout left behind?
// Evidence: that reflog, and what every ref reaches.
import { holds } from '../../evidence.ts';
import { shortOid } from '../../facts/names.ts';
import { count } from '../hold.ts';
import type { WorktreeHold } from './hold.ts';

export const headReflogCommits: WorktreeHold = ({ reflog, head }) => {
  if (reflog.kind !== 'known') return null;
  const [first] = reflog.value.dropped;
  if (first === undefined) return null;
  const which =
    reflog.value.dropped.length === 1
      ? `commit ${shortOid(first)}`
      : `${count(reflog.value.dropped.length, 'commit')}, such as ${shortOid(first)},`;
  return holds('reflog-commits', `only its reflog still holds ${which} that a reset or a checkout left behind`, {
    check: `git log --oneline ${first}${head === null ? '' : ` --not ${head}`}`,
  });
};
