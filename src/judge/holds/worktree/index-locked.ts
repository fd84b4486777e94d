// Question: does somebody write its index right now, or did once and left the lock?
// Evidence: git's lock files in its git directory, and the processes that have them open. They are never removed.
import { holds } from '../../evidence.ts';
import type { GitLock } from '../../facts/worktree.ts';
import { type AdminHold, gitIn } from './hold.ts';

export const indexLocked: AdminHold = ({ indexLock }, { path }) =>
  indexLock === null
    ? null
    : holds('index-locked', `git's ${indexLock.file} is there: ${holderWords(indexLock)}`, {
        check: gitIn(path, `rev-parse --git-path ${indexLock.file}`),
        source: 'files',
      });

function holderWords({ holders }: GitLock): string {
  if (holders.kind !== 'known')
    return `who has it open is not known (${holders.kind === 'unknown' ? holders.reason : ''})`;
  const { pids, all } = holders.value;
  if (pids.length > 0) return `process ${pids.join(', ')} has it open`;
  return all ? 'no process has it open' : 'no process that can be looked at has it open';
}
