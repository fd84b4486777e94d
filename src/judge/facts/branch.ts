/** What was read of a branch. */
import type { MergeVerdict, Proof } from '../merged/proof.ts';
import type { Fact } from './fact.ts';
import type { AbsPath, Oid, RefName } from './names.ts';

/** A worktree that uses the branch. */
export interface BranchUse {
  readonly how: 'checked out' | 'being rebased' | 'being bisected';
  /** The worktree's folder; null when it is not known. */
  readonly path: AbsPath | null;
}

/** How a branch stands to the base. About object ids only, so it never changes and may be cached. */
export interface MergeFacts {
  /**
   * `line`: the tip is on the base's first-parent line, `side`: a merge brought it in, `forked`: it has commits that
   * are not on the base, `unrelated`: no one commit of the base can be named as its start, `cut`: the clone is shallow.
   */
  readonly relation: 'line' | 'side' | 'forked' | 'unrelated' | 'cut';
  /** False only for a tip on the base's line on which no commit is known to have been made. */
  readonly worked: boolean;
  readonly proof: Proof | null;
  readonly veto: MergeVerdict['veto'];
  /** Some of the paths whose change is not on the base, as byte strings, and how many there are. */
  readonly missing: readonly string[];
  readonly missingCount: number;
  /** True when contents that are not here would have been needed. */
  readonly blind: boolean;
  /** True when the work is on the local base, which the remote does not have yet. */
  readonly local: boolean;
  readonly ahead: number | null;
  readonly behind: number | null;
  /** Commits that the upstream lacks, and of which nothing is left to see in the branch's own end result. */
  readonly unpushed: readonly Oid[];
  /** Commits only in the reflog: left behind by a reset or a checkout. */
  readonly dropped: readonly Oid[];
  /** Commits only in the reflog: replaced by an amend or a rebase. */
  readonly replaced: readonly Oid[];
  /** Committer time of the tip, seconds since 1970. */
  readonly lastCommit: number;
}

export interface BranchFacts {
  readonly ref: RefName;
  readonly oid: Oid;
  /** What the ref points to when it is symbolic. */
  readonly symbolic: RefName | null;
  /** `oid` null: the upstream is configured and is not there. */
  readonly upstream: { readonly ref: RefName; readonly oid: Oid | null } | null;
  /** True when the settings keep a branch of this name, whatever it holds. */
  readonly isProtected: boolean;
  readonly uses: Fact<readonly BranchUse[]>;
  /** When it was last moved, by its reflog, seconds since 1970; null when that is not known or was not asked. */
  readonly lastMove: number | null;
  /** Absent: nothing needs to be known, the branch stays whatever it holds. */
  readonly merge: Fact<MergeFacts>;
}
