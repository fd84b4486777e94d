/** What undo brings back, and what it needs to know for that. Texts are byte strings. */
import type { AbsPath } from '../judge/facts/names.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { TrashEntry } from '../state/trash/store.ts';
import type { Fact } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import type { PastAct } from '../state/acts.ts';

/** One thing that was to come back. */
export interface Undone {
  readonly id: string;
  readonly run: string;
  readonly kind: 'branch' | 'worktree' | 'cache';
  /** The branch's name, or that of the worktree. */
  readonly name: string;
  /** Of a worktree, or of the folder in which what tools make again is. */
  readonly path: AbsPath | null;
  readonly outcome: Outcome;
}

/** The entry of that name. @throws UserError `trash-unreadable`; null: it is not there any more */
export function entryNamed(trash: Fact<readonly TrashEntry[]>, name: string): TrashEntry | null {
  if (trash.kind === 'known') return trash.value.find(({ run }) => run === name) ?? null;
  throw new UserError('trash-unreadable', trash.kind === 'unknown' ? trash.reason : 'there is no trash');
}

/** @throws UserError `already-undone`, `not-undoable` */
export function requireOpen(id: string, { end, why }: PastAct, undone: ReadonlySet<string>): void {
  if (undone.has(id)) throw new UserError('already-undone', `${id} was undone already`);
  if (end !== 'done' && end !== 'blocked') throw new UserError('not-undoable', `nothing was changed by ${id}: ${why}`);
}
