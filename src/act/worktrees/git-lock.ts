/** git's own lock on a worktree while coppice works on it: it keeps prune, gc, add and remove away. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { nativePath } from '../../system/bytes.ts';
import { isFaultOf, readBounded, syncFolder } from '../../system/files.ts';
import { removeIfThere } from '../../system/remove-file.ts';

const MOST_BYTES = 64 * 1024;
const NEXT = 'locked.coppice';

/** What it says until the worktree is back. @param id of the act that put it aside. */
export function lockText(id: string): string {
  return `coppice: retiring ${id}, continue with coppice undo ${id}`;
}

/**
 * Takes it, where there is none or only the mark that was judged.
 * @param mark the text of that mark; null: there is none.
 * @param keptAs where the mark is kept, a byte string.
 * @returns false: somebody else has it. Throws the system's own fault.
 */
export function takeLock(gitDir: string, text: string, mark: string | null, keptAs: string): boolean {
  const file = nativePath(`${gitDir}/locked`);
  const ours = nativePath(`${gitDir}/${NEXT}`);
  if (mark !== null && textOf(gitDir) !== mark) return false;
  // Whole before it bears the name: of one that says nothing yet nobody could tell whose it is.
  removeIfThere(ours);
  writeNew(ours, text);
  if (mark === null) {
    const isOurs = isLinked(ours, file);
    unlinkSync(ours);
    if (!isOurs) return false;
  } else {
    linkSync(file, nativePath(keptAs));
    renameSync(ours, file);
  }
  syncFolder(nativePath(gitDir));
  return true;
}

/** False: something has the name. */
function isLinked(file: string | Buffer, name: string | Buffer): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (fault) {
    if (isFaultOf(fault, 'EEXIST')) return false;
    throw fault;
  }
}

function writeNew(file: string | Buffer, text: string): void {
  const descriptor = openSync(file, 'wx', 0o644);
  try {
    writeSync(descriptor, Buffer.from(`${text}\n`, 'latin1'));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** True when that lock is on it. */
export function hasLock(gitDir: string, text: string): boolean {
  return textOf(gitDir) === text;
}

/** Takes it away, if it is that one. @param mark where the mark that was there before is kept, a byte string. */
export function freeLock(gitDir: string, text: string, mark: string): void {
  removeIfThere(nativePath(`${gitDir}/${NEXT}`));
  if (!hasLock(gitDir, text)) return;
  const file = nativePath(`${gitDir}/locked`);
  if (existsSync(nativePath(mark))) renameSync(nativePath(mark), file);
  else unlinkSync(file);
  syncFolder(nativePath(gitDir));
}

function textOf(gitDir: string): string | null {
  const bytes = readBounded(nativePath(`${gitDir}/locked`), MOST_BYTES);
  return bytes.kind === 'known' ? bytes.value.toString('latin1').replace(/\n+$/, '') : null;
}
