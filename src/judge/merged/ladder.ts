/**
 * The merge ladder: is everything that a branch changed on the base? The first step that holds is the proof; a veto
 * takes it away again. Every step rests on contents; names, messages and dates play no part.
 */
import type { Oid } from '../facts/names.ts';
import { addsNothing } from './absorbed.ts';
import type { Asking } from './ask.ts';
import type { BranchChange, Relation } from './branch.ts';
import { type Change, type Entry, entryAt, type PathNumber, type Side } from './change.ts';
import type { Equality } from './equal.ts';
import type { BaseHistory, Step } from './history.ts';
import { landedAt, landingChange } from './landed.ts';
import { findEqual, findRest, type Range } from './match.ts';
import { movedAlong } from './moved.ts';
import type { MergeVerdict, Proof } from './proof.ts';
import { eachByItself, hasRunWithoutNetChange, inRuns, type Runs } from './series.ts';
import { isStale, stalePaths } from './stale.ts';
import { type TakenBack, takenBack, takenBackByPath } from './taken-back.ts';

/** A state of the base to judge by. */
export interface BaseState {
  readonly history: BaseHistory;
  /** The place of its tip on the first-parent line. */
  readonly end: number;
  /** The first-parent commits by place. */
  readonly line: readonly Oid[];
  /** Base commits that others say they reverted, and by which. */
  readonly reverted: ReadonlyMap<Oid, Oid>;
}

/** Judges one branch that is not itself on the base. */
export function* climb(base: BaseState, branch: BranchChange): Asking<MergeVerdict> {
  const { relation, whole } = branch;
  if (relation.kind === 'cut') return refused('shallow');
  if (relation.kind === 'unrelated' || relation.kind === 'ancestor') return unproven([], false);
  if (whole.length === 0) return refused('net-zero');
  const sideOf = (entry: Entry) => sideAtTip(base, branch, entry);
  if (relation.kind === 'entangled') return yield* byResultAlone(base, whole, sideOf);
  return yield* bySteps(base, branch, relation, sideOf);
}

/** A later commit that says it reverts one of `commits` takes the proof away, unless the base has the work now. */
function* unlessSaid(
  base: BaseState,
  branch: BranchChange,
  proof: Proof,
  commits: Iterable<Oid>,
): Asking<MergeVerdict> {
  let by: Oid | undefined;
  for (const commit of commits) by ??= base.reverted.get(commit);
  if (by === undefined) return proven(proof);
  const now = yield* addsNothing(branch.whole.map((entry) => ({ entry, base: sideAtTip(base, branch, entry) })));
  return now === 'equal' ? proven(proof) : { ...proven(proof), veto: { code: 'reverted-later', by, grade: 'hint' } };
}

/**
 * Looks whether what merged a branch was taken back later, as a whole or in one of the commits that brought it.
 *
 * @param at the place where all of it was on the base.
 * @param made what the base did there to have it.
 */
export function* stillMerged(
  base: BaseState,
  proof: Proof,
  branch: BranchChange,
  at: number,
  made: Change = landingChange(base.history, branch.whole, at),
): Asking<MergeVerdict> {
  const { history, end } = base;
  const stale = yield* stalePaths(history, branch, at);
  if (isStale(stale)) return unproven(stale.paths, stale.unknown);
  const sideOf = (entry: Entry) => sideAtTip(base, branch, entry);
  const common = { history, after: history.indexAfter(at) - 1, end, sideOf };
  let found = yield* takenBack({ ...common, amongOthers: true, changes: [branch.whole, made] });
  if (found.kind === 'no') found = yield* takenBackByPath({ ...common, amongOthers: true, changes: [branch.whole] });
  for (const part of partsOf(base, branch, at)) {
    if (found.kind === 'yes') break;
    const one = yield* takenBack({ ...common, amongOthers: false, changes: [part.change] });
    if (one.kind !== 'no' && one.kind !== 'standing' && (yield* isWithin(part, branch.whole)) !== 'different')
      found = one;
  }
  if (found.kind !== 'no') return verdictOf(proof, found);
  return yield* unlessSaid(base, branch, proof, [...proof.commits, ...(branch.brought ?? [])]);
}

