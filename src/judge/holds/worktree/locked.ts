// Question: is it locked?
// Evidence: git's lock in its git directory, with the reason that was given. Who took it may be gone; it holds
// all the same, and so does a lock that an unlock put aside and did not end with. Only coppice's own mark of a lease
// that is known to be over does not.
import { type Evidence, holds, noted } from '../../evidence.ts';
import type { AdminFacts, WorktreeLock } from '../../facts/worktree.ts';
import { isMarkOfPastLease } from './claimed.ts';
import type { AdminHold } from './hold.ts';

/** Bytes of a reason that are shown. */
const SHOWN = 300;
const CHECK = 'git worktree list --porcelain';

export const locked: AdminHold = ({ lock }, worktree, { now }) => {
  if (lock === null || isMarkOfPastLease(worktree, lock, now)) return null;
  const shown = lock.reason.length > SHOWN ? `${lock.reason.slice(0, SHOWN)} ...` : lock.reason;
  const words = shown === '' ? ', without a reason' : `: ${shown}`;
  const text =
    lock.aside === null
      ? `it is locked${words}${takerWords(lock)}`
      : `it was locked${words}; an unlock was cut off and left that as ${lock.aside}, coppice unlock --dead puts it back`;
  return holds('locked', text, { check: CHECK });
};

export function staleLock({ lock }: AdminFacts): Evidence | null {
  if (lock === null || lock.alive !== false) return null;
  return noted('stale-lock', `process ${lock.pid}, which took the lock, is gone`, CHECK, 'files');
}

function takerWords({ owner, pid, alive }: WorktreeLock): string {
  if (pid === null) return owner === null ? '' : ` (taken by ${owner})`;
  const state = { true: 'is still there', false: 'is gone', null: 'may be there or not' }[String(alive) as 'true'];
  return ` (process ${pid}${owner === null ? '' : ` of ${owner}`} ${state})`;
}
