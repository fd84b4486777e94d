/**
 * Has the base only an earlier state of the branch? A later commit of the branch that corrects an earlier one drops out
 * of the net change where it goes back to what was; the base may have the earlier one without the correction.
 */
import { type Asking, texts } from './ask.ts';
import type { BranchChange } from './branch.ts';
import { type Change, type Entry, isFile, type PathNumber, type Side, toChange } from './change.ts';
import type { Equality } from './equal.ts';
import type { BaseHistory } from './history.ts';
import { countLines, showsState } from './likeness.ts';
import { placesOf } from './moved.ts';

/** Paths at which the base has an earlier state only; `unknown` when contents were missing to tell. */
export interface Stale {
  readonly paths: readonly PathNumber[];
  readonly unknown: boolean;
}

/** True when the base may lack what the branch made of its own work later. */
export function isStale({ paths, unknown }: Stale): boolean {
  return paths.length > 0 || unknown;
}

/** Compares with what the base's line holds at place `at`, also where it moved the files to. */
export function* stalePaths(history: BaseHistory, branch: BranchChange, at: number): Asking<Stale> {
  if (branch.work === null) return { paths: [], unknown: true };
  const paths: PathNumber[] = [];
  let unknown = false;
  const states = entriesByPath(branch.work);
  const touched = toChange([...states.values()].map((entries) => entries[0] as Entry));
  const moves = placesOf(history, touched, branch.since, at).at(-1);
  for (const [path, entries] of states) {
    const base = history.sideAt(moves?.of.get(path) ?? path, branch.since, at);
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

/** `different`: the base shows one of the path's earlier states, without what the branch made of it in the end. */
function* hasLatest(entries: readonly Entry[], base: Side): Asking<Equality> {
  const first = entries[0] as Entry;
  const final = entries.at(-1) as Entry;
  if (base.blob === final.after && base.mode === final.afterMode) return 'equal';
  const states = entries.slice(0, -1).filter((entry) => !isEnd(entry, first, final));
  if (states.some((state) => state.after === base.blob && state.afterMode === base.mode)) return 'different';
  if (states.length === 0 || !isFile(base.mode)) return 'equal';
  const files = states.filter((state) => isFile(state.afterMode));
  const read = yield* texts([first.before, final.after, base.blob, ...files.map((state) => state.after)]);
  const counts = read.map((text) => (text === null ? null : countLines(text)));
  const [before = null, after = null, now = null, ...earlier] = counts;
  const nothing = countLines('');
  const [from, to] = [first.beforeMode === 0 ? nothing : before, final.afterMode === 0 ? nothing : after];
  if (from === null || to === null || now === null || earlier.includes(null)) return 'unknown';
  return earlier.some((state) => state !== null && showsState(from, state, to, now)) ? 'different' : 'equal';
}

/** True when a state is that before the first commit, or that after the last one. */
function isEnd(state: Entry, first: Entry, final: Entry): boolean {
  return (
    (state.after === final.after && state.afterMode === final.afterMode) ||
    (state.after === first.before && state.afterMode === first.beforeMode)
  );
}
