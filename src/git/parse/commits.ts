import { type Oid, parseOid } from '../../judge/facts/names.ts';
import type { CommitRecord } from '../../judge/graph/graph.ts';

/** A commit in a listing; `boundary` for one that is only the edge of it. */
export interface ListedCommit extends CommitRecord {
  readonly boundary: boolean;
  /** As a byte string; empty when the listing has no messages. */
  readonly subject: string;
  readonly body: string;
}

/** Mark, id, tree, time, parents; a message may follow on the next lines. A NUL ends each commit. */
const HEAD_FORMAT = '%m%H %T %ct %P';

/** The formats that `parseCommit` reads. */
export const COMMIT_FORMAT = `${HEAD_FORMAT}%x00`;
export const MESSAGE_FORMAT = `${HEAD_FORMAT}%n%s%n%b%x00`;

/** Reads what stands before the NUL of one commit; null when it is not of that form. */
export function parseCommit(record: string): ListedCommit | null {
  // git ends each commit with a line feed of its own.
  const text = record.startsWith('\n') ? record.slice(1) : record;
  const endOfHead = lineEnd(text, 0);
  const endOfSubject = lineEnd(text, endOfHead + 1);
  const [marked = '', tree = '', time = '', ...rest] = text.slice(0, endOfHead).split(' ');
  const oid = parseOid(marked.slice(1));
  const treeId = parseOid(tree);
  if (oid === null || treeId === null || !/^\d+$/.test(time)) return null;
  const parents: Oid[] = [];
  for (const name of rest) {
    if (name === '') continue;
    const parent = parseOid(name);
    if (parent === null) return null;
    parents.push(parent);
  }
  const subject = text.slice(endOfHead + 1, endOfSubject);
  const body = text.slice(endOfSubject + 1);
  return { oid, tree: treeId, parents, time: Number(time), boundary: marked.startsWith('-'), subject, body };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
