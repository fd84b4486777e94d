/** The base's history as the ladder needs it: its commits after the oldest fork, and what they did to the paths in view. */
import type { Oid } from '../facts/names.ts';
import { type Asking, numbers } from './ask.ts';
import { type BlobNumber, type Change, type Entry, entryAt, type PathNumber, pathKey, type Side } from './change.ts';

/** One commit of the base, with its change against its first parent. */
export interface Step {
  readonly commit: Oid;
  /**
   * Its place on the base's first-parent line, oldest 0. For a commit that a merge brought in: the place of that merge.
   */
  readonly at: number;
  /** False for a commit that came in through a merge. */
  readonly firstParent: boolean;
  /** Only the paths that some branch touches. */
  readonly change: Change;
  /** How many other paths it touches. */
  readonly others: number;
}

/** A file that the base moved, contents unchanged. */
export interface Move {
  readonly from: PathNumber;
  readonly to: PathNumber;
  /** The place of the first-parent commit that moved it. */
  readonly at: number;
}

/** A file that went in the same commit in which others came: one of them may be the same file, edited. */
export interface Departure {
  readonly from: PathNumber;
  /** The place of the first-parent commit. */
  readonly at: number;
  /** Contents of the files that came. */
  readonly come: readonly BlobNumber[];
}

/** Steps that touch the same path or paths, and look-ups by what they do to one path, made when they are needed. */
interface Bucket {
  readonly steps: number[];
  readonly indexes: Map<PathNumber, PlaceIndex>;
}

interface PlaceIndex {
  readonly byAfter: Map<BlobNumber, number[]>;
  /** By the bytes that the path grows by. */
  readonly byGrowth: Map<number, number[]>;
  /** Steps whose sizes are not to be had. */
  readonly unknown: number[];
}

/** So few steps are looked at one by one. */
const FEW = 8;

interface Moment {
  readonly at: number;
  readonly entry: Entry;
}

/** The steps in order, with look-ups by path and by set of paths. */
export class BaseHistory {
  readonly steps: readonly Step[];
  /** Oldest first. */
  readonly moves: readonly Move[];
  private readonly departures: readonly Departure[];
  private readonly byKey = new Map<string, Bucket>();
  private readonly byPath = new Map<PathNumber, Moment[]>();
  private readonly onPath = new Map<PathNumber, Bucket>();

  /** @param steps ascending by `at`; what a merge brought in stands before the merge. */
  constructor(steps: readonly Step[], moves: readonly Move[] = [], departures: readonly Departure[] = []) {
    this.steps = steps;
    this.moves = moves;
    this.departures = departures;
    for (const [index, step] of steps.entries()) {
      if (step.others === 0 && step.change.length > 0) bucketIn(this.byKey, pathKey(step.change)).steps.push(index);
      for (const entry of step.change) {
        bucketIn(this.onPath, entry.path).steps.push(index);
        if (step.firstParent) push(this.byPath, entry.path, { at: step.at, entry });
      }
    }
  }

  /**
   * Indexes of the steps that may equal `change`, oldest first: they touch exactly its paths, and one of these paths
   * ends the same or grows by as many bytes. Where few touch these paths, it is all of them.
   */
  *candidates(change: Change): Asking<readonly number[]> {
    const bucket = this.byKey.get(pathKey(change));
    return bucket ? yield* this.narrow(bucket, change) : [];
  }

  /** The same for steps that may touch other paths besides. */
  *candidatesAmong(change: Change): Asking<readonly number[]> {
    const entry = change.find(isEdit) ?? change[0];
    const bucket = entry && this.onPath.get(entry.path);
    if (!bucket) return [];
    const found = yield* this.narrow(bucket, change);
    return found.filter((index) =>
      change.every(({ path }) => entryAt((this.steps[index] as Step).change, path) !== null),
    );
  }

