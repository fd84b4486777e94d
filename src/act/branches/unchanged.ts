/** Whether a branch that is there is the one that was put aside, or one that somebody made. */
import { readReflogBytes } from '../../git/read/reflogs.ts';
import type { RefName } from '../../judge/facts/names.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { readPiece, type TrashEntry } from '../../state/trash/store.ts';
import type { Acting } from '../acting.ts';

/** @param ref where it is, at the commit that was put aside. */
export interface Standing {
  readonly entry: TrashEntry;
  readonly saved: SavedBranch;
  readonly ref: RefName;
}

/**
 * True when an undo, a deletion or a git that was cut off left it: without a reflog, or with that which was put aside
 * before all that was written since.
 */
export function isAsPutAside({ commonDir, folder }: Acting, { entry, saved, ref }: Standing): boolean {
  const now = readReflogBytes(commonDir, ref);
  if (now.kind !== 'known') return now.kind === 'absent';
  if (saved.reflog === null) return false;
  const then = readPiece(entry, 'reflogs', saved.reflog, folder.account);
  if (then.kind !== 'known') return false;
  // Nothing begins with an empty one: that was never written to.
  if (then.value.length === 0) return now.value.length === 0;
  return now.value.subarray(0, then.value.length).equals(then.value);
}
