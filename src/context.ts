import type { Applied, Choose } from './act/apply.ts';
import type { History } from './act/history.ts';
import type { PurgeItem, PurgeRequest } from './act/purge.ts';
import type { UndoRequest } from './act/undo.ts';
import type { Undone } from './act/undone.ts';
import type { Outcome } from './judge/outcome.ts';
import type { LockedWorktree } from './judge/permit.ts';
import type { Sweep } from './judge/sweep.ts';
import type { NotesPort } from './act/notes/port.ts';
import type { Restored as NotesRestored } from './act/notes/restore.ts';
import type { NoteFile } from './state/notes/record.ts';
import type { Note } from './state/notes/store.ts';
import type { LeasePort, RunPort } from './state/ports.ts';
import type { LeftoverKind, WorktreeOutline } from './judge/row.ts';

/** Where text goes. `isTTY` false: no colour, no progress. */
export interface Output {
  readonly isTTY: boolean;
  /** Width of the terminal in columns; 80 when it is none. */
  readonly columns: number;
  /** Lines of the terminal; 24 when it is none. */
  readonly rows: number;
  write(text: string): void;
}

/** What a person asks to be looked at. */
export interface SweepRequest {
  /** Where the question is asked from: the caller's folder, or `-C DIR`. */
  readonly directory: string;
  /** `--base`, a full or short ref name. */
  readonly base: string | null;
  /** `--remote`. */
  readonly remote: string | null;
  /** False: nothing of the remote is read. */
  readonly fetch: boolean;
  /** Kinds of leftover to read; null: those of the settings. */
  readonly kinds: readonly LeftoverKind[] | null;
  /** `--budget`, in bytes; null: not given. */
  readonly budget: number | null;
  /** True: sizes and times of worktrees are wanted. */
  readonly measure: boolean;
  /** `--unused`, in milliseconds; null: what the settings say. */
  readonly unused: number | null;
  /** `--idle`, in milliseconds; null: what the settings say. */
  readonly idle: number | null;
  /** `--archive-up-to`, in bytes; null: what the settings say. */
  readonly archiveUpTo: number | null;
  /** Set: one worktree is in hand; `keepsBranch`: its branch is to stay. */
  readonly named: { readonly keepsBranch: boolean } | null;
  /** True: acts that a crash cut off are wanted. */
  readonly audit: boolean;
  /** Told what is being read, for a progress line. */
  progress(text: string): void;
  /** Told the worktrees as far as they are read, for a list that fills in. */
  sketch?(worktrees: () => readonly WorktreeOutline[]): void;
}

/** A lock on a worktree that was to go. Texts are byte strings. */
export interface Unlocked {
  readonly worktree: LockedWorktree;
  /** What the lock gave as its reason. */
  readonly reason: string;
  readonly outcome: Outcome;
}

// What render shows of acts.
export type { Applied, Choose, History, Note, NoteFile, NotesRestored, PurgeItem, Undone };

/** Everything impure that a command may touch. */
export interface Context {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The caller's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The caller's folder. */
  readonly cwd: string;
  /** The caller's home folder, for redaction; null when unknown. */
  readonly home: string | null;
  /** coppice's own version. */
  readonly version: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Surveys and judges a repository; throws `UserError` when there is none to judge. Changes nothing. */
  sweep(request: SweepRequest): Promise<Sweep>;
  /** The same, and then does what the rows say, as far as a second look agrees. Throws `UserError`. */
  apply(request: Omit<SweepRequest, 'sketch'>, choose: Choose): Promise<Applied>;
  /** Brings back what a sweep took away. Throws `UserError`. */
  undo(request: UndoRequest): Promise<readonly Undone[]>;
  /** What coppice did in the repository around `directory`. Throws `UserError`. */
  history(directory: string): Promise<History>;
  /** What waits in the trash; deletes for good what is due, if that is asked. Throws `UserError`. */
  purge(request: PurgeRequest): Promise<readonly PurgeItem[]>;
  /** Copies of ignored files that nothing makes again, or of what differed from the commit. */
  notes(kind: 'ignored' | 'changes'): Promise<NotesPort>;
  /** Who uses which worktree, and until when. Throws `UserError` when the settings cannot be read. */
  leases(): Promise<LeasePort>;
  /** The work that orchestrators have spread over worktrees. */
  runs(): Promise<RunPort>;
  /** Takes away the locks on worktrees whose owners are gone, in the repository around `directory`. Throws `UserError`. */
  unlockDead(directory: string): Promise<readonly Unlocked[]>;
  /** Builds the throw-away repository of `demo` and returns its folder. */
  makeDemo(): Promise<string>;
}
