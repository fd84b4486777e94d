/**
 * Was a change that the base has taken back later, and not made again?
 *
 * Taken back: a later commit makes the inverse change, or the base's tip holds at every path what was there before.
 */
import { addsNothing, isBackBefore } from './absorbed.ts';
import type { Asking } from './ask.ts';
import { type Change, type Entry, entryAt, inverse, type Side } from './change.ts';
import { nominate, settle } from './equal.ts';
import type { BaseHistory, Step } from './history.ts';
import { isKept } from './match.ts';

/**
 * What was taken back by which step; `step` null: seen at the tip only. `standing`: the base has the change now, or made
 * it again later. `no`: nothing shows that it was taken back. `unknown`: contents were missing.
 */
export type TakenBack =
  | { readonly kind: 'no' }
  | { readonly kind: 'standing' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'yes'; readonly step: Step | null };

export interface Question {
  readonly history: BaseHistory;
  /** The branch's change, and the change that the base made of it: either being undone is enough. */
  readonly changes: readonly Change[];
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
  if (change === undefined || holdsAll(change, question)) return { kind: 'standing' };
  let result: TakenBack = { kind: 'no' };
  for (const one of question.changes) {
    if (one.length === 0) continue;
    const found = isBackBefore(one, question.sideOf) ? undone(null) : yield* undoneLater(question, one);
    if (found.kind === 'yes') {
      result = found;
      break;
    }
    if (found.kind === 'unknown' || result.kind === 'no') result = found;
  }
  if (result.kind === 'no' || result.kind === 'standing') return result;
  const now = yield* addsNothing(change.map((entry) => ({ entry, base: question.sideOf(entry) })));
  return now === 'equal' ? { kind: 'standing' } : result;
}

/** The same, where several commits took it back, each at some of its paths: all of them are needed. */
export function* takenBackByPath(question: Question): Asking<TakenBack> {
  const [change = []] = question.changes;
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

function holdsAll(change: Change, question: Question): boolean {
  return change.every((entry) => {
    const side = question.sideOf(entry);
    return side.blob === entry.after && side.mode === entry.afterMode;
  });
}

/** Looks at later steps from the newest on: the first that makes the change, or undoes it, decides. */
function* undoneLater(question: Question, change: Change): Asking<TakenBack> {
  const { history } = question;
  const isLater = (index: number) => index > question.after && (history.steps[index] as Step).at <= question.end;
  const changeOf = (index: number) => (history.steps[index] as Step).change;
  const back = inverse(change);
  const making = (yield* history.candidates(change)).filter(isLater);
  const among = (yield* history.candidatesAmong(back)).filter(isLater);
  const same = new Set(yield* history.candidates(back));
  const undoing = among.filter((index) => question.amongOthers || same.has(index) || leaves(changeOf(index), back));
  const made = yield* nominate(change, making.map(changeOf));
  const undid = yield* nominate(back, undoing.map(changeOf));
  let unknown = false;
  for (const index of [...new Set([...making, ...undoing])].sort((a, b) => b - a)) {
    const isMade = (yield* settle(made[making.indexOf(index)] ?? 'different')) === 'equal';
    // What a merge brought in and did not keep is not made again.
    if (isMade && (yield* isKept(history, index, change))) return { kind: 'standing' };
    const verdict = yield* settle(undid[undoing.indexOf(index)] ?? 'different');
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
