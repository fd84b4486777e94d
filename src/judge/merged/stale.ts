/**
 * Has the base only an earlier state of the branch? A later commit of the branch that corrects an earlier one drops out
 * of the net change where it goes back to what was; the base may have the earlier one without the correction.
 */
import { addsNothing } from './absorbed.ts';
import type { Asking } from './ask.ts';
import type { BranchChange } from './branch.ts';
import type { Change, Entry, PathNumber, Side } from './change.ts';
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
  if (branch.work === null) return { paths: [], unknown: true };
  const paths: PathNumber[] = [];
  let unknown = false;
  for (const [path, entries] of entriesByPath(branch.work)) {
    const base = history.sideAt(path, branch.since, at);
    // Untouched since the fork: no state of the branch is there.
    if (entries.length < 2 || base === null) continue;
    const latest = yield* hasLatest(entries, base);
    if (latest === 'different') paths.push(path);
    unknown ||= latest === 'unknown';
  }
  return { paths, unknown };
}

function entriesByPath(work: readonly Change[]): Map<PathNumber, Entry[]> {
  const entries = new Map<PathNumber, Entry[]>();
  for (const entry of work.flat()) {
    const list = entries.get(entry.path);
    if (list) list.push(entry);
    else entries.set(entry.path, [entry]);
  }
  return entries;
}

/** `different`: the base holds one of the path's earlier states, without what the branch made of it in the end. */
function* hasLatest(entries: readonly Entry[], base: Side): Asking<Equality> {
  const final = entries.at(-1) as Entry;
  if (base.blob === final.after && base.mode === final.afterMode) return 'equal';
  let result: Equality = 'equal';
  for (let done = 1; done < entries.length; done++) {
    const rest = netChanges(entries.slice(done));
    if (rest.length === 0) continue;
    const isThere = yield* holdsEach(netChanges(entries.slice(0, done)), base, true);
    if (isThere === 'different') continue;
    const hasRest = yield* holdsEach(rest, base, false);
    if (isThere === 'equal' && hasRest === 'different') return 'different';
    if (hasRest !== 'equal') result = 'unknown';
  }
  return result;
}

/** The net change of each run of commits that follow one another; a merge between them may have changed the file, too. */
function netChanges(entries: readonly Entry[]): Entry[] {
  const runs: Entry[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last?.after === entry.before && last.afterMode === entry.beforeMode)
      runs.splice(-1, 1, { ...entry, before: last.before, beforeMode: last.beforeMode });
    else runs.push(entry);
  }
  return runs.filter((run) => run.before !== run.after || run.beforeMode !== run.afterMode);
}

function* holdsEach(changes: readonly Entry[], base: Side, everyWay: boolean): Asking<Equality> {
  let result: Equality = 'equal';
  for (const entry of changes) {
    const one = yield* addsNothing([{ entry, base }], everyWay);
    if (one === 'different') return 'different';
    if (one === 'unknown') result = 'unknown';
  }
  return result;
}
