/**
 * The merge ladder: is everything that a branch changed on the base? The first step that holds is the proof; a veto
 * takes it away again. Every step rests on contents; names, messages and dates play no part.
 */
import type { Oid } from '../facts/names.ts';
import { addsNothing, beside } from './absorbed.ts';
import type { Asking } from './ask.ts';
import type { BranchChange, Relation } from './branch.ts';
import { type Change, compose, type Entry, entryAt, type PathNumber, type Side } from './change.ts';
import type { BaseHistory, Step } from './history.ts';
import { landedAt, landingChange } from './landed.ts';
import { findEqual, findRest, type Range } from './match.ts';
import { deletesMoved, movedAlong, placesOf } from './moved.ts';
import { isWithin, singleCommits } from './parts.ts';
import type { MergeVerdict, Proof } from './proof.ts';
import { eachByItself, hasRunWithoutNetChange, inRuns, type Runs } from './series.ts';
import { isStale, stalePaths } from './stale.ts';
import { type Question, type TakenBack, takenBack, takenBackByPath } from './taken-back.ts';

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
  if (relation.kind === 'entangled') return byResultAlone(base, branch);
  const verdict = yield* bySteps(base, branch, relation);
  if (verdict.proof === null || verdict.veto !== null) return verdict;
  const stale = yield* stalePaths(base.history, branch, base.end);
  return isStale(stale) ? unproven(stale.paths, verdict.blind || stale.unknown) : verdict;
}

/**
 * A later commit that says it reverts one of the proof's commits, or one of the branch's, takes the proof away, unless
 * the base has the work now. A revert that came with the branch is part of it.
 */
function* unlessSaid(
  base: BaseState,
  branch: BranchChange,
  proof: Proof,
  commits: Iterable<Oid> = proof.commits,
): Asking<MergeVerdict> {
  let by: Oid | undefined;
  const isOwn = (oid: Oid) => proof.commits.includes(oid) || branch.brought?.has(oid) === true;
  for (const commit of [...commits, ...(branch.brought ?? []), ...branch.own]) {
    const found = base.reverted.get(commit);
    if (found !== undefined && !isOwn(found)) by ??= found;
  }
  if (by === undefined) return proven(proof);
  const now = yield* addsNothing(beside(branch.whole, (entry) => sideAtTip(base, branch, entry)));
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
  const { history } = base;
  const question = questionOf(base, branch, at, history.indexAfter(at) - 1);
  let found = yield* takenBack({ ...question, amongOthers: true, changes: [branch.whole, made] });
  if (found.kind === 'no' && branch.whole.length > 1)
    found = yield* takenBackByPath({ ...question, amongOthers: true, changes: [branch.whole] });
  if (found.kind === 'standing' && found.again !== null) {
    const commits = [(history.steps[found.again] as Step).commit];
    return yield* unlessSaid(base, branch, { ...proof, commits });
  }
  if (found.kind !== 'no' && found.kind !== 'standing') return verdictOf(proof, found);
  const stands = found.kind === 'standing';
  const brought = stands ? [] : stepsWithin(base, branch, at);
  // What is no part of the net change may have come, and gone again, before the last of it came.
  const start = history.indexAfter(branch.since) - 1;
  const isInWhole = (part: Change) => part.every(({ path }) => entryAt(branch.whole, path));
  // Where the whole stands, only what is no part of it can have gone: what the branch did before it merged the base.
  const asked = stands
    ? compose(branch.work ?? []).flatMap((entry) => (isInWhole([entry]) ? [] : [[entry]]))
    : singleCommits(branch.work ?? []);
  const parts = [
    ...asked.map((change) => ({ ...question, after: isInWhole(change) ? question.after : start, changes: [change] })),
    ...brought.map((step) => ({ ...question, changes: [step.change] })),
  ];
  for (const part of parts) {
    const one = yield* takenBack(part);
    if (one.kind === 'no' || one.kind === 'standing') continue;
    if ((yield* isWithin(part.changes[0] ?? [], branch)) !== 'different') return verdictOf(proof, one);
  }
  if (stands) return proven(proof);
  const said: Oid[] = [];
  for (const { commit, change } of brought) {
    if (base.reverted.has(commit) && (yield* isWithin(change, branch)) !== 'different') said.push(commit);
  }
  return yield* unlessSaid(base, branch, proof, [...proof.commits, ...said]);
}

