/** A worktree alone may go whatever became of its branch, where the branch stays and somebody named that worktree. */
import { type Evidence, spent } from './evidence.ts';
import { branchName, type Oid, shortOid } from './facts/names.ts';
import type { Survey } from './facts/survey.ts';
import type { WorktreeFacts } from './facts/worktree.ts';

/** Null: its branch has to be proven. */
export function branchStays({ branch, head }: WorktreeFacts, { named, remote }: Survey): Evidence | null {
  if (named === null || branch === null || head === null) return null;
  const name = branchName(branch);
  if (named.keepsBranch) return spent('branch-stays', `${name} stays, with all of its commits`, null);
  return named.pushed.has(head) ? spent('pushed', pushedText(name, head, remote), checkFor(head, remote)) : null;
}

function pushedText(name: string, head: Oid, remote: string | null): string {
  return `${remote ?? 'the remote'} has just this commit, ${shortOid(head)}; ${name} stays`;
}

function checkFor(head: Oid, remote: string | null): string | null {
  return remote === null ? null : `git ls-remote --heads ${remote} | grep ${head}`;
}
