/** Leave to change something. Nothing is changed without one, and no other file can make one. */
import type { Fact } from './facts/fact.ts';
import type { AbsPath } from './facts/names.ts';
import type { WorktreeLock } from './facts/worktree.ts';

declare const MINTED: unique symbol;

/** A worktree's git directory, and git's lock in it; absent: it is not locked. */
export interface LockedWorktree {
  /** The admin directory's name. */
  readonly admin: string;
  readonly gitDir: AbsPath;
  /** Where the worktree is, as its git directory says; the git directory itself where it does not. */
  readonly path: AbsPath;
  readonly lock: Fact<WorktreeLock>;
}

/** Leave to take away git's lock on a worktree, as it was read: the process that took it is proven to be gone. */
export interface UnlockPermit {
  readonly [MINTED]: 'unlock';
  readonly worktree: LockedWorktree;
  readonly lock: WorktreeLock & { readonly pid: number };
}

/** Null: it is not locked, its owner is there, or nobody can tell. */
export function permitUnlock(worktree: LockedWorktree): UnlockPermit | null {
  const { lock } = worktree;
  if (lock.kind !== 'known' || lock.value.alive !== false || lock.value.pid === null) return null;
  return { worktree, lock: lock.value } as UnlockPermit;
}
