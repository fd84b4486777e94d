/**
 * Has the base only an earlier state of the branch? A later commit of the branch that corrects an earlier one drops out
 * of the net change where it goes back to what was; the base may have the earlier one without the correction.
 */
import { addsNothing } from './absorbed.ts';
import type { Asking } from './ask.ts';
import type { BranchChange } from './branch.ts';
import type { Entry, PathNumber, Side } from './change.ts';

/** @param sideOf what the base holds at a path; null: what was there at the fork. */
export function* stalePaths(branch: BranchChange, sideOf: (path: PathNumber) => Side | null): Asking<PathNumber[]> {
  const stale: PathNumber[] = [];
  for (const [path, entries] of entriesByPath(branch)) {
    if (entries.length > 1 && (yield* isStale(entries, sideOf(path)))) stale.push(path);
  }
  return stale;
}

function entriesByPath({ pieces }: BranchChange): Map<PathNumber, Entry[]> {
  const entries = new Map<PathNumber, Entry[]>();
  for (const entry of (pieces ?? []).flat()) {
    const list = entries.get(entry.path);
    if (list) list.push(entry);
    else entries.set(entry.path, [entry]);
  }
  return entries;
}

function* isStale(entries: readonly Entry[], base: Side | null): Asking<boolean> {
  const first = entries[0] as Entry;
  const final = entries.at(-1) as Entry;
  if (base === null || (base.blob === final.after && base.mode === final.afterMode)) return false;
  for (const middle of entries.slice(0, -1)) {
    if (middle.after === final.after && middle.afterMode === final.afterMode) continue;
    const until = { ...middle, before: first.before, beforeMode: first.beforeMode };
    const from = { ...final, before: middle.after, beforeMode: middle.afterMode };
    const isThere = (yield* addsNothing([{ entry: until, base }])) !== 'different';
    if (isThere && (yield* addsNothing([{ entry: from, base }])) !== 'equal') return true;
  }
  return false;
}
