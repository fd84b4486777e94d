/** A branch's change at the places where the base has its files now: the base may have moved them after the fork. */
import type { BranchChange } from './branch.ts';
import { type Change, type PathNumber, toChange } from './change.ts';
import type { BaseHistory } from './history.ts';

/** The branch with its paths moved along, as if it had forked after that move: once for each move of a file of its own. */
export function movedAlong(history: BaseHistory, branch: BranchChange, end: number): BranchChange[] {
  const { relation, whole, pieces } = branch;
  if (relation.kind !== 'forked') return [];
  const stages: BranchChange[] = [];
  const places = new Map<PathNumber, PathNumber>(whole.map((entry) => [entry.path, entry.path]));
  for (const move of history.moves) {
    if (move.at <= relation.at || move.at > end) continue;
    const moved = [...places].filter(([, place]) => place === move.from);
    for (const [path] of moved) places.set(path, move.to);
    if (moved.length === 0 || new Set(places.values()).size < places.size) continue;
    const now = new Map(places);
    const along = (change: Change) =>
      toChange(change.map((entry) => ({ ...entry, path: now.get(entry.path) ?? entry.path })));
    const fork = { relation: { ...relation, at: move.at }, since: move.at };
    stages.push({ ...branch, ...fork, whole: along(whole), pieces: pieces?.map(along) ?? null });
  }
  return stages;
}
