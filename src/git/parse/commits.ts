import { type Oid, parseOid } from '../../judge/facts/names.ts';
import type { CommitRecord } from '../../judge/graph/graph.ts';

/** A commit in a listing; `boundary` for one that is only the edge of it. */
export interface ListedCommit extends CommitRecord {
  readonly boundary: boolean;
}

/** The format that `parseCommit` reads: mark, id, tree, time, parents. */
export const COMMIT_FORMAT = '%m%H %T %ct %P';

/** Reads one line of `rev-list --no-commit-header --format=COMMIT_FORMAT`; null when it is not of that form. */
export function parseCommit(line: string): ListedCommit | null {
  const [marked = '', tree = '', time = '', ...rest] = line.split(' ');
  const oid = parseOid(marked.slice(1));
  const treeId = parseOid(tree);
  if (oid === null || treeId === null || !/^\d+$/.test(time)) return null;
  const parents: Oid[] = [];
  for (const text of rest) {
    if (text === '') continue;
    const parent = parseOid(text);
    if (parent === null) return null;
    parents.push(parent);
  }
  return { oid, tree: treeId, parents, time: Number(time), boundary: marked.startsWith('-') };
}
