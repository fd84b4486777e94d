/** One branch on its way through the merge survey: where it forks, which trees are to be compared for it. */
import type { Oid, RefName } from '../judge/facts/names.ts';
import { earlierMerges, type Fork, forkOf, lastWork } from '../judge/graph/fork.ts';
import type { Commit } from '../judge/graph/graph.ts';
import { type ReflogEntry, type ReflogStory, readStory } from '../judge/graph/reflog.ts';
import type { BranchChange, Relation } from '../judge/merged/branch.ts';
import { type Change, compose, type Entry, toChange } from '../judge/merged/change.ts';
import type { Comparison } from './comparison.ts';
import type { GraphView } from './read-graph.ts';

/** What is asked about one branch. */
export interface MergeQuestion {
  readonly ref: RefName;
  readonly tip: Oid;
  readonly upstream: Oid | null;
  readonly reflog: readonly ReflogEntry[];
}

/** The trees to compare for one state of the base. */
interface Wanted {
  readonly relation: Relation;
  readonly whole: readonly number[];
  /** The changes of its commits that are no merges. */
  readonly work: readonly number[];
  /** True when there is one merge base, and no merge among its commits. */
  readonly single: boolean;
  readonly own: readonly Oid[];
  readonly againstBase: number | null;
  readonly brought: ReadonlySet<Oid> | null;
  readonly since: number;
}

export interface Subject {
  readonly question: MergeQuestion;
  readonly tip: Commit;
  readonly story: ReflogStory;
  readonly fork: Fork;
  readonly wanted: Wanted;
  /** What earlier merges brought of this branch, where it went on after them. */
  readonly earlier: readonly Wanted[];
  /** The same against the local base; null when there is none or it tells nothing more. */
  readonly local: Wanted | null;
}

export interface SubjectSurroundings {
  readonly view: GraphView;
  readonly shallow: ReadonlySet<Oid>;
  readonly emptyTree: Oid;
  readonly comparison: Comparison;
}

/** @returns a text that says why, when the branch's history is not in view. */
export function prepare(around: SubjectSurroundings, question: MergeQuestion): Subject | string {
  const { graph, end } = around.view;
  const ids = [question.tip, ...question.reflog.flatMap((entry) => [entry.before, entry.after])];
  if (ids.some((oid) => oid !== null && around.view.damaged.has(oid)))
    return 'a commit in its history is damaged or not here';
  const tip = graph.get(question.tip);
  if (tip === null) return `commit ${question.tip} is not here`;
  const story = readStory(graph, tip, question.reflog);
  const fork = forkOf(graph, tip, end, around.shallow);
  if (story === null || fork === null) return 'a commit in its history is not here';
  const work = lastWork(graph, tip, end);
  const workFork = work === tip ? fork : forkOf(graph, work, end, around.shallow);
  if (workFork === null) return 'a commit in its history is not here';
  const wanted = wantedOf(around, work, workFork, story);
  const earlier: Wanted[] = [];
  const before = fork.relation.kind === 'ancestor' ? tip : workFork.below;
  for (const merged of before === null ? [] : earlierMerges(graph, before)) {
    if (merged !== tip) earlier.push(wantSide(around, merged));
  }
  if (fork.relation.kind === 'forked' && workFork.below !== null && story.ownOnLine !== null)
    earlier.push(wantLine(around, workFork.below, story.ownOnLine));
  return { question, tip, story, fork, wanted, earlier, local: wantLocal(around, tip, fork) };
}

function wantedOf(around: SubjectSurroundings, tip: Commit, fork: Fork, story: ReflogStory): Wanted {
  const { relation } = fork;
  if (relation.kind !== 'ancestor') return wantFork(around, tip, fork, around.view.end);
  if (relation.side) return wantSide(around, tip);
  return story.ownOnLine === null ? { ...NOTHING, relation } : wantLine(around, tip, story.ownOnLine);
}

/** Commits that became the base's line by a fast-forward: all from the oldest that was made on the branch, at place `from`. */
function wantLine({ view, comparison, emptyTree }: SubjectSurroundings, tip: Commit, from: number): Wanted {
  const relation = { kind: 'ancestor', at: tip.arrival, side: false } as const;
  const before = view.graph.line[from - 1]?.tree ?? emptyTree;
  return { ...NOTHING, relation, whole: [comparison.want(before, tip.tree)], since: from - 1 };
}

