/**
 * Would merging the change into this state of the base add anything? No, when every path it adds or changes is there
 * with the change in it, and every path it deletes is absent.
 */
import { type Asking, texts } from './ask.ts';
import { type Change, type Entry, isFile, type Side } from './change.ts';
import type { Equality } from './equal.ts';
import { lacksNewLine } from './lacks.ts';
import { mergeGives } from './three-way.ts';

/** One path of a change, with what the base holds there. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly base: Side;
}

/** Puts what the base holds beside each path of a change. */
export function beside(change: Change, sideOf: (entry: Entry) => Side): PlacedEntry[] {
  return change.map((entry) => ({ entry, base: sideOf(entry) }));
}

/**
 * @param change one path at a time, with what the base holds there.
 * @returns `equal` when merging adds nothing; `missing` lists the paths that say otherwise, as far as it was read.
 */
export function* addsNothing(change: readonly PlacedEntry[]): Asking<Equality> {
  const merges: PlacedEntry[] = [];
  for (const place of change) {
    const { entry, base } = place;
    if (entry.after === base.blob && entry.afterMode === base.mode) continue;
    if (!mayHoldChange(entry, base)) return 'different';
    merges.push(place);
  }
  for (const { entry, base } of merges) {
    if (entry.after === entry.before || entry.after === base.blob) continue;
    const [before, ours, after] = yield* texts([entry.before, base.blob, entry.after]);
    if (before == null || ours == null || after == null) return 'unknown';
    if (lacksNewLine(before, after, ours) || !mergeGives(before, ours, after, ours, true)) return 'different';
  }
  return 'equal';
}

/** False when ids and modes alone show that the base lacks the change. */
function mayHoldChange(entry: Entry, base: Side): boolean {
  if (entry.afterMode === 0 || base.mode === 0 || entry.beforeMode === 0) return false;
  if (entry.afterMode !== entry.beforeMode && base.mode !== entry.afterMode) return false;
  if (entry.after === entry.before) return true;
  return base.blob !== entry.before && isFile(base.mode) && isFile(entry.afterMode) && isFile(entry.beforeMode);
}

/** True when the base holds, at every path of the change, what was there before it. */
export function isBackBefore(change: Change, sideOf: (entry: Entry) => Side): boolean {
  return change.every((entry) => {
    const side = sideOf(entry);
    return side.blob === entry.before && side.mode === entry.beforeMode;
  });
}
