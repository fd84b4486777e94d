/** A branch's change at the places where the base has its files now: the base may have moved them after the fork. */
import type { BranchChange } from './branch.ts';
import { type Change, type PathNumber, toChange } from './change.ts';
import type { BaseHistory } from './history.ts';

/** The branch with its paths moved along, as if it had forked after the last move; null when nothing of it moved. */
export function movedAlong(history: BaseHistory, branch: BranchChange, end: number): BranchChange | null {
  const { relation, whole, pieces } = branch;
  if (relation.kind !== 'forked') return null;
  const places = new Map<PathNumber, PathNumber>(whole.map((entry) => [entry.path, entry.path]));
  let fork = relation.at;
  for (const move of history.moves) {
    if (move.at <= relation.at || move.at > end) continue;
    for (const [path, place] of places) {
      if (place !== move.from) continue;
      places.set(path, move.to);
      fork = move.at;
    }
  }
  if (fork === relation.at || new Set(places.values()).size < places.size) return null;
  const along = (change: Change) =>
    toChange(change.map((entry) => ({ ...entry, path: places.get(entry.path) ?? entry.path })));
  return {
    ...branch,
    relation: { ...relation, at: fork },
    since: fork,
    whole: along(whole),
    pieces: pieces?.map(along) ?? null,
  };
}
