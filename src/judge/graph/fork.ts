/** Where a branch leaves the base. */
import type { Oid } from '../facts/names.ts';
import type { Relation } from '../merged/branch.ts';
import type { Commit, Graph } from './graph.ts';

/** How a tip stands to the base, with what is needed to read its changes. */
export interface Fork {
  readonly relation: Relation;
  /** The merge bases: one, or several when `entangled`. Empty for `unrelated` and `cut`. */
  readonly mergeBases: readonly Commit[];
  /** The branch's own first-parent commits, oldest first. */
  readonly own: readonly Commit[];
  /** All of its commits, parents before children, also those that it merged in from elsewhere than the base. */
  readonly all: readonly Commit[];
  /** The parent of the oldest of them; null when it has none. */
  readonly below: Commit | null;
}

const NO_COMMITS = { mergeBases: [], own: [], all: [], below: null };

/** More merge bases than this are not compared: such a history proves nothing here. */
const MOST_MERGE_BASES = 8;

/**
 * @param end the place of the base's tip on the line.
 * @param shallow the commits whose parents a shallow clone left out.
 * @returns null when the history needed is not in view.
 */
export function forkOf(graph: Graph, tip: Commit, end: number, shallow: ReadonlySet<Oid>): Fork | null {
  const isOnBase = onBaseUpTo(end);
  if (isOnBase(tip)) return ancestor(tip);
  const boundary = new Set<Commit>();
  const walked = new Set<Commit>([tip]);
  for (const commit of walked) {
    if (shallow.has(commit.oid)) return { relation: { kind: 'cut' }, ...NO_COMMITS };
    for (const oid of commit.parents) {
      const parent = graph.get(oid);
      if (!parent) return null;
      if (isOnBase(parent)) boundary.add(parent);
      else walked.add(parent);
    }
  }
  const mergeBases = newest(graph, [...boundary]);
  if (mergeBases === null) return null;
  return {
    relation: relationOf(graph, mergeBases),
    mergeBases,
    ...ownLine(graph, tip, isOnBase),
    all: inOrder(graph, tip, walked),
  };
}

function onBaseUpTo(end: number): (commit: Commit) => boolean {
  return (commit) => (commit.arrival >= 0 ? commit.arrival <= end : commit.onBase);
}

/**
 * The commit below `tip` that has all of the branch's own work: merges of the base at the end of the branch that give
 * just the base's files add nothing to it.
 */
export function lastWork(graph: Graph, tip: Commit, end: number): Commit {
  const isOnBase = onBaseUpTo(end);
  let work = tip;
  for (let parents = parentsOf(graph, work); parents.length === 2; parents = parentsOf(graph, work)) {
    const taken = parents.find((parent) => isOnBase(parent) && parent.tree === work.tree);
    const rest = parents.find((parent) => !isOnBase(parent));
    if (!taken || !rest || isOnBase(work)) break;
    work = rest;
  }
  return work;
}

/**
 * Where the branch was on the base before: the newest commits of its line that earlier merges brought in, one for each
 * merge, newest first.
 */
export function earlierMerges(graph: Graph, from: Commit): Commit[] {
  const found: Commit[] = [];
  let arrival = -1;
  for (let at: Commit | undefined = from; at && at.place < 0 && at.arrival >= 0; at = parentsOf(graph, at)[0]) {
    if (at.arrival === arrival) continue;
    arrival = at.arrival;
    found.push(at);
  }
  return found;
}

function parentsOf(graph: Graph, commit: Commit): Commit[] {
  return commit.parents.map((oid) => graph.get(oid)).filter((parent) => parent !== null);
}

function ancestor(tip: Commit): Fork | null {
  if (tip.arrival < 0) return null;
  const relation = { kind: 'ancestor', at: tip.arrival, side: tip.place < 0 } as const;
  return { relation, ...NO_COMMITS };
}

/** Those of `commits` that no other of them reaches; null when that is not in view. */
function newest(graph: Graph, commits: readonly Commit[]): Commit[] | null {
  if (commits.length < 2) return [...commits];
  if (commits.every((commit) => commit.place >= 0)) {
    return [commits.reduce((a, b) => (b.place > a.place ? b : a))];
  }
  const kept: Commit[] = [];
  for (const commit of commits) {
    let below = false;
    for (const other of commits) {
      if (other === commit) continue;
      const reach = graph.reach(other);
      if (reach === null) return null;
      below ||= graph.contains(reach, commit);
    }
    if (!below) kept.push(commit);
  }
  return kept;
}

function relationOf(graph: Graph, mergeBases: readonly Commit[]): Relation {
  const [first] = mergeBases;
  if (!first || mergeBases.length > MOST_MERGE_BASES) return { kind: 'unrelated' };
  if (mergeBases.length > 1) return { kind: 'entangled' };
  if (first.place >= 0) return { kind: 'forked', at: first.place, exact: true };
  return { kind: 'forked', at: graph.reach(first)?.at ?? -1, exact: false };
}

/** Those of `commits` that `tip` reaches, parents before children. */
function inOrder(graph: Graph, tip: Commit, commits: ReadonlySet<Commit>): Commit[] {
  const sorted = new Set<Commit>();
  const open = [tip];
  for (let at = open.at(-1); at; at = open.at(-1)) {
    const next = parentsOf(graph, at).filter((parent) => commits.has(parent) && !sorted.has(parent));
    if (next.length > 0) open.push(...next.reverse());
    else sorted.add(open.pop() as Commit);
  }
  return [...sorted];
}

function ownLine(graph: Graph, tip: Commit, isOnBase: (commit: Commit) => boolean): Pick<Fork, 'own' | 'below'> {
  const own: Commit[] = [];
  let at: Commit | null = tip;
  while (at && !isOnBase(at)) {
    own.push(at);
    const [parent]: readonly Oid[] = at.parents;
    at = parent === undefined ? null : graph.get(parent);
  }
  return { own: own.reverse(), below: at };
}
