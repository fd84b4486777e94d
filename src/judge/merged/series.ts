/**
 * Rebase-merged: each commit of the branch has its own equal on the base. Series-merged: the branch's commits fall
 * into runs, each with a net change, each equal to one commit on the base. Both one to one and in the branch's order.
 */
import type { Asking } from './ask.ts';
import { type Change, compose } from './change.ts';
import { findEqual, type Range } from './match.ts';

/** Runs of a longer branch are not tried: their number grows with the square of its commits. */
const MOST_COMMITS = 100;

/** One run of commits and the step that equals it. */
export interface Run {
  readonly change: Change;
  readonly pieces: readonly Change[];
  readonly index: number;
}

export interface Runs {
  readonly runs: readonly Run[] | null;
  readonly unknown: boolean;
}

/** Each piece by itself. */
export function* eachByItself(range: Range, pieces: readonly Change[]): Asking<Runs> {
  const runs: Run[] = [];
  let after = -1;
  for (const piece of pieces) {
    if (piece.length === 0) return { runs: null, unknown: false };
    const match = yield* findEqual(range, piece, after);
    if (match.index === null) return { runs: null, unknown: match.unknown };
    runs.push({ change: piece, pieces: [piece], index: match.index });
    after = match.index;
  }
  return { runs: runs.length > 0 ? runs : null, unknown: false };
}

/**
 * Splits the pieces into runs. Of all ways to match the first pieces, the one that ends earliest on the base leaves
 * most room for the rest, so one way a length is enough.
 */
export function* inRuns(range: Range, pieces: readonly Change[]): Asking<Runs> {
  if (pieces.length > MOST_COMMITS) return { runs: null, unknown: false };
  const best: (readonly Run[] | null)[] = [[]];
  let unknown = false;
  for (let until = 1; until <= pieces.length; until++) {
    let earliest: readonly Run[] | null = null;
    for (let from = until - 1; from >= 0; from--) {
      const before = best[from];
      if (!before) continue;
      const part = pieces.slice(from, until);
      const change = compose(part);
      if (change.length === 0) continue;
      const match = yield* findEqual(range, change, before.at(-1)?.index ?? -1);
      unknown ||= match.unknown;
      if (match.index === null) continue;
      if (earliest === null || match.index < (earliest.at(-1)?.index ?? 0)) {
        earliest = [...before, { change, pieces: part, index: match.index }];
      }
    }
    best.push(earliest);
  }
  const runs = best[pieces.length] ?? null;
  return { runs: runs !== null && runs.length > 0 ? runs : null, unknown };
}

/** True when two or more of the commits, one after the other, change something and leave nothing of it. */
export function hasRunWithoutNetChange(pieces: readonly Change[]): boolean {
  for (let from = 0; from < pieces.length; from++) {
    for (let until = from + 2; until <= pieces.length; until++) {
      const part = pieces.slice(from, until);
      if (part.some((piece) => piece.length > 0) && compose(part).length === 0) return true;
    }
  }
  return false;
}