  private *narrow(bucket: Bucket, change: Change): Asking<readonly number[]> {
    const entry = change.find(isEdit);
    if (bucket.steps.length <= FEW || !entry) return bucket.steps;
    const index = bucket.indexes.get(entry.path) ?? (yield* this.indexAt(bucket.steps, entry.path));
    bucket.indexes.set(entry.path, index);
    const [before, after] = yield* numbers('sizes', [entry.before, entry.after]);
    if (before == null || after == null) return bucket.steps;
    const found = [
      ...(index.byAfter.get(entry.after) ?? []),
      ...(index.byGrowth.get(after - before) ?? []),
      ...index.unknown,
    ];
    return [...new Set(found)].sort((a, b) => a - b);
  }

  private *indexAt(steps: readonly number[], path: PathNumber): Asking<PlaceIndex> {
    const entries = steps.map((index) => entryAt((this.steps[index] as Step).change, path) as Entry);
    const sizes = yield* numbers(
      'sizes',
      entries.flatMap((entry) => [entry.before, entry.after]),
    );
    const index: PlaceIndex = { byAfter: new Map(), byGrowth: new Map(), unknown: [] };
    for (const [at, step] of steps.entries()) {
      push(index.byAfter, (entries[at] as Entry).after, step);
      const [before, after] = [sizes[at * 2], sizes[at * 2 + 1]];
      if (before == null || after == null) index.unknown.push(step);
      else push(index.byGrowth, after - before, step);
    }
    return index;
  }

  /** Indexes of the steps that touch every path of `change`, and perhaps others, oldest first. */
  touchingAll(change: Change): readonly number[] {
    let rarest: readonly number[] | null = null;
    for (const entry of change) {
      const steps = this.onPath.get(entry.path)?.steps ?? [];
      if (rarest === null || steps.length < rarest.length) rarest = steps;
    }
    if (rarest === null || change.length === 1) return rarest ?? [];
    return rarest.filter((index) => {
      const step = this.steps[index] as Step;
      return change.every((entry) => entryAt(step.change, entry.path) !== null);
    });
  }

  /** Where the base moved the file at `path` to, after place `after` and up to `end`. */
  movesOf(path: PathNumber, after: number, end: number): readonly Move[] {
    return this.moves.filter((move) => move.from === path && move.at > after && move.at <= end);
  }

  /** Contents that the file at `path` may have gone on as, where it went after place `after` and up to `end`. */
  mayHaveBecome(path: PathNumber, after: number, end: number): readonly BlobNumber[] {
    return this.departures
      .filter((gone) => gone.from === path && gone.at > after && gone.at <= end)
      .flatMap((gone) => gone.come);
  }

  /** The index of the first step that came after place `at`. */
  indexAfter(at: number): number {
    let low = 0;
    let high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.steps[middle] as Step).at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Indexes of the steps that touch some path of `change`, came after place `after` and up to `end`, oldest first. */
  touchingAny(change: Change, after: number, end: number): readonly number[] {
    const [from, until] = [this.indexAfter(after), this.indexAfter(end)];
    const found = new Set<number>();
    for (const entry of change) {
      const steps = this.onPath.get(entry.path)?.steps ?? [];
      for (let at = firstAtLeast(steps, from); at < steps.length && (steps[at] as number) < until; at++)
        found.add(steps[at] as number);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** First-parent moments at which `path` changed, oldest first. */
  moments(path: PathNumber): readonly Moment[] {
    return this.byPath.get(path) ?? [];
  }

  /**
   * What lies at `path` on the base's first-parent line at place `at`; null when no step in view after `from` touched
   * it, so that it is what it was at `from`.
   */
  sideAt(path: PathNumber, from: number, at: number): Side | null {
    const moments = this.moments(path);
    let low = 0;
    let high = moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((moments[middle] as Moment).at <= at) low = middle + 1;
      else high = middle;
    }
    const last = moments[low - 1];
    return last && last.at > from ? { mode: last.entry.afterMode, blob: last.entry.after } : null;
  }
}

/** The first place in an ascending list whose value is not below `least`. */
function firstAtLeast(list: readonly number[], least: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isEdit(entry: Entry): boolean {
  return entry.beforeMode !== 0 && entry.afterMode !== 0;
}

function bucketIn<Key>(buckets: Map<Key, Bucket>, key: Key): Bucket {
  const bucket = buckets.get(key) ?? { steps: [], indexes: new Map<PathNumber, PlaceIndex>() };
  buckets.set(key, bucket);
  return bucket;
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
