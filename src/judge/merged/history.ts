/** The base's history as the ladder needs it: its commits after the oldest fork, and what they did to the paths in view. */
import type { Oid } from '../facts/names.ts';
import { type Change, type Entry, entryAt, type PathNumber, pathKey, type Side } from './change.ts';

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

interface Moment {
  readonly at: number;
  readonly entry: Entry;
}

/** The steps in order, with look-ups by path and by set of paths. */
export class BaseHistory {
  readonly steps: readonly Step[];
  /** Oldest first. */
  readonly moves: readonly Move[];
  private readonly byKey = new Map<string, number[]>();
  private readonly byPath = new Map<PathNumber, Moment[]>();
  private readonly onPath = new Map<PathNumber, number[]>();

  /** @param steps ascending by `at`; what a merge brought in stands before the merge. */
  constructor(steps: readonly Step[], moves: readonly Move[] = []) {
    this.steps = steps;
    this.moves = moves;
    for (const [index, step] of steps.entries()) {
      if (step.others === 0 && step.change.length > 0) push(this.byKey, pathKey(step.change), index);
      for (const entry of step.change) {
        push(this.onPath, entry.path, index);
        if (step.firstParent) push(this.byPath, entry.path, { at: step.at, entry });
      }
    }
  }

  /** Indexes of the steps that touch exactly the paths of `change`, oldest first. */
  withPaths(change: Change): readonly number[] {
    return this.byKey.get(pathKey(change)) ?? [];
  }

  /** Indexes of the steps that touch every path of `change`, and perhaps others, oldest first. */
  touchingAll(change: Change): readonly number[] {
    let rarest: readonly number[] | null = null;
    for (const entry of change) {
      const steps = this.onPath.get(entry.path) ?? [];
      if (rarest === null || steps.length < rarest.length) rarest = steps;
    }
    if (rarest === null || change.length === 1) return rarest ?? [];
    return rarest.filter((index) => {
      const step = this.steps[index] as Step;
      return change.every((entry) => entryAt(step.change, entry.path) !== null);
    });
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

  /** Indexes of the steps that touch some path of `change`, oldest first. */
  touchingAny(change: Change): readonly number[] {
    const found = new Set(change.flatMap((entry) => this.onPath.get(entry.path) ?? []));
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

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
