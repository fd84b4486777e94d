/** Judges worktrees. Until their contents are read, each stays. */
import { holds } from './evidence.ts';
import { branchName, shortOid } from './facts/names.ts';
import type { WorktreeFacts } from './facts/survey.ts';
import type { Row } from './row.ts';

export function judgeWorktree(worktree: WorktreeFacts): Row {
  const hold = holds('not-judged-yet', 'worktrees are not judged by this version');
  const detached = worktree.head === null ? '(detached)' : `(detached) ${shortOid(worktree.head)}`;
  return {
    kind: 'worktree',
    id: `worktree:${worktree.admin ?? '@'}`,
    name: worktree.branch === null ? detached : branchName(worktree.branch),
    path: worktree.path,
    action: 'keep',
    reason: { code: hold.code, text: hold.text },
    evidence: [hold],
    state: { branch: worktree.branch, head: worktree.head, detached: worktree.branch === null },
  };
}
