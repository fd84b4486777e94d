/** The part of the commit graph in view: the branches' own commits, and the base's as far back as the oldest fork. */
import type { Oid } from '../facts/names.ts';

/** A commit as it was read. */
export interface CommitRecord {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** Committer time, seconds since 1970. */
  readonly time: number;
}

/** A commit in the graph. */
export interface Commit extends CommitRecord {
  /** Reachable from the base's tip. */
  readonly onBase: boolean;
  /** Its place on the first-parent line, oldest in view 0; -1 when it is not on it. */
  place: number;
  /** The place of the first-parent commit that brought it to the line; -1 when none in view did. */
  arrival: number;
}

/** All that a commit can reach: the line up to `at`, and `extra`, which is not below it. */
export interface Reach {
  readonly at: number;
  readonly extra: ReadonlySet<Commit>;
}

export class Graph {
  private readonly commits = new Map<Oid, Commit>();
  private readonly reaches = new Map<Commit, Reach | null>();
  /** The first-parent line, oldest first. A local base that is ahead lengthens it beyond the base's tip. */
  readonly line: Commit[] = [];
  /** For each place: how many commits in view arrived up to it, and how many places before it are not whole. */
  private readonly arrived: { commits: number; cut: number }[] = [];

  add({ oid, tree, parents, time }: CommitRecord, onBase: boolean): void {
    this.commits.set(oid, { oid, tree, parents, time, onBase, place: -1, arrival: -1 });
  }

  get(oid: Oid): Commit | null {
    return this.commits.get(oid) ?? null;
  }

  /** Sets the line and what each of its merges brought in. To be called once, when all commits are added. */
  setLine(oldestFirst: readonly Oid[]): void {
    for (const oid of oldestFirst) {
      const commit = this.commits.get(oid);
      if (!commit) throw new Error(`the first-parent line names ${oid}, which was not read`);
      commit.place = this.line.length;
      commit.arrival = commit.place;
      this.line.push(commit);
    }
    let commits = 0;
    let cut = 0;
    for (const commit of this.line) {
      commits++;
      for (const parent of commit.parents.slice(1)) {
        const brought = this.bring(parent, commit.place);
        commits += brought.commits;
        if (brought.cut) cut++;
      }
      this.arrived.push({ commits, cut });
    }
  }

  private bring(from: Oid, place: number): { commits: number; cut: boolean } {
    const open = [from];
    let commits = 0;
    let cut = false;
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      const commit = this.commits.get(oid);
      if (!commit) cut = true;
      if (!commit || commit.arrival >= 0) continue;
      commit.arrival = place;
      commits++;
      open.push(...commit.parents);
    }
    return { commits, cut };
  }

  /** Commits that merges brought in between two places, parents before children, by arrival. */
  broughtIn(after: number, end: number): Commit[] {
    const found: Commit[] = [];
    const seen = new Set<Commit>();
    for (let place = Math.max(after + 1, 0); place <= end; place++) {
      for (const parent of (this.line[place] as Commit).parents.slice(1)) this.collect(parent, place, seen, found);
    }
    return found;
  }

  private collect(from: Oid, place: number, seen: Set<Commit>, found: Commit[]): void {
    const open: { commit: Commit; done: boolean }[] = [];
    const enter = (oid: Oid) => {
      const commit = this.commits.get(oid);
      if (!commit || commit.place >= 0 || commit.arrival !== place || seen.has(commit)) return;
      seen.add(commit);
      open.push({ commit, done: false });
    };
    enter(from);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.done) {
        found.push(top.commit);
        open.pop();
      } else {
        top.done = true;
        for (const parent of top.commit.parents) enter(parent);
      }
    }
  }

  /** What `commit` reaches, or null when the walk leaves what is in view. */
  reach(commit: Commit): Reach | null {
    const known = this.reaches.get(commit);
    if (known !== undefined) return known;
    const reach = this.walk(commit);
    this.reaches.set(commit, reach);
    return reach;
  }

  private walk(from: Commit): Reach | null {
    let at = -1;
    const walked = new Set<Commit>();
    const open = [from];
    for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
      if (commit.place >= 0) {
        at = Math.max(at, commit.place);
        continue;
      }
      if (walked.has(commit)) continue;
      walked.add(commit);
      for (const oid of commit.parents) {
        const parent = this.commits.get(oid);
        if (!parent) return null;
        open.push(parent);
      }
    }
    for (const commit of walked) if (commit.arrival >= 0 && commit.arrival <= at) walked.delete(commit);
    return { at, extra: walked };
  }

  /** True when `commit` is in `reach`. */
  contains(reach: Reach, commit: Commit): boolean {
    return (commit.arrival >= 0 && commit.arrival <= reach.at) || reach.extra.has(commit);
  }

  /** How many commits `a` reaches that `b` does not; null when the view does not tell. */
  countBeyond(a: Reach, b: Reach): number | null {
    let count = 0;
    for (const commit of a.extra) if (!this.contains(b, commit)) count++;
    if (a.at <= b.at) return count;
    const [newer, older] = [this.arrived[a.at], this.arrived[b.at]];
    if (!newer || !older || newer.cut !== older.cut) return null;
    count += newer.commits - older.commits;
    for (const commit of b.extra) if (commit.arrival >= 0 && commit.arrival <= a.at) count--;
    return count;
  }
}