/** The single commits that may have brought the branch's work to the base by place `at`. */
function partsOf(base: BaseState, branch: BranchChange, at: number): Step[] {
  const { since, whole, brought } = branch;
  const parts: Step[] = [];
  for (const index of base.history.touchingAny(whole, since, at)) {
    const step = base.history.steps[index] as Step;
    if (step.others > 0 || !step.change.every((entry) => entryAt(whole, entry.path) !== null)) continue;
    if (brought === null ? step.firstParent : brought.has(step.commit)) parts.push(step);
  }
  return parts;
}

/** Whether the branch has what the step did: another's commit in the same files is none of its own. */
function isWithin(step: Step, whole: Change): Asking<Equality> {
  return addsNothing(
    step.change.map((entry) => {
      const own = entryAt(whole, entry.path);
      return { entry, base: { mode: own?.afterMode ?? 0, blob: own?.after ?? 0 } };
    }),
  );
}

function* bySteps(
  base: BaseState,
  branch: BranchChange,
  relation: Extract<Relation, { kind: 'forked' }>,
  sideOf: (entry: Entry) => Side,
): Asking<MergeVerdict> {
  const { history, end, line } = base;
  const { whole } = branch;
  // A file that the base moved is absent at its old place, and yet not deleted; unless the branch moved it there, too.
  const isMoved = whole.some(
    (entry) =>
      entry.afterMode === 0 &&
      history.movesOf(entry.path, relation.at, end).some((move) => entryAt(whole, move.to) === null),
  );
  const landed = isMoved ? null : landedAt(history, whole, relation.at, end);
  if (landed !== null) {
    return yield* stillMerged(base, { code: 'landed', commits: [line[landed] as Oid] }, branch, landed);
  }
  const found = yield* byEquality(base, branch, relation);
  if (found.proof !== null || found.veto !== null) return found;
  for (const along of movedAlong(history, branch, end)) {
    if (along.relation.kind !== 'forked') continue;
    const moved = yield* byEquality(base, along, along.relation);
    if (moved.proof !== null) return moved;
  }
  const now = yield* addsNothing(whole.map((entry) => ({ entry, base: sideOf(entry) })));
  if (now === 'equal' && !isMoved) {
    const stale = yield* stalePaths(history, branch, end);
    if (isStale(stale)) return unproven(stale.paths, found.blind || stale.unknown);
    return proven({ code: 'absorbed', commits: [line[end] as Oid] });
  }
  return unproven(missingPaths(whole, sideOf), found.blind || now === 'unknown');
}

/** Squash, rebase and series merges: commits on the base that equal the branch's change, or its parts. */
function* byEquality(
  base: BaseState,
  branch: BranchChange,
  relation: Extract<Relation, { kind: 'forked' }>,
): Asking<MergeVerdict> {
  const { history, end } = base;
  const { whole, pieces } = branch;
  const range: Range = { history, fork: relation.at, end, sides: relation.exact };
  const equal = yield* findEqual(range, whole, -1);
  const squash = equal.index === null ? yield* findRest(range, whole) : equal;
  if (squash.index !== null) {
    const step = history.steps[squash.index] as Step;
    return yield* stillMerged(base, { code: 'squash-merged', commits: [step.commit] }, branch, step.at, step.change);
  }
  const blind = equal.unknown || squash.unknown;
  if (pieces === null || pieces.length < 2) return unproven([], blind);
  const each = yield* eachByItself(range, pieces);
  const split: Runs = each.runs === null ? yield* inRuns(range, pieces) : each;
  if (split.runs === null) return unproven([], blind || each.unknown || split.unknown);
  return yield* byRuns(base, branch, split.runs, each.runs !== null);
}

