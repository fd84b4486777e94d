/**
 * Has the base only an earlier state of the branch? A later commit of the branch that corrects an earlier one drops out
 * of the net change where it goes back to what was; the base may have the earlier one without the correction.
 */
import { addsNothing } from './absorbed.ts';
import type { Asking } from './ask.ts';
import type { BranchChange } from './branch.ts';
import type { Entry, PathNumber, Side } from './change.ts';
import type { Equality } from './equal.ts';
import type { BaseHistory } from './history.ts';

/** Paths at which the base has an earlier state only; `unknown` when contents were missing to tell. */
export interface Stale {
  readonly paths: readonly PathNumber[];
  readonly unknown: boolean;
}

/** True when the base may lack what the branch made of its own work later. */
export function isStale({ paths, unknown }: Stale): boolean {
  return paths.length > 0 || unknown;
}

/** Compares with what the base's line holds at place `at`. */
export function* stalePaths(history: BaseHistory, branch: BranchChange, at: number): Asking<Stale> {
  const paths: PathNumber[] = [];
  let unknown = false;
  for (const [path, entries] of entriesByPath(branch)) {
    const base = history.sideAt(path, branch.since, at);
    // Untouched since the fork: no state of the branch is there.
    if (entries.length < 2 || base === null) continue;
    const latest = yield* hasLatest(entries, base);
    if (latest === 'different') paths.push(path);
    unknown ||= latest === 'unknown';
  }
  return { paths, unknown };
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

/** `different`: the base holds one of the path's earlier states, without what the branch made of it in the end. */
function* hasLatest(entries: readonly Entry[], base: Side): Asking<Equality> {
  const first = entries[0] as Entry;
  const final = entries.at(-1) as Entry;
  if (base.blob === final.after && base.mode === final.afterMode) return 'equal';
  let result: Equality = 'equal';
  for (const middle of entries.slice(0, -1)) {
    if (middle.after === final.after && middle.afterMode === final.afterMode) continue;
    const until = { ...middle, before: first.before, beforeMode: first.beforeMode };
    const from = { ...final, before: middle.after, beforeMode: middle.afterMode };
    const isThere = yield* addsNothing([{ entry: until, base }]);
    if (isThere === 'different') continue;
    const rest = yield* addsNothing([{ entry: from, base }]);
    if (isThere === 'equal' && rest === 'different') return 'different';
    if (rest !== 'equal') result = 'unknown';
  }
  return result;
}
