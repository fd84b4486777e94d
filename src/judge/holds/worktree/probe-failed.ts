// Question: was something of it not to be read?
// Evidence: the survey's own word. Unknown is never taken for clean, empty or absent.
import { type Evidence, holds } from '../../evidence.ts';
import type { WorktreeFacts } from '../../facts/worktree.ts';

export function unread(worktree: WorktreeFacts): Evidence[] {
  const facts = [worktree.contents, worktree.adminState, worktree.merge, worktree.reflog];
  const reasons = facts.flatMap((fact) => (fact.kind === 'unknown' ? [fact.reason] : []));
  return [...new Set(reasons)].map((reason) => holds('probe-failed', reason));
}