const NOTHING = { whole: [], work: [], single: false, own: [], againstBase: null, brought: null, since: -1 };

/** A commit that a merge brought to the base: its change is what came with it, to see later whether that was taken back. */
function wantSide(around: SubjectSurroundings, tip: Commit): Wanted {
  const { graph } = around.view;
  const relation = { kind: 'ancestor', at: tip.arrival, side: true } as const;
  const before = forkOf(graph, tip, tip.arrival - 1, around.shallow);
  const [mergeBase, more] = before?.mergeBases ?? [];
  if (!mergeBase || more) return { ...NOTHING, relation };
  const brought = new Set<Oid>();
  for (const commit of graph.reach(tip)?.extra ?? []) if (commit.arrival === tip.arrival) brought.add(commit.oid);
  return {
    ...NOTHING,
    relation,
    whole: [around.comparison.want(mergeBase.tree, tip.tree)],
    brought,
    since: before?.relation.kind === 'forked' ? before.relation.at : -1,
  };
}

function wantFork(around: SubjectSurroundings, tip: Commit, fork: Fork, end: number): Wanted {
  const { comparison, view } = around;
  const { relation, mergeBases, all } = fork;
  const whole = mergeBases.map((commit) => comparison.want(commit.tree, tip.tree));
  const exact = relation.kind === 'forked' && relation.exact;
  const baseTip = view.graph.line[end];
  const againstBase = whole.length > 0 && !exact && baseTip ? comparison.want(baseTip.tree, tip.tree) : null;
  const work: number[] = [];
  for (const { parents, tree } of whole.length > 0 ? all : []) {
    const [parent] = parents;
    const before = parent === undefined ? around.emptyTree : view.graph.get(parent)?.tree;
    if (parents.length < 2 && before !== undefined) work.push(comparison.want(before, tree));
  }
  return {
    relation,
    whole,
    work,
    single: relation.kind === 'forked' && work.length === all.length,
    own: all.map((commit) => commit.oid),
    againstBase,
    brought: null,
    since: relation.kind === 'forked' ? relation.at : -1,
  };
}

function wantLocal(around: SubjectSurroundings, tip: Commit, fork: Fork): Wanted | null {
  const { graph, end } = around.view;
  const localEnd = graph.line.length - 1;
  if (localEnd === end || fork.relation.kind === 'ancestor') return null;
  const local = forkOf(graph, tip, localEnd, around.shallow);
  if (local === null) return null;
  if (local.relation.kind === 'ancestor') return { ...NOTHING, relation: local.relation };
  return wantFork(around, tip, local, localEnd);
}

/** What was compared for a branch; a text when it could not be. */
export function changeOf(comparison: Comparison, wanted: Wanted): BranchChange | string {
  const parts: Change[] = [];
  for (const place of wanted.whole) {
    const part = comparison.change(place);
    if (typeof part === 'string') return part;
    parts.push(part);
  }
  let work: Change[] | null = [];
  for (const place of wanted.work) {
    const piece = comparison.change(place);
    if (typeof piece === 'string') work = null;
    else work?.push(piece);
  }
  const againstBase = wanted.againstBase === null ? null : comparison.change(wanted.againstBase);
  if (typeof againstBase === 'string') return againstBase;
  const whole = parts.length > 1 ? union(parts) : (parts[0] ?? []);
  return {
    relation: wanted.relation,
    whole,
    pieces: wanted.single && work !== null && agrees(work, whole) ? work : null,
    work,
    own: wanted.own,
    againstBase,
    brought: wanted.brought,
    since: wanted.since,
  };
}

/** Every path that differs from any merge base. */
function union(parts: readonly Change[]): Change {
  const entries = new Map<number, Entry>();
  for (const part of parts) for (const entry of part) if (!entries.has(entry.path)) entries.set(entry.path, entry);
  return toChange(entries.values());
}

/** The pieces must make up the whole; a branch whose first-parent line starts elsewhere than its merge base does not. */
function agrees(pieces: readonly Change[], whole: Change): boolean {
  const net = compose(pieces);
  return (
    net.length === whole.length &&
    net.every((entry, at) => entry.after === whole[at]?.after && entry.path === whole[at]?.path)
  );
}
