import type { LeftoverKind } from '../judge/row.ts';
import type { WorktreeFacts } from '../judge/facts/worktree.ts';
import type { Homes } from '../config/homes.ts';

/** The surroundings that a survey reads from besides the repository. */
export interface World extends Homes {
  /** The user id of this account; null where there is no such thing. */
  readonly account: number | null;
  /** This process. */
  readonly pid: number;
  /** Seconds since it began. */
  uptime(): number;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What is asked of a survey. */
export interface SurveyRequest {
  readonly directory: string;
  readonly base: string | null;
  readonly remote: string | null;
  readonly fetch: boolean;
  /** Null: those of the settings. */
  readonly kinds: readonly LeftoverKind[] | null;
  /** Bytes that folders which tools make again may take together; null: those of them that are at rest all go. */
  readonly budget: number | null;
  /** Folders in which the caller stands besides `directory`. */
  readonly standingIn: readonly string[];
  /** True: sizes and times of worktrees are wanted. */
  readonly measure: boolean;
  /** Milliseconds after which a row without own commits may go; null: what the settings say. */
  readonly unused: number | null;
  /** Milliseconds within which a write keeps a worktree; null: what the settings say. */
  readonly idle: number | null;
  /** Bytes of ignored files that nothing makes again, up to which copies of them are kept; null: what the settings say. */
  readonly archiveUpTo: number | null;
  /** Set: one worktree is in hand; `keepsBranch`: its branch is to stay. */
  readonly named: { readonly keepsBranch: boolean } | null;
  /** True: acts that a crash cut off are wanted. */
  readonly audit: boolean;
  progress(text: string): void;
  /** Told the worktrees as far as they are read, first of all with what git's list says. */
  sketch?(worktrees: () => readonly WorktreeFacts[]): void;
}
