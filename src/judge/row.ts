import type { Evidence, EvidenceCode } from './evidence.ts';
import type { LeaseRecord } from './facts/claims.ts';
import type { AbsPath, Oid, RefName } from './facts/names.ts';
import type { CacheFolder, WorktreeLock } from './facts/worktree.ts';

/** What a branch row was read as; null is unknown. */
export interface BranchState {
  readonly head: Oid | null;
  readonly upstream: RefName | null;
  /** Commits on the branch that its upstream has not; null without upstream or when not determined. */
  readonly ahead: number | null;
  readonly behind: number | null;
  /** A worktree that uses the branch. */
  readonly worktree: AbsPath | null;
  /** Committer time of the tip, seconds since 1970. */
  readonly lastCommit: number | null;
}

/** What a worktree row was read as; null is unknown or not read. */
export interface WorktreeState {
  readonly branch: RefName | null;
  readonly head: Oid | null;
  readonly detached: boolean;
  readonly upstream: RefName | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly changes: {
    readonly staged: number | null;
    readonly unstaged: number | null;
    readonly untracked: number | null;
    readonly conflicted: number | null;
    readonly ignored: {
      readonly rebuildable: number | null;
      readonly duplicate: number | null;
      readonly precious: number | null;
    };
  };
  readonly operation: string | null;
  readonly lock: WorktreeLock | null;
  /** Also one that is over. */
  readonly lease: LeaseRecord | null;
  /** Milliseconds since 1970 of the newest write to its own files. */
  readonly lastWrite: number | null;
  /** On disk; `atLeast`: some of it was not weighed. */
  readonly bytes: { readonly value: number | null; readonly atLeast: boolean };
  /** Committer time of what is checked out, seconds since 1970. */
  readonly lastCommit: number | null;
}

/** A worktree that is still being read. */
export interface WorktreeOutline {
  readonly id: string;
  readonly name: string;
  readonly path: AbsPath;
  readonly state: WorktreeState;
}

/** What a cache row was read as: folders in one worktree that tools make again. */
export interface CacheState {
  readonly folders: readonly Pick<CacheFolder, 'path' | 'bytes' | 'why'>[];
  /** All of them, on disk. */
  readonly bytes: number;
  /** The newest write to one of them, milliseconds since 1970; null: none of them could be read. */
  readonly lastWrite: number | null;
}

/** What a stray row was read as. */
export interface StrayState {
  /** The repository that it is or belongs to; null where it does not say. */
  readonly repository: AbsPath | null;
}

interface RowBase {
  /** Stable between dry run and apply, as a byte string. */
  readonly id: string;
  /** As a byte string. */
  readonly name: string;
  readonly path: AbsPath | null;
  readonly action: 'remove' | 'delete' | 'save-patch' | 'keep';
  readonly reason: { readonly code: EvidenceCode; readonly text: string };
  readonly evidence: readonly Evidence[];
}

/** One leftover: what was read of it, the action, the reason, the evidence. */
export type Row =
  | (RowBase & { readonly kind: 'worktree'; readonly state: WorktreeState })
  | (RowBase & { readonly kind: 'branch'; readonly state: BranchState })
  | (RowBase & { readonly kind: 'cache'; readonly state: CacheState })
  | (RowBase & { readonly kind: 'stray'; readonly state: StrayState })
  | (RowBase & { readonly kind: 'protected'; readonly state: Readonly<Record<string, never>> });

export type RowKind = Row['kind'];

/** Kinds that can be asked for. */
export type LeftoverKind = 'worktree' | 'branch' | 'cache';

/** Something that could not be read, said once at the top; it holds every row that needs it. */
export interface Doubt {
  /** That of the evidence which the rows have for it, or one of its own. */
  readonly code: string;
  readonly text: string;
}
