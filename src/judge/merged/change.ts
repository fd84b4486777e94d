/**
 * Changes between two trees, as `git diff-tree --raw` gives them. Paths and blobs are small numbers that the survey
 * hands out, so that comparing is cheap; 0 stands for no blob.
 */

/** A path, numbered. */
export type PathNumber = number;
/** A blob (or the commit of a submodule), numbered; 0 is none. */
export type BlobNumber = number;

/** One path of a change. A mode of 0 on a side: the path does not exist there. */
export interface Entry {
  readonly path: PathNumber;
  readonly beforeMode: number;
  readonly before: BlobNumber;
  readonly afterMode: number;
  readonly after: BlobNumber;
}

/** What lies at a path: mode 0 is nothing. */
export interface Side {
  readonly mode: number;
  readonly blob: BlobNumber;
}

/** All paths that differ, in ascending order of path number. Empty: the two trees are equal. */
export type Change = readonly Entry[];

const REGULAR = 0o100000;
const TYPE = 0o170000;

/** True for a regular file, executable or not. */
export function isFile(mode: number): boolean {
  return (mode & TYPE) === REGULAR;
}

/** The same change the other way round. */
export function inverse(change: Change): Change {
  return change.map(turnedBack);
}

/** The same for one path. */
export function turnedBack(entry: Entry): Entry {
  return {
    path: entry.path,
    beforeMode: entry.afterMode,
    before: entry.after,
    afterMode: entry.beforeMode,
    after: entry.before,
  };
}

/** A text that is equal for two changes that touch the same paths. */
export function pathKey(change: Change): string {
  let key = '';
  for (const entry of change) key += `${entry.path},`;
  return key;
}

/** Puts entries into the order that `Change` asks for. */
export function toChange(entries: Iterable<Entry>): Change {
  return [...entries].sort((a, b) => a.path - b.path);
}

/** The net change of changes that follow one another; a path that ends as it began is left out. */
export function compose(changes: readonly Change[]): Change {
  if (changes.length === 1) return changes[0] as Change;
  const net = new Map<PathNumber, Entry>();
  for (const change of changes) {
    for (const entry of change) {
      const first = net.get(entry.path);
      net.set(entry.path, first ? { ...entry, beforeMode: first.beforeMode, before: first.before } : entry);
    }
  }
  const kept: Entry[] = [];
  for (const entry of net.values()) {
    if (entry.before !== entry.after || entry.beforeMode !== entry.afterMode) kept.push(entry);
  }
  return toChange(kept);
}

/** The entry for `path`, or null. */
export function entryAt(change: Change, path: PathNumber): Entry | null {
  let low = 0;
  let high = change.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = change[middle] as Entry;
    if (entry.path === path) return entry;
    if (entry.path < path) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
