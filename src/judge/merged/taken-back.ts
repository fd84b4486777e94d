/**
 * Was a change that the base has taken back later, and not made again?
 *
 * Taken back: a later commit makes the inverse change, or the base's tip holds at every path what was there before.
 */
import { addsNothing, beside, isBackBefore } from './absorbed.ts';
import type { Asking } from './ask.ts';
import { type Change, type Entry, entryAt, inverse, type Side } from './change.ts';
import { isAlike, nominate, settle } from './equal.ts';
import type { BaseHistory, Step } from './history.ts';
import { isKept } from './match.ts';
import { movedTo, type Places } from './moved.ts';

/**
 * What was taken back by which step; `step` null: seen at the tip only. `standing`: the base has the change now, or made
 * it again later, by the step of that index. `no`: nothing shows that it was taken back. `unknown`: contents were missing.
 */
export type TakenBack =
  | { readonly kind: 'no' }
  | { readonly kind: 'standing'; readonly again: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'yes'; readonly step: Step | null };

export interface Question {
  readonly history: BaseHistory;
  /** The branch's change, and the change that the base made of it: either being undone is enough. */
  readonly changes: readonly Change[];
  /** Where the base moved the files of these changes to since, one place after the other. */
  readonly places: readonly Places[];
  /**
   * True: a commit that does other things besides may undo it too, by what it leaves of the lines. So small a change
   * as one commit of several is undone by chance that way; then only the very same contents count.
   */
  readonly amongOthers: boolean;
  /** Steps with a greater index than this came later. */
  readonly after: number;
  /** The place of the base's tip. */
  readonly end: number;
  /** What the base's tip holds at a path. */
  sideOf(entry: Entry): Side;
}

export function* takenBack(question: Question): Asking<TakenBack> {
  const [change] = question.changes;
  if (change === undefined) return { kind: 'standing', again: null };
  const final = atTip(question, change);
  if (holdsAll(final, question)) return { kind: 'standing', again: null };
  // What the base has now was not taken back, or came again.
  if (question.amongOthers && (yield* isThere(final, question))) return { kind: 'standing', again: null };
  let result: TakenBack = { kind: 'no' };
  for (const one of question.changes) {
    if (one.length === 0) continue;
    const isBack = isBackBefore(atTip(question, one), question.sideOf);
    const found = isBack ? undone(null) : yield* undoneAnywhere(question, one);
    if (found.kind === 'yes') {
      result = found;
      break;
    }
    if (found.kind === 'unknown' || result.kind === 'no') result = found;
  }
  if (!question.amongOthers) {
    // So small a change is looked for first, since most were never undone.
    const isGone = result.kind === 'yes' || result.kind === 'unknown';
    return isGone && (yield* isThere(final, question)) ? { kind: 'standing', again: null } : result;
  }
  if (result.kind !== 'no' || final.length === 0) return result;
  if (isMovedBack(final, question)) return undone(null);
  // No commit took just this back, but the tip is as if one had: it was undone along with other edits of the files.
  return (yield* addsNothing(beside(inverse(final), question.sideOf))) === 'equal' ? undone(null) : result;
}

function* isThere(change: Change, { sideOf }: Question): Asking<boolean> {
  return (yield* addsNothing(beside(change, sideOf))) === 'equal';
}

/** The same, where several commits took it back, each at some of its paths: all of them are needed. */
export function* takenBackByPath(question: Question): Asking<TakenBack> {
  const [change = []] = question.changes;
  if (atTip(question, change).some((entry) => holdsAll([entry], question))) return { kind: 'no' };
  let found: TakenBack = { kind: 'no' };
  for (const entry of change) {
    found = yield* takenBack({ ...question, changes: [[entry]] });
    if (found.kind !== 'yes') return { kind: 'no' };
  }
  return found;
}

function undone(step: Step | null): TakenBack {
  return { kind: 'yes', step };
}

/** The change at the places where the base's tip has its files. */
function atTip({ places }: Question, change: Change): Change {
  const last = places.at(-1);
  return last ? movedTo(change, last) : change;
}

function holdsAll(change: Change, question: Question): boolean {
  return change.every((entry) => {
    const side = question.sideOf(entry);
    return side.blob === entry.after && side.mode === entry.afterMode;
  });
}

/** What the change moved is where it was before it, edited or not. */
function isMovedBack(change: Change, { sideOf }: Question): boolean {
  const came = change.filter((entry) => entry.beforeMode === 0);
  const went = change.filter((entry) => entry.afterMode === 0);
  const exists = (entry: Entry) => sideOf(entry).mode !== 0;
  return came.length > 0 && went.length > 0 && went.every(exists) && !came.some(exists);
}

/** At the change's own places, and wherever the base had its files later. */
function* undoneAnywhere(question: Question, change: Change): Asking<TakenBack> {
  let result = yield* undoneLater(question, change);
  for (const places of question.places) {
    if (result.kind === 'yes') break;
    const found = yield* undoneLater(question, movedTo(change, places));
    if (found.kind !== 'no') result = found;
  }
  return result;
}

/** Looks at later steps from the newest on: the first that makes the change, or undoes it, decides. */
function* undoneLater(question: Question, change: Change): Asking<TakenBack> {
  const { history } = question;
  const isLater = (index: number) => index > question.after && (history.steps[index] as Step).at <= question.end;
  const changeOf = (index: number) => (history.steps[index] as Step).change;
  const back = inverse(change);
  const making = (yield* history.candidates(change)).filter(isLater);
  // A file that goes because the base moved it elsewhere is not taken back.
  const isMove = (index: number) => {
    const { at } = history.steps[index] as Step;
    const gone = back.filter((entry) => entry.afterMode === 0);
    return gone.some(({ path }) => history.movesOf(path, at - 1, at).some(({ to }) => entryAt(back, to) === null));
  };
  const among = (yield* history.candidatesAmong(back)).filter((index) => isLater(index) && !isMove(index));
  const same = new Set(yield* history.candidates(back));
  const undoing = new Set(
    among.filter((index) => question.amongOthers || same.has(index) || leaves(changeOf(index), back)),
  );
  const made = yield* nominate(change, making.map(changeOf));
  let unknown = false;
  for (const index of [...new Set([...making, ...undoing])].sort((a, b) => b - a)) {
    const isMade = (yield* settle(made[making.indexOf(index)] ?? 'different')) === 'equal';
    // What a merge brought in and did not keep is not made again.
    if (isMade && (yield* isKept(history, index, change))) return { kind: 'standing', again: index };
    const verdict = undoing.has(index) ? yield* isAlike(back, changeOf(index)) : 'different';
    if (verdict === 'equal') return undone(history.steps[index] as Step);
    unknown ||= verdict === 'unknown';
  }
  return unknown ? { kind: 'unknown' } : { kind: 'no' };
}

/** True when the step leaves just what the change leaves at its paths. */
function leaves(step: Change, change: Change): boolean {
  return change.every((entry) => {
    const other = entryAt(step, entry.path);
    return other?.after === entry.after && other.afterMode === entry.afterMode;
  });
}
