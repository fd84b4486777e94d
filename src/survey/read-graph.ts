import type { Oid } from '../judge/facts/names.ts';
import { type CommitRecord, Graph } from '../judge/graph/graph.ts';
import { revertedBy, Sayings } from '../judge/graph/reverts.ts';
import type { ListedCommit } from '../git/parse/commits.ts';
import { listCommits } from '../git/read/commits.ts';
import type { Git } from '../git/run.ts';

/** What the graph has to show. */
export interface GraphWish {
  readonly base: Oid;
  /** A local branch that is ahead of the base, whose own commits lengthen the line; null when there is none. */
  readonly localBase: Oid | null;
  /** Tips, upstreams and reflog ids: all that they reach is shown, down to the base's line. */
  readIds(): ReadonlySet<Oid>;
  /**
   * Ids that must be placed on the base even when that takes reading far back, once it is known which commits are not
   * on it.
   */
  wanted(isOffBase: (oid: Oid) => boolean): Iterable<Oid>;
}

/** The graph, and the place of the base's tip on its line. */
export interface GraphView {
  readonly graph: Graph;
  readonly end: number;
  /** Ids whose history cannot be read to its end. */
  readonly damaged: ReadonlySet<Oid>;
  /** Base commits that others say they reverted, and by which. */
  readonly reverted: ReadonlyMap<Oid, Oid>;
}

/** @returns a text that says why, when the history could not be read. */
export async function readGraph(git: Git, wish: GraphWish): Promise<GraphView | string> {
  const base = new BaseWalk(wish.base);
  let targets: Oid[] | null = null;
  // Where a commit is older than its parent, git's order does not tell what is still to come: then all of it is read.
  const enough = () => targets !== null && !base.isSkewed && base.shows(targets);
  const reading = listCommits(git, [wish.base], { messages: true }, (commit) => base.add(commit), enough);
  // Only now, with git at work on the base.
  const { own, edge, failure, damaged } = await readOwn(git, wish.base, wish.readIds());
  base.isSkewed ||= isSkewed(own);
  targets = [...edge];
  for (const oid of wish.wanted((id) => own.has(id))) if (!own.has(oid)) targets.push(oid);
  const baseEnd = await reading;
  if (failure !== null) return failure;
  if (baseEnd.kind === 'failed') return baseEnd.reason;
  const graph = new Graph();
  const line = base.line();
  const local = localLine(own, wish);
  if (line.length === 0) return 'the base could not be read';
  move(own, graph, false);
  move(base.commits, graph, true);
  graph.setLine([...line, ...local]);
  return { graph, end: line.length - 1, damaged, reverted: revertedBy(base.sayings.all.reverse()) };
}

/** The commits that are not on the base, and the base commits that they start from. */
interface OwnCommits {
  readonly own: Map<Oid, CommitRecord>;
  readonly edge: Set<Oid>;
  /** Ids whose history cannot be read to its end. */
  readonly damaged: Set<Oid>;
  /** Why nothing could be read; null when something was. */
  failure: string | null;
}

/** In a damaged repository the ids that can be read are found by halves; so many questions more are spent on it. */
const MOST_HALVES = 40;

async function readOwn(git: Git, base: Oid, wanted: ReadonlySet<Oid>): Promise<OwnCommits> {
  const found: OwnCommits = { own: new Map(), edge: new Set(), damaged: new Set(), failure: null };
  const open: (readonly Oid[])[] = [[...wanted]];
  let asked = 0;
  for (let ids = open.pop(); ids; ids = open.pop()) {
    const listed: ListedCommit[] = [];
    const end = await listCommits(git, [...ids, `^${base}`], { boundary: true }, (commit) => listed.push(commit));
    if (end.kind === 'failed') {
      found.failure ??= end.reason;
      if (ids.length < 2 || ++asked > MOST_HALVES) for (const id of ids) found.damaged.add(id);
      else open.push(ids.slice(0, ids.length >> 1), ids.slice(ids.length >> 1));
      continue;
    }
    for (const { boundary, oid, tree, parents, time } of listed) {
      if (boundary) found.edge.add(oid);
      else found.own.set(oid, { oid, tree, parents, time });
    }
  }
  if (found.damaged.size < wanted.size) found.failure = null;
  return found;
}

function isSkewed(commits: ReadonlyMap<Oid, CommitRecord>): boolean {
  for (const { time, parents } of commits.values()) {
    if (parents.some((oid) => (commits.get(oid)?.time ?? time) > time)) return true;
  }
  return false;
}

/** Hands the commits over one by one, so that they are not in memory twice. */
function move(commits: Map<Oid, CommitRecord>, graph: Graph, onBase: boolean): void {
  for (const [oid, commit] of commits) {
    graph.add(commit, onBase);
    commits.delete(oid);
  }
}

/** The first-parent commits of the local base that follow on the base's tip, oldest first; none when they do not. */
function localLine(own: ReadonlyMap<Oid, CommitRecord>, wish: GraphWish): Oid[] {
  const line: Oid[] = [];
  let at: Oid | null = wish.localBase;
  while (at !== null && at !== wish.base) {
    const commit = own.get(at);
    if (!commit) return [];
    line.push(at);
    at = commit.parents[0] ?? null;
  }
  return at === null ? [] : line.reverse();
}

/** The base's commits as they come, newest first, and how far its first-parent line is known. */
class BaseWalk {
  readonly commits = new Map<Oid, CommitRecord>();
  readonly sayings = new Sayings();
  /** True when a commit was listed behind an older one. */
  isSkewed = false;
  private last = Number.POSITIVE_INFINITY;
  private readonly onLine = new Set<Oid>();
  private next: Oid | null;
  private readonly shown = new Set<Oid>();
  private pending: readonly Oid[] | null = null;

  constructor(base: Oid) {
    this.next = base;
  }

  add({ oid, tree, parents, time, subject, body }: ListedCommit): void {
    this.commits.set(oid, { oid, tree, parents, time });
    this.isSkewed ||= time > this.last;
    this.last = time;
    this.sayings.hear(oid, subject, body);
  }

  /** The line as far as it was read, oldest first. */
  line(): Oid[] {
    this.follow();
    return [...this.onLine].reverse();
  }

  /** True when every target was read, and every way down from it ends on the line. */
  shows(targets: readonly Oid[]): boolean {
    this.follow();
    this.pending = (this.pending ?? targets).filter((oid) => !this.endsOnLine(oid));
    return this.pending.length === 0;
  }

  private follow(): void {
    for (let commit = this.at(this.next); commit; commit = this.at(this.next)) {
      this.onLine.add(commit.oid);
      this.next = commit.parents[0] ?? null;
    }
  }

  private at(oid: Oid | null): CommitRecord | null {
    return oid === null ? null : (this.commits.get(oid) ?? null);
  }

  private endsOnLine(target: Oid): boolean {
    const walked = new Set<Oid>([target]);
    for (const oid of walked) {
      if (this.onLine.has(oid) || this.shown.has(oid)) continue;
      const commit = this.commits.get(oid);
      // A root that is not on the line may still turn out to be its end.
      if (!commit || (commit.parents.length === 0 && this.next !== null)) return false;
      for (const parent of commit.parents) walked.add(parent);
    }
    for (const oid of walked) this.shown.add(oid);
    return true;
  }
}
