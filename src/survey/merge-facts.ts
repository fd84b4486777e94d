/** How branches stand to the base: reads the history and the changes, and lets the ladder judge them. */
import { BlobReader } from '../git/read/blobs.ts';
import type { Git } from '../git/run.ts';
import type { MergeFacts } from '../judge/facts/branch.ts';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import type { Oid, RefName } from '../judge/facts/names.ts';
import { climb, type BaseState, stillMerged } from '../judge/merged/ladder.ts';
import type { MergeVerdict } from '../judge/merged/proof.ts';
import { withoutTrace } from '../judge/merged/unpushed.ts';
import { Comparison, stepsAfter } from './comparison.ts';
import { Contents } from './contents.ts';
import { Numbers } from './numbers.ts';
import { type GraphView, readGraph } from './read-graph.ts';
import { changeOf, type MergeQuestion, prepare, type Subject } from './subject.ts';
import type { Asking } from '../judge/merged/ask.ts';
import type { BranchChange } from '../judge/merged/branch.ts';

export interface MergeSurvey {
  readonly base: Oid;
  /** The tip of a local base that may be ahead of `base`. */
  readonly localBase: Oid | null;
  readonly shallow: ReadonlySet<Oid>;
  readonly emptyTree: Oid;
  /** Reads their reflogs, which takes a while. */
  readQuestions(): readonly MergeQuestion[];
}

/** Branches whose contents are looked at at the same time; bounds memory, and keeps git and coppice both busy. */
const AT_ONCE = 64;
const MISSING_SHOWN = 5;

export async function readMergeFacts(git: Git, survey: MergeSurvey): Promise<ReadonlyMap<RefName, Fact<MergeFacts>>> {
  const facts = new Map<RefName, Fact<MergeFacts>>();
  let read: readonly MergeQuestion[] | null = null;
  const ask = () => (read ??= survey.readQuestions());
  const view = await readGraph(git, {
    base: survey.base,
    localBase: survey.localBase,
    readIds: () => idsOf(ask(), survey.localBase),
    wanted: (isOffBase) => wantedOf(ask(), isOffBase),
  });
  const questions = ask();
  if (typeof view === 'string') {
    for (const { ref } of questions) facts.set(ref, unknown(`the history could not be read: ${view}`));
    return facts;
  }
  const comparison = new Comparison();
  const subjects: Subject[] = [];
  for (const question of questions) {
    const subject = prepare({ view, comparison, shallow: survey.shallow, emptyTree: survey.emptyTree }, question);
    if (typeof subject === 'string') facts.set(question.ref, unknown(subject));
    else subjects.push(subject);
  }
  const numbers = new Numbers();
  const steps = stepsAfter(view.graph, oldestNeeded(subjects), survey.shallow);
  const { history, gap, reason } = await comparison.read(git, numbers, steps);
  const reader = new BlobReader(git);
  const contents = new Contents(reader, numbers);
  const line = view.graph.line.map((commit) => commit.oid);
  const judge = async (subject: Subject): Promise<Fact<MergeFacts>> => {
    const changes = [subject.wanted, ...subject.earlier].map((wanted) => changeOf(comparison, wanted));
    const unread =
      changes.find((change) => typeof change === 'string') ?? (gap > oldestNeeded([subject]) ? reason : null);
    if (unread != null) return unknown(`a tree could not be read: ${unread}`);
    const state = { history, line, end: view.end, reverted: view.reverted };
    const verdict = await contents.settle(
      judgeOne(
        state,
        changes.filter((change) => typeof change !== 'string'),
      ),
    );
    const local =
      verdict.proof === null &&
      (await isOnLocalBase(contents, { ...state, end: line.length - 1 }, comparison, subject));
    return known(factsOf(view, subject, verdict, local, (path) => numbers.path(path)));
  };
  await inTurns(subjects, AT_ONCE, async (subject) => facts.set(subject.question.ref, await judge(subject)));
  reader.close();
  if (reader.failure === null) return facts;
  return withoutContents(facts, reader.failure);
}

/** The verdict on the first change; what earlier merges brought of the branch must not have been taken back either. */
function* judgeOne(state: BaseState, [change, ...earlier]: readonly BranchChange[]): Asking<MergeVerdict> {
  if (change === undefined) throw new Error('a branch without a change cannot be judged');
  const verdict = change.relation.kind === 'ancestor' ? yield* ancestorOf(state, change) : yield* climb(state, change);
  if (verdict.proof === null || verdict.veto !== null) return verdict;
  for (const part of earlier) {
    const before = yield* ancestorOf(state, part);
    if (before.veto !== null || before.blind) return { ...before, proof: verdict.proof };
  }
  return verdict;
}

