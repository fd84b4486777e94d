/**
 * Landed: at one first-parent commit of the base after the fork, every path that the branch changed holds exactly its
 * final contents and mode, and every path that it deleted is absent. Ids alone decide.
 */
import type { Change, Entry } from './change.ts';
import type { BaseHistory } from './history.ts';

/** Places `[from, until)` on the first-parent line. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** The first place after `fork` and up to `end` where all of `change` is there at once; null when there is none. */
export function landedAt(history: BaseHistory, change: Change, fork: number, end: number): number | null {
  let common: readonly Span[] | null = null;
  for (const entry of change) {
    const spans = spansOf(history, entry, fork, end);
    common = common === null ? spans : intersect(common, spans);
    if (common.length === 0) return null;
  }
  return common?.[0]?.from ?? null;
}

/** What the base did at each path of `change` to bring it to the state it has at place `at`. */
export function landingChange(history: BaseHistory, change: Change, at: number): Change {
  const landing: Entry[] = [];
  for (const entry of change) {
    const last = history.moments(entry.path).findLast((moment) => moment.at <= at);
    if (last) landing.push(last.entry);
  }
  return landing;
}

function spansOf(history: BaseHistory, entry: Entry, fork: number, end: number): Span[] {
  const spans: Span[] = [];
  let from = -1;
  for (const moment of history.moments(entry.path)) {
    if (moment.at <= fork || moment.at > end) continue;
    const there = moment.entry.after === entry.after && moment.entry.afterMode === entry.afterMode;
    if (there && from < 0) from = moment.at;
    if (!there && from >= 0) {
      spans.push({ from, until: moment.at });
      from = -1;
    }
  }
  if (from >= 0) spans.push({ from, until: end + 1 });
  return spans;
}

function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  const both: Span[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const one = a[i] as Span;
    const two = b[j] as Span;
    const from = Math.max(one.from, two.from);
    const until = Math.min(one.until, two.until);
    if (from < until) both.push({ from, until });
    if (one.until < two.until) i++;
    else j++;
  }
  return both;
}
