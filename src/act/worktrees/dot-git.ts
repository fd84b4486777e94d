/**
 * The `.git` file of a tree that is put aside. A pointer to nowhere stands in its place: git in the tree then ends with
 * an error, where without any it would climb, and with the old one drive whatever gets the git directory's name next.
 */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { nativePath } from '../../system/bytes.ts';
import { entryId, isSameFile } from '../../system/file-id.ts';
import { syncFolder } from '../../system/files.ts';
import { removeIfThere } from '../../system/remove-file.ts';

/** The name under which the holder of a tree keeps its `.git` file. */
const KEPT = 'dot-git';
const NEXT = 'dot-git.next';

/** Both byte strings. */
export interface HeldTree {
  readonly tree: string;
  /** The folder beside the tree. */
  readonly holder: string;
}

/** Throws the system's own fault. */
export function hideDotGit({ tree, holder }: HeldTree): void {
  const own = nativePath(`${tree}/.git`);
  const next = nativePath(`${holder}/${NEXT}`);
  // The same file by a second name: its times and all else stay.
  if (entryId(`${holder}/${KEPT}`) === null) linkSync(own, nativePath(`${holder}/${KEPT}`));
  removeIfThere(next);
  writeFile(next, `gitdir: ${holder}/put-aside/use-coppice-undo\n`);
  renameSync(next, own);
  syncFolder(nativePath(tree));
  syncFolder(nativePath(holder));
}

/**
 * Puts it back, wherever the tree is by now. It may be back already.
 * @param text what it is to say instead, as a byte string; null: what it said.
 */
export function revealDotGit({ tree, holder }: HeldTree, text: string | null): void {
  const own = nativePath(`${tree}/.git`);
  const kept = `${holder}/${KEPT}`;
  const next = nativePath(`${holder}/${NEXT}`);
  removeIfThere(next);
  if (text !== null) {
    writeFile(next, text);
    renameSync(next, own);
  } else if (isSameFile(entryId(kept), entryId(`${tree}/.git`))) {
    // Two names of one file: it was never hidden. A rename would leave both.
    unlinkSync(nativePath(kept));
  } else if (entryId(kept) !== null) renameSync(nativePath(kept), own);
  syncFolder(nativePath(tree));
}

/** False: it is back, or was never hidden. */
export function hasDotGit({ holder }: Pick<HeldTree, 'holder'>): boolean {
  return entryId(`${holder}/${KEPT}`) !== null;
}

/** What it said, as a byte string. Throws the system's own fault. */
export function keptDotGit({ holder }: Pick<HeldTree, 'holder'>): string {
  return readFileSync(nativePath(`${holder}/${KEPT}`), 'latin1');
}

/** It is back under another text. */
export function forgetDotGit({ holder }: Pick<HeldTree, 'holder'>): void {
  removeIfThere(nativePath(`${holder}/${KEPT}`));
}

function writeFile(path: string | Buffer, text: string): void {
  const descriptor = openSync(path, 'wx', 0o644);
  try {
    writeSync(descriptor, Buffer.from(text, 'latin1'));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