function* byRuns(
  base: BaseState,
  branch: BranchChange,
  runs: NonNullable<Runs['runs']>,
  single: boolean,
): Asking<MergeVerdict> {
  const { history, end } = base;
  if (!single && runs.some((run) => hasRunWithoutNetChange(run.pieces))) return refused('net-zero');
  const steps = runs.map((run) => history.steps[run.index] as Step);
  const proof: Proof = { code: single ? 'rebase-merged' : 'series-merged', commits: steps.map((step) => step.commit) };
  const sideOf = (entry: Entry) => sideAtTip(base, branch, entry);
  const open: Oid[] = [];
  let unknown = false;
  for (const [at, run] of runs.entries()) {
    const step = steps[at] as Step;
    const question = { history, changes: [run.change, step.change], after: run.index, end, sideOf };
    const found = yield* takenBack({ ...question, amongOthers: false });
    if (found.kind === 'yes') return verdictOf(proof, found);
    if (found.kind === 'no') open.push(step.commit);
    unknown ||= found.kind === 'unknown';
  }
  const after = Math.max(...runs.map((run) => run.index));
  const all = yield* takenBack({ history, changes: [branch.whole], after, end, sideOf, amongOthers: true });
  if (all.kind === 'yes' || unknown) return verdictOf(proof, all.kind === 'yes' ? all : { kind: 'unknown' });
  return yield* unlessSaid(base, branch, proof, open);
}

/** With several merge bases only the end counts: the base's tip holds all of it. */
function* byResultAlone(base: BaseState, whole: Change, sideOf: (entry: Entry) => Side): Asking<MergeVerdict> {
  const missing = whole.filter((entry) => {
    const side = sideOf(entry);
    return side.blob !== entry.after || side.mode !== entry.afterMode;
  });
  if (missing.length === 0) return proven({ code: 'landed', commits: [base.line[base.end] as Oid] });
  return unproven(
    missing.map((entry) => entry.path),
    false,
  );
}

function sideAtTip(base: BaseState, branch: BranchChange, entry: Entry): Side {
  const { relation, againstBase } = branch;
  if (againstBase) {
    const difference = entryAt(againstBase, entry.path);
    if (!difference) return { mode: entry.afterMode, blob: entry.after };
    return { mode: difference.beforeMode, blob: difference.before };
  }
  const from = relation.kind === 'forked' || relation.kind === 'ancestor' ? relation.at : -1;
  const untouched =
    relation.kind === 'ancestor'
      ? { mode: entry.afterMode, blob: entry.after }
      : { mode: entry.beforeMode, blob: entry.before };
  return base.history.sideAt(entry.path, from, base.end) ?? untouched;
}

function missingPaths(whole: Change, sideOf: (entry: Entry) => Side): PathNumber[] {
  return whole
    .filter((entry) => {
      const side = sideOf(entry);
      return side.blob !== entry.after || side.mode !== entry.afterMode;
    })
    .map((entry) => entry.path);
}

function verdictOf(proof: Proof, found: TakenBack): MergeVerdict {
  if (found.kind === 'no' || found.kind === 'standing') return proven(proof);
  if (found.kind === 'unknown') return { proof, veto: null, missing: [], blind: true };
  return {
    proof,
    veto: { code: 'reverted-later', by: found.step?.commit ?? null, grade: 'proven' },
    missing: [],
    blind: false,
  };
}

function proven(proof: Proof): MergeVerdict {
  return { proof, veto: null, missing: [], blind: false };
}

function unproven(missing: readonly PathNumber[], blind: boolean): MergeVerdict {
  return { proof: null, veto: null, missing, blind };
}

function refused(code: 'net-zero' | 'shallow'): MergeVerdict {
  return { proof: null, veto: { code, by: null, grade: 'proven' }, missing: [], blind: false };
}
