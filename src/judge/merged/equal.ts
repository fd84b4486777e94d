/**
 * Is a branch's change the change of one commit on the base?
 *
 * Yes when both end with the same contents at the same paths, or when the change replayed onto the commit's parent
 * gives exactly the commit. Sizes and line sums only nominate.
 */
import { type Asking, numbers, texts } from './ask.ts';
import { type Change, type Entry, entryAt, isFile } from './change.ts';
import { sumDifference } from './lines.ts';
import { mergeGives } from './three-way.ts';

/** `unknown`: the answer needs contents that are not to be had. */
export type Equality = 'equal' | 'different' | 'unknown';

/** A path whose contents have to be replayed to know. */
interface Replay {
  readonly ours: Entry;
  readonly theirs: Entry;
}

/** So few candidates are replayed at once: to sum their lines first would cost more than it saves. */
const FEW = 2;

/** What is known before contents are read: the answer, or what to replay for it. */
export type Nomination = Equality | readonly Replay[];

/**
 * Compares `change` with the part of each step at the same paths; whether a step may have other paths is the caller's
 * business. All steps are asked about at once.
 */
export function* nominate(change: Change, steps: readonly Change[]): Asking<Nomination[]> {
  const nominations = steps.map((step) => compareIds(change, step));
  yield* strikeOut('sizes', nominations);
  const left = nominations.filter((nomination) => typeof nomination !== 'string').length;
  if (left > FEW) yield* strikeOut('sums', nominations);
  return nominations;
}

/** Settles a nomination by its contents. */
export function* settle(nomination: Nomination): Asking<Equality> {
  if (typeof nomination === 'string') return nomination;
  for (const { ours, theirs } of nomination) {
    const [base, parent, after, commit] = yield* texts([theirs.before, ours.before, theirs.after, ours.after]);
    if (base == null || parent == null || after == null || commit == null) return 'unknown';
    if (!mergeGives(base, parent, after, commit)) return 'different';
  }
  return 'equal';
}

/**
 * The same question for a veto, where likeness is enough: by line sums alone, wherever in the file the lines stand. Only
 * where they say nothing, as for lines that were moved, it is settled by contents.
 */
export function* isAlike(change: Change, step: Change): Asking<Equality> {
  const nominations = [compareIds(change, step)];
  yield* strikeOut('sizes', nominations);
  yield* strikeOut('sums', nominations);
  const [left = 'different'] = nominations;
  if (typeof left === 'string') return left;
  const sums = yield* numbers(
    'sums',
    left.flatMap(({ theirs }) => [theirs.before, theirs.after]),
  );
  const tells = sums.some((sum, at) => at % 2 === 0 && sum !== sums[at + 1]);
  return tells ? 'equal' : yield* settle(left);
}

function compareIds(change: Change, step: Change): Nomination {
  const replays: Replay[] = [];
  const gone: Replay[] = [];
  const come: Replay[] = [];
  for (const theirs of change) {
    const ours = entryAt(step, theirs.path);
    if (ours === null || !isSameMode(ours, theirs)) return 'different';
    if (ours.after === theirs.after && (theirs.afterMode !== 0 || ours.before === theirs.before)) continue;
    if (theirs.afterMode === 0) gone.push({ ours, theirs });
    else if (theirs.beforeMode === 0) come.push({ ours, theirs });
    else if (ours.before !== theirs.before) replays.push({ ours, theirs });
    else return 'different';
  }
  const moves = pairMoves(gone, come);
  if (moves === null) return 'different';
  replays.push(...moves);
  if (!replays.every(({ theirs }) => isFile(theirs.beforeMode) && isFile(theirs.afterMode))) return 'different';
  return replays.length === 0 ? 'equal' : replays;
}

/** The same step of modes; two edits that leave the mode alone may do so with different ones. */
function isSameMode(ours: Entry, theirs: Entry): boolean {
  if (ours.afterMode === theirs.afterMode && ours.beforeMode === theirs.beforeMode) return true;
  const isKept = ours.beforeMode === ours.afterMode && theirs.beforeMode === theirs.afterMode;
  return isKept && isFile(ours.afterMode) && isFile(theirs.afterMode);
}

/**
 * A file that both moved, with contents that the base had changed before: its way from the old path to the new one is
 * replayed as one. Null when what went and what came cannot be paired.
 */
function pairMoves(gone: readonly Replay[], come: readonly Replay[]): Replay[] | null {
  if (gone.length !== come.length) return null;
  const left = [...come];
  const moves: Replay[] = [];
  for (const from of gone) {
    const same = left.findIndex((to) => to.theirs.after === from.theirs.before);
    if (same < 0 && gone.length > 1) return null;
    const [to] = left.splice(Math.max(same, 0), 1);
    if (to === undefined) return null;
    moves.push({ ours: join(from.ours, to.ours), theirs: join(from.theirs, to.theirs) });
  }
  return moves;
}

function join(from: Entry, to: Entry): Entry {
  return { ...to, beforeMode: from.beforeMode, before: from.before };
}

/** A change and its replay add the same bytes and lines, and take away the same. Where that differs there is no replay. */
function* strikeOut(kind: 'sizes' | 'sums', nominations: Nomination[]): Asking<void> {
  const blobs: number[] = [];
  for (const nomination of nominations) {
    if (typeof nomination === 'string') continue;
    for (const { ours, theirs } of nomination) blobs.push(theirs.before, theirs.after, ours.before, ours.after);
  }
  if (blobs.length === 0) return;
  const found = yield* numbers(kind, blobs);
  let at = 0;
  for (const [index, nomination] of nominations.entries()) {
    if (typeof nomination === 'string') continue;
    for (let left = nomination.length; left > 0; left--, at += 4) {
      const verdict = compareDifferences(found, at);
      if (verdict !== 'equal' && nominations[index] !== 'different') nominations[index] = verdict;
    }
  }
}

function compareDifferences(found: readonly (number | null)[], at: number): Equality {
  const [before, after, stepBefore, stepAfter] = [found[at], found[at + 1], found[at + 2], found[at + 3]];
  if (before == null || after == null || stepBefore == null || stepAfter == null) return 'unknown';
  return sumDifference(before, after) === sumDifference(stepBefore, stepAfter) ? 'equal' : 'different';
}
