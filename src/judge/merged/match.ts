/** Finding the commits on the base whose change equals a change of the branch. */
import { addsNothing } from './absorbed.ts';
import type { Asking } from './ask.ts';
import { type Change, type Entry, entryAt, turnedBack } from './change.ts';
import { nominate, settle } from './equal.ts';
import type { BaseHistory, Step } from './history.ts';

/** The part of the base's history that a branch may have been merged in. */
export interface Range {
  readonly history: BaseHistory;
  /** Only what came after this place counts. */
  readonly fork: number;
  /** The place of the base's tip. */
  readonly end: number;
  /** False when commits that merges brought in must not be looked at. */
  readonly sides: boolean;
}

/** A step's index, or that there is none; `unknown` when contents were missing on the way. */
export interface Match {
  readonly index: number | null;
  readonly unknown: boolean;
}

/** The first commit in `range`, after step `after`, whose whole change equals `change`. */
export function* findEqual(range: Range, change: Change, after: number): Asking<Match> {
  const all = yield* range.history.candidates(change);
  const candidates = all.filter((index) => index > after && inRange(range, stepAt(range, index)));
  const nominations = yield* nominate(
    change,
    candidates.map((index) => stepAt(range, index).change),
  );
  let unknown = false;
  for (const [at, index] of candidates.entries()) {
    const verdict = yield* settle(nominations[at] ?? 'different');
    if (verdict === 'equal' && (yield* isKept(range.history, index, change))) return { index, unknown: false };
    unknown ||= verdict === 'unknown';
  }
  return { index: null, unknown };
}

/**
 * The first first-parent commit in `range` that makes the rest of `change`, where the other paths already hold their
 * final contents: what is left of a squash merge when a part came to the base before.
 */
export function* findRest(range: Range, change: Change): Asking<Match> {
  const never = change.filter((entry) => !isEverThere(range, entry));
  if (never.length === change.length) return { index: null, unknown: false };
  const candidates =
    never.length > 0 ? range.history.touchingAll(never) : range.history.touchingAny(change, range.fork, range.end);
  let unknown = false;
  for (const index of candidates) {
    const step = stepAt(range, index);
    if (!step.firstParent || step.others > 0 || step.change.length >= change.length || !inRange(range, step)) continue;
    const rest = change.filter((part) => entryAt(step.change, part.path) === null);
    if (rest.length + step.change.length !== change.length || !isThere(range, rest, step.at)) continue;
    const part = change.filter((one) => entryAt(step.change, one.path) !== null);
    const [nomination = 'different'] = yield* nominate(part, [step.change]);
    const verdict = yield* settle(nomination);
    if (verdict === 'equal') return { index, unknown: false };
    unknown ||= verdict === 'unknown';
  }
  return { index: null, unknown };
}

/** True when the base's line held this path's final contents at some time in range. */
function isEverThere(range: Range, entry: Entry): boolean {
  return range.history
    .moments(entry.path)
    .some(
      ({ at, entry: moment }) =>
        at > range.fork && at <= range.end && moment.after === entry.after && moment.afterMode === entry.afterMode,
    );
}

function inRange(range: Range, step: Step): boolean {
  return step.at > range.fork && step.at <= range.end && (step.firstParent || range.sides);
}

function isThere(range: Range, change: Change, at: number): boolean {
  return change.every((entry) => {
    const side = range.history.sideAt(entry.path, range.fork, at);
    return side !== null && side.blob === entry.after && side.mode === entry.afterMode;
  });
}

/**
 * A commit that came in through a merge counts only if the merge kept what it did and the `change` it stands for, as
 * they were or as they went on from there.
 */
export function* isKept(history: BaseHistory, index: number, change: Change): Asking<boolean> {
  const step = history.steps[index] as Step;
  if (step.firstParent) return true;
  return (yield* isIn(history, index, step.change)) && (yield* isIn(history, index, change));
}

function* isIn(history: BaseHistory, index: number, change: Change): Asking<boolean> {
  const step = history.steps[index] as Step;
  const places = [];
  const goneOn = [];
  for (const entry of change) {
    const base = history.sideAt(entry.path, -1, step.at);
    const own = entryAt(step.change, entry.path);
    if (base === null || own === null) return false;
    const place = { entry, base };
    if (goesOnTo(history, index, own) === base.blob) goneOn.push(place);
    else places.push(place);
  }
  if ((yield* addsNothing(places)) !== 'equal') return false;
  for (const { entry, base } of goneOn) {
    if ((yield* addsNothing([{ entry, base }])) === 'equal') continue;
    // Gone on to something else, but not back to what was before.
    if ((yield* addsNothing([{ entry: turnedBack(entry), base }])) !== 'different') return false;
  }
  return true;
}

/** What became of a path's contents until the merge, as far as each step took up what the one before it left. */
function goesOnTo(history: BaseHistory, index: number, entry: Entry): number {
  const { at } = history.steps[index] as Step;
  let blob = entry.after;
  for (let next = index + 1; history.steps[next]?.at === at && history.steps[next]?.firstParent === false; next++) {
    const later = entryAt((history.steps[next] as Step).change, entry.path);
    if (later?.before === blob) blob = later.after;
  }
  return blob;
}

function stepAt(range: Range, index: number): Step {
  return range.history.steps[index] as Step;
}