/** What is asked of everything that may have been taken back after step `after`; all of it was on the base at place `at`. */
function questionOf(base: BaseState, branch: BranchChange, at: number, after: number): Omit<Question, 'changes'> {
  const { history, end } = base;
  return {
    history,
    places: placesOf(history, branch.whole, at, end),
    amongOthers: false,
    after,
    end,
    sideOf: (entry: Entry) => sideAtTip(base, branch, entry),
  };
}

/** The steps that may have brought the branch's work to the base by place `at`: they touch nothing else. */
function stepsWithin(base: BaseState, branch: BranchChange, at: number): Step[] {
  const { since, whole, brought } = branch;
  const steps = base.history.touchingAny(whole, since, at).map((index) => base.history.steps[index] as Step);
  return steps.filter(
    (step) =>
      step.others === 0 &&
      step.change.every((entry) => entryAt(whole, entry.path) !== null) &&
      (brought === null ? step.firstParent : brought.has(step.commit)),
  );
}

function* bySteps(
  base: BaseState,
  branch: BranchChange,
  relation: Extract<Relation, { kind: 'forked' }>,
): Asking<MergeVerdict> {
  const { history, end, line } = base;
  const sideOf = (entry: Entry) => sideAtTip(base, branch, entry);
  const { whole } = branch;
  const isMoved = yield* deletesMoved(history, whole, relation.at, end);
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
  const now = yield* addsNothing(beside(whole, sideOf));
  if (now === 'equal' && !isMoved) return proven({ code: 'absorbed', commits: [line[end] as Oid] });
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
  const { history } = base;
  if (!single && runs.some((run) => hasRunWithoutNetChange(run.pieces))) return refused('net-zero');
  const steps = runs.map((run) => history.steps[run.index] as Step);
  const proof: Proof = { code: single ? 'rebase-merged' : 'series-merged', commits: steps.map((step) => step.commit) };
  const open: Oid[] = [];
  let unknown = false;
  for (const [at, run] of runs.entries()) {
    const step = steps[at] as Step;
    const question = questionOf(base, branch, step.at, run.index);
    for (const changes of [[run.change, step.change], ...singleCommits(run.pieces).map((part) => [part])]) {
      const isPart = changes.length === 1;
      const found = yield* takenBack({ ...question, changes });
      if (found.kind === 'yes' && (!isPart || (yield* isWithin(changes[0] ?? [], branch)) !== 'different'))
        return verdictOf(proof, found);
      if (!isPart && found.kind === 'no') open.push(step.commit);
      unknown ||= found.kind === 'unknown';
    }
  }
  const last = Math.max(...runs.map((run) => run.index));
  const question = questionOf(base, branch, (history.steps[last] as Step).at, last);
  const all = yield* takenBack({ ...question, amongOthers: true, changes: [branch.whole] });
  if (all.kind === 'yes' || unknown) return verdictOf(proof, all.kind === 'yes' ? all : { kind: 'unknown' });
  return yield* unlessSaid(base, branch, proof, open);
}

/** With several merge bases only the end counts: the base's tip holds all of it. */
function byResultAlone(base: BaseState, { whole, work, againstBase }: BranchChange): MergeVerdict {
  if (work === null || againstBase === null) return unproven([], true);
  const touched = new Set([whole, ...work].flat().map((entry) => entry.path));
  const missing = [...touched].filter((path) => entryAt(againstBase, path) !== null);
  if (missing.length > 0) return unproven(missing, false);
  return proven({ code: 'landed', commits: [base.line[base.end] as Oid] });
}

function sideAtTip(base: BaseState, branch: BranchChange, entry: Entry): Side {
  const { relation, againstBase } = branch;
  if (againstBase) {
    const difference = entryAt(againstBase, entry.path);
    if (!difference) return { mode: entry.afterMode, blob: entry.after };
    return { mode: difference.beforeMode, blob: difference.before };
  }
  const from = relation.kind === 'ancestor' ? branch.since : relation.kind === 'forked' ? relation.at : -1;
  // Also what a merge brought in and did not keep was never there.
  return base.history.sideAt(entry.path, from, base.end) ?? { mode: entry.beforeMode, blob: entry.before };
}

function missingPaths(whole: Change, sideOf: (entry: Entry) => Side): PathNumber[] {
  return whole
    .filter((entry) => {
      const side = sideOf(entry);
      return side.blob !== entry.after || side.mode !== entry.afterMode;
    })
    .map((entry) => entry.path);
}

function verdictOf(proof: Proof, found: Extract<TakenBack, { kind: 'yes' | 'unknown' }>): MergeVerdict {
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
