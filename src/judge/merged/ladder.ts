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
import { movedAlong, placesOf } from './moved.ts';
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
  return yield* bySteps(base, branch, relation);
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
  const { history } = base;
  const stale = yield* stalePaths(history, branch, at);
  if (isStale(stale)) return unproven(stale.paths, stale.unknown);
  const question = questionOf(base, branch, at, history.indexAfter(at) - 1);
  let found = yield* takenBack({ ...question, amongOthers: true, changes: [branch.whole, made] });
  if (found.kind === 'no' && branch.whole.length > 1)
    found = yield* takenBackByPath({ ...question, amongOthers: true, changes: [branch.whole] });
  const from = found.kind === 'standing' ? found.again : question.after;
  for (const part of from === null ? [] : partsOf(base, branch, at)) {
    if (found.kind === 'yes') break;
    const one = yield* takenBack({ ...question, after: from ?? -1, changes: [part] });
    if (one.kind !== 'no' && one.kind !== 'standing' && (yield* isWithin(part, branch.whole)) !== 'different')
      found = one;
  }
  if (found.kind !== 'no') return verdictOf(proof, found);
  return yield* unlessSaid(base, branch, proof);
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

/** The changes of the branch's single commits, and of those that may have brought its work to the base by place `at`. */
function partsOf(base: BaseState, branch: BranchChange, at: number): Change[] {
  const { since, whole, brought, work } = branch;
  const parts = singleCommits(work ?? []);
  for (const index of base.history.touchingAny(whole, since, at)) {
    const step = base.history.steps[index] as Step;
    if (step.others > 0 || !step.change.every((entry) => entryAt(whole, entry.path) !== null)) continue;
    if (brought === null ? step.firstParent : brought.has(step.commit)) parts.push(step.change);
  }
  return parts;
}

/**
 * The commits that were merged together with others and may be taken back without them. That the base deletes a file
 * which one of them added is later work as a rule, and looks the same.
 */
function singleCommits(work: readonly Change[]): Change[] {
  return work.length < 2 ? [] : work.filter((change) => change.some((entry) => entry.beforeMode !== 0));
}

/** Whether the branch has the part in the end: another's commit in the same files is none of its own. */
function isWithin(part: Change, whole: Change): Asking<Equality> {
  return addsNothing(
    part.map((entry) => {
      const own = entryAt(whole, entry.path);
      return { entry, base: { mode: own?.afterMode ?? 0, blob: own?.after ?? 0 } };
    }),
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
  const { history } = base;
  if (!single && runs.some((run) => hasRunWithoutNetChange(run.pieces))) return refused('net-zero');
  const steps = runs.map((run) => history.steps[run.index] as Step);
  const proof: Proof = { code: single ? 'rebase-merged' : 'series-merged', commits: steps.map((step) => step.commit) };
  const open: Oid[] = [];
  let unknown = false;
  for (const [at, run] of runs.entries()) {
    const step = steps[at] as Step;
    for (const changes of [[run.change, step.change], ...singleCommits(run.pieces).map((part) => [part])]) {
      const isPart = changes.length === 1;
      const found = yield* takenBack({ ...questionOf(base, branch, step.at, run.index), changes });
      if (found.kind === 'yes' && (!isPart || (yield* isWithin(changes[0] ?? [], run.change)) !== 'different'))
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
