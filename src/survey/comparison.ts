/** Which trees have to be compared to judge branches, and what came of it. */
import type { Git } from '../git/run.ts';
import { type TreePair, readTreeChanges } from '../git/read/tree-changes.ts';
import type { Oid } from '../judge/facts/names.ts';
import type { Commit, Graph } from '../judge/graph/graph.ts';
import { type Change, type Entry, toChange } from '../judge/merged/change.ts';
import { BaseHistory } from '../judge/merged/history.ts';
import type { Numbers } from './numbers.ts';
import { StepReader, type WantedStep } from './step-reader.ts';

/** The tree without files, which git knows without having it. */
export const EMPTY_TREE: Readonly<Record<'sha1' | 'sha256', string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** A list of tree pairs that is read in one go; each pair once. */
export class Comparison {
  private readonly pairs: TreePair[] = [];
  private readonly places = new Map<string, number>();
  private readonly entries: Entry[][] = [];
  private unread: ReadonlyMap<number, string> = new Map();

  /** Asks for a pair; the number returned asks for its change later. */
  want(before: Oid, after: Oid): number {
    const key = `${before}${after}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    this.places.set(key, this.pairs.length);
    this.pairs.push({ before, after });
    this.entries.push([]);
    return this.pairs.length - 1;
  }

  /** The change of a pair, or why it could not be read. */
  change(place: number): Change | string {
    return this.unread.get(place) ?? toChange(this.entries[place] ?? []);
  }

  /**
   * Reads all pairs, and then the base's own steps, of which only the paths that the pairs touch are kept.
   * @returns the history, and the newest place on the line that could not be read (-1: none).
   */
  async read(
    git: Git,
    numbers: Numbers,
    steps: readonly WantedStep[],
  ): Promise<{ history: BaseHistory; gap: number; reason: string | null }> {
    const first = this.pairs.length;
    const reader = new StepReader(numbers, steps);
    const unread = await readTreeChanges(git, [...this.pairs, ...steps], {
      begin: (index) => reader.begin(index - first),
      entry: (index, raw) => {
        if (index < first) this.entries[index]?.push(numbers.entry(raw));
        else reader.entry(raw);
      },
    });
    reader.begin(-1);
    this.unread = unread;
    // From here on only the changes count; the ids of so many trees take more room than they.
    this.pairs.length = 0;
    this.places.clear();
    let gap = -1;
    let reason: string | null = null;
    for (const [index, step] of steps.entries()) {
      const failure = unread.get(first + index);
      if (failure === undefined) continue;
      gap = Math.max(gap, step.at);
      reason = failure;
    }
    return { history: new BaseHistory(reader.steps, reader.moves, reader.departures), gap, reason };
  }
}

/**
 * The commits that came to the line after place `after`, in order: first-parent commits by what they did to the line,
 * others that are no merges by their own change, before the merge that brought them.
 */
export function stepsAfter(graph: Graph, after: number, shallow: ReadonlySet<Oid>): WantedStep[] {
  const steps: WantedStep[] = [];
  const brought = graph.broughtIn(after, graph.line.length - 1);
  let next = 0;
  for (let at = after + 1; at < graph.line.length; at++) {
    for (; next < brought.length && brought[next]?.arrival === at; next++) {
      const commit = brought[next] as Commit;
      const parent =
        commit.parents.length === 1 && !shallow.has(commit.oid) ? graph.get(commit.parents[0] as Oid) : null;
      if (parent) steps.push({ commit: commit.oid, at, firstParent: false, before: parent.tree, after: commit.tree });
    }
    const [before, commit] = [graph.line[at - 1], graph.line[at] as Commit];
    if (before) steps.push({ commit: commit.oid, at, firstParent: true, before: before.tree, after: commit.tree });
  }
  return steps;
}
