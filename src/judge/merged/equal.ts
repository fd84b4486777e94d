/**
 * Is a branch's change the change of one commit on the base?
 *
 * Yes when both end with the same contents at the same paths, or when the change replayed onto the commit's parent
 * gives exactly the commit. Sizes and line sums only nominate.
 */
import { type Asking, numbers, texts } from './ask.ts';
import { type Change, type Entry, entryAt, isFile } from './change.ts';
import { sumDifference } from './lines.ts';
import { mergeTexts } from './three-way.ts';

/** `unknown`: the answer needs contents that are not to be had. */
export type Equality = 'equal' | 'different' | 'unknown';

/**
 * Compares `change` with the part of `step` at the same paths; whether `step` may have other paths is the caller's
 * business.
 */
export function* equalChange(change: Change, step: Change): Asking<Equality> {
  const replays: { ours: Entry; theirs: Entry }[] = [];
  for (const theirs of change) {
    const ours = entryAt(step, theirs.path);
    if (!ours) return 'different';
    const verdict = compareIds(theirs, ours);
    if (verdict === 'different') return 'different';
    if (verdict === 'replay') replays.push({ ours, theirs });
  }
  if (replays.length === 0) return 'equal';
  for (const kind of ['sizes', 'sums'] as const) {
    const nominated = yield* sameDifference(kind, replays);
    if (nominated !== 'equal') return nominated;
  }
  for (const { ours, theirs } of replays) {
    const [base, parent, after, commit] = yield* texts([theirs.before, ours.before, theirs.after, ours.after]);
    if (base == null || parent == null || after == null || commit == null) return 'unknown';
    if (mergeTexts(base, parent, after) !== commit) return 'different';
  }
  return 'equal';
}

function compareIds(change: Entry, step: Entry): 'equal' | 'different' | 'replay' {
  if (change.afterMode !== step.afterMode) return 'different';
  if (change.afterMode === 0) return change.before === step.before && change.beforeMode === step.beforeMode ? 'equal' : 'different';
  if (change.beforeMode !== step.beforeMode) return 'different';
  if (change.after === step.after) return 'equal';
  const replayable = change.before !== step.before && change.beforeMode !== 0 && isFile(change.beforeMode) && isFile(change.afterMode);
  return replayable ? 'replay' : 'different';
}

/** A change and its replay add the same bytes and lines, and take away the same. What differs there is no replay. */
function* sameDifference(kind: 'sizes' | 'sums', replays: readonly { ours: Entry; theirs: Entry }[]): Asking<Equality> {
  const blobs = replays.flatMap(({ ours, theirs }) => [theirs.before, theirs.after, ours.before, ours.after]);
  const found = yield* numbers(kind, blobs);
  for (let at = 0; at < found.length; at += 4) {
    const [before, after, stepBefore, stepAfter] = found.slice(at, at + 4) as (number | null)[];
    if (before == null || after == null || stepBefore == null || stepAfter == null) return 'unknown';
    if (sumDifference(before, after) !== sumDifference(stepBefore, stepAfter)) return 'different';
  }
  return 'equal';
}
