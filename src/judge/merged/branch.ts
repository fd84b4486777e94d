/** A branch as the ladder sees it. */
import type { Oid } from '../facts/names.ts';
import type { Change } from './change.ts';

/** Where a branch leaves the base's first-parent line, or that it does not. Places count from the oldest in view, 0. */
export type Relation =
  /** The tip is on the base: on its first-parent line, or brought in by the merge at place `at`. */
  | { readonly kind: 'ancestor'; readonly at: number; readonly side: boolean }
  /**
   * One merge base. `exact`: it is the first-parent commit at `at`; else it is a commit that a later merge brought in,
   * and `at` is the newest first-parent commit below it.
   */
  | { readonly kind: 'forked'; readonly at: number; readonly exact: boolean }
  /** Several merge bases: nothing can be said but whether the end result is there. */
  | { readonly kind: 'entangled' }
  /** No common history. */
  | { readonly kind: 'unrelated' }
  /** A shallow clone ends before the fork. */
  | { readonly kind: 'cut' };

/** What a branch changed, by its own commits. */
export interface BranchChange {
  readonly relation: Relation;
  /** The whole net change since the merge base (for `entangled`: all paths that differ from any merge base). */
  readonly whole: Change;
  /** The same as `work`, where it makes up the whole, one commit on the other; null where a merge is among them. */
  readonly pieces: readonly Change[] | null;
  /**
   * What each of its commits changed that is no merge, parents before children, those of side branches too; null when
   * that could not be read.
   */
  readonly work: readonly Change[] | null;
  /** Its commits that the base lacks. */
  readonly own: readonly Oid[];
  /** The place on the base's line after which its work can have come there. */
  readonly since: number;
  /** Its commits that a merge brought to the base; null when it is on no side branch of the base. */
  readonly brought: ReadonlySet<Oid> | null;
  /** From the base's tip to the branch's tip; read only where the history in view does not tell it. */
  readonly againstBase: Change | null;
}
