import type { Oid } from '../facts/names.ts';
import type { Commit } from '../graph/graph.ts';

/**
 * The commits among `unpushed` that left no trace: the tree after them is the tree before them. They are on neither
 * the upstream nor the base, and no proof about the end result speaks of them.
 *
 * @param below the commit before the first of them; null when there is none.
 * @param unpushed first-parent commits, oldest first.
 */
export function withoutTrace(below: Commit | null, unpushed: readonly Commit[]): Oid[] {
  const lastWith = new Map<Oid, number>();
  for (const [index, commit] of unpushed.entries()) lastWith.set(commit.tree, index);
  const lost = new Set<Oid>();
  let tree = below?.tree;
  for (let index = 0; index < unpushed.length; index++) {
    const until = tree === undefined ? undefined : lastWith.get(tree);
    for (let at = index; until !== undefined && at <= until; at++) lost.add((unpushed[at] as Commit).oid);
    tree = (unpushed[index] as Commit).tree;
  }
  return [...lost];
}
