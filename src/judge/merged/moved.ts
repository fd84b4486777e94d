/** A branch's change at the places where the base has its files now: the base may have moved them after the fork. */
import { type Asking, texts } from './ask.ts';
import type { BranchChange } from './branch.ts';
import { type Change, entryAt, type PathNumber, toChange } from './change.ts';
import type { BaseHistory } from './history.ts';
import { countLines, isMostlyIn } from './likeness.ts';

/** Where the base has a change's files after one of its moves. */
export interface Places {
  /** The place of that move on the base's line. */
  readonly at: number;
  readonly of: ReadonlyMap<PathNumber, PathNumber>;
}

/**
 * True when the change deletes a file that the base moved, edited or not: it is absent at its old place, and yet not
 * deleted. A file that the change moved there itself does not count.
 */
export function* deletesMoved(history: BaseHistory, change: Change, after: number, end: number): Asking<boolean> {
  const own = new Set(change.map((entry) => entry.after));
  for (const { path, before, afterMode } of change) {
    if (afterMode !== 0) continue;
    if (history.movesOf(path, after, end).some((move) => entryAt(change, move.to) === null)) return true;
    const come = history.mayHaveBecome(path, after, end).filter((blob) => !own.has(blob));
    if (come.length === 0) continue;
    const [text, ...others] = yield* texts([before, ...come]);
    if (text == null) return true;
    const lines = countLines(text);
    if (others.some((other) => other == null || isMostlyIn(lines, countLines(other)))) return true;
  }
  return false;
}

/** The places after each move of a file of `change` that the base made after place `after` and up to `end`. */
export function placesOf(history: BaseHistory, change: Change, after: number, end: number): Places[] {
  const found: Places[] = [];
  const places = new Map<PathNumber, PathNumber>();
  if (history.moves.length > 0) for (const { path } of change) places.set(path, path);
  for (const move of history.moves) {
    if (move.at <= after || move.at > end) continue;
    const moved = [...places].filter(([, place]) => place === move.from);
    for (const [path] of moved) places.set(path, move.to);
    if (moved.length > 0 && new Set(places.values()).size === places.size)
      found.push({ at: move.at, of: new Map(places) });
  }
  return found;
}

/** The change at these places. */
export function movedTo(change: Change, places: Places): Change {
  return toChange(change.map((entry) => ({ ...entry, path: places.of.get(entry.path) ?? entry.path })));
}

/** The branch with its paths moved along, as if it had forked after that move: once for each move of a file of its own. */
export function movedAlong(history: BaseHistory, branch: BranchChange, end: number): BranchChange[] {
  const { relation, whole, pieces, work } = branch;
  if (relation.kind !== 'forked') return [];
  return placesOf(history, whole, relation.at, end).map((places) => ({
    ...branch,
    relation: { ...relation, at: places.at },
    since: places.at,
    whole: movedTo(whole, places),
    pieces: pieces?.map((piece) => movedTo(piece, places)) ?? null,
    work: work?.map((piece) => movedTo(piece, places)) ?? null,
  }));
}