function* ancestorOf(state: BaseState, change: BranchChange): Asking<MergeVerdict> {
  const at = change.relation.kind === 'ancestor' ? change.relation.at : -1;
  return yield* stillMerged(state, { code: 'ancestor', commits: [state.line[at] as Oid] }, change, at);
}

/** Whether the local base, which the remote lacks, has the branch. */
async function isOnLocalBase(
  contents: Contents,
  state: BaseState,
  comparison: Comparison,
  subject: Subject,
): Promise<boolean> {
  if (subject.local === null) return false;
  if (subject.local.relation.kind === 'ancestor') return true;
  const change = changeOf(comparison, subject.local);
  if (typeof change === 'string') return false;
  const verdict = await contents.settle(climb(state, change));
  return verdict.proof !== null && verdict.veto === null;
}

function factsOf(
  view: GraphView,
  subject: Subject,
  verdict: MergeVerdict,
  local: boolean,
  pathOf: (path: number) => string,
): MergeFacts {
  const { graph } = view;
  const { tip, fork, story, question } = subject;
  const upstream = question.upstream === null ? null : graph.get(question.upstream);
  const [mine, theirs] = [graph.reach(tip), upstream === null ? null : graph.reach(upstream)];
  const kind = fork.relation.kind;
  const relation =
    fork.relation.kind === 'ancestor' ? (fork.relation.side ? 'side' : 'line') : kind === 'entangled' ? 'forked' : kind;
  const unpushed = theirs === null ? [] : fork.own.filter((commit) => !graph.contains(theirs, commit));
  const firstUnpushed = fork.own.length - unpushed.length;
  return {
    relation: relation as MergeFacts['relation'],
    worked: relation !== 'line' || story.ownOnBase,
    proof: verdict.proof,
    veto: verdict.veto,
    missing: verdict.missing.slice(0, MISSING_SHOWN).map(pathOf),
    missingCount: verdict.missing.length,
    blind: verdict.blind,
    local,
    ahead: mine === null || theirs === null ? null : graph.countBeyond(mine, theirs),
    behind: mine === null || theirs === null ? null : graph.countBeyond(theirs, mine),
    unpushed: withoutTrace(firstUnpushed === 0 ? fork.below : (fork.own[firstUnpushed - 1] ?? null), unpushed),
    dropped: story.dropped,
    replaced: story.replaced,
    lastCommit: tip.time,
  };
}

/** The contents could not be read to the end: what was not proven by then is not known. */
function withoutContents(
  facts: Map<RefName, Fact<MergeFacts>>,
  failure: string,
): ReadonlyMap<RefName, Fact<MergeFacts>> {
  for (const [ref, fact] of facts) {
    if (fact.kind === 'known' && fact.value.blind) facts.set(ref, unknown(`contents could not be read: ${failure}`));
  }
  return facts;
}

/** The place on the line after which the base's steps are needed. */
function oldestNeeded(subjects: readonly Subject[]): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { wanted, earlier } of subjects) {
    for (const { relation, whole, since } of [wanted, ...earlier]) {
      if (whole.length > 0 && relation.kind !== 'entangled') oldest = Math.min(oldest, since);
    }
  }
  return Math.max(oldest, -1);
}

/** The ids that the graph has to show. */
function idsOf(questions: readonly MergeQuestion[], localBase: Oid | null): Set<Oid> {
  const ids = new Set<Oid>(localBase === null ? [] : [localBase]);
  for (const question of questions) {
    ids.add(question.tip);
    if (question.upstream !== null) ids.add(question.upstream);
    for (const entry of question.reflog) {
      if (entry.before !== null) ids.add(entry.before);
      if (entry.after !== null) ids.add(entry.after);
    }
  }
  return ids;
}

/** What has to be found on the base: tips and upstreams, and of a branch that is on it also what was made there. */
function* wantedOf(questions: readonly MergeQuestion[], isOffBase: (oid: Oid) => boolean): Generator<Oid> {
  for (const { tip, upstream, reflog } of questions) {
    yield tip;
    if (upstream !== null) yield upstream;
    if (isOffBase(tip)) continue;
    for (const { after } of reflog) if (after !== null) yield after;
  }
}

/** Runs `work` for all, so many at a time. */
async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
