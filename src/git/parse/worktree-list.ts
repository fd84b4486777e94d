import { type AbsPath, type Oid, parseAbsPath, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';

/** A worktree as git lists it. */
export interface ListedWorktree {
  readonly path: AbsPath;
  readonly bare: boolean;
  readonly head: Oid | null;
  /** The branch checked out; null when detached. */
  readonly branch: RefName | null;
  /** The lock's reason, empty when none was given; null when it is not locked. */
  readonly locked: string | null;
  /** Why git would prune it; null when it would not. */
  readonly prunable: string | null;
}

/** Reads `worktree list --porcelain -z`, the main worktree first; null when it is not of that form. */
export function parseWorktreeList(output: Buffer): ListedWorktree[] | null {
  const list: ListedWorktree[] = [];
  const text = output.toString('latin1');
  if (text === '') return [];
  if (!text.endsWith('\0\0')) return null;
  for (const record of text.slice(0, -2).split('\0\0')) {
    const worktree = parseRecord(record.split('\0'));
    if (worktree !== null) list.push(worktree);
    // A linked one whose pointer is broken is listed without a path; its own files tell of it.
    else if (list.length === 0 || parseAbsPath(record.slice('worktree '.length).split('\0')[0] ?? '') !== null)
      return null;
  }
  return list;
}

function parseRecord(lines: readonly string[]): ListedWorktree | null {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(' ');
    fields.set(at < 0 ? line : line.slice(0, at), at < 0 ? '' : line.slice(at + 1));
  }
  const path = parseAbsPath(fields.get('worktree') ?? '');
  if (path === null) return null;
  const branch = fields.get('branch');
  const head = fields.get('HEAD');
  if (branch !== undefined && parseRefName(branch) === null) return null;
  return {
    path,
    bare: fields.has('bare'),
    head: head === undefined || /^0+$/.test(head) ? null : parseOid(head),
    branch: branch === undefined ? null : parseRefName(branch),
    locked: fields.get('locked') ?? null,
    prunable: fields.get('prunable') ?? null,
  };
}
