import type { Evidence, EvidenceCode } from './evidence.ts';
import type { AbsPath, Oid, RefName } from './facts/names.ts';

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

/** What a worktree row was read as; null is unknown. */
export interface WorktreeState {
  readonly branch: RefName | null;
  readonly head: Oid | null;
  readonly detached: boolean;
}

interface RowBase {
  /** Stable between dry run and apply, as a byte string. */
  readonly id: string;
  /** As a byte string. */
  readonly name: string;
  readonly path: AbsPath | null;
  readonly action: 'delete' | 'keep';
  readonly reason: { readonly code: EvidenceCode; readonly text: string };
  readonly evidence: readonly Evidence[];
}

/** One leftover: what was read of it, the action, the reason, the evidence. */
export type Row =
  | (RowBase & { readonly kind: 'worktree'; readonly state: WorktreeState })
  | (RowBase & { readonly kind: 'branch'; readonly state: BranchState });

export type RowKind = Row['kind'];

/** Something that could not be read, said once at the top; it holds every row that needs it. */
export interface Doubt {
  readonly code: EvidenceCode;
  readonly text: string;
}
