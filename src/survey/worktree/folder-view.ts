import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { nativePath } from '../../system/bytes.ts';
import type { FolderView } from './rebuildable.ts';

/**
 * A folder as the rules see it.
 * @param entries what is in it; null: it is read. Throws the system's own fault when it cannot be.
 */
export function listFolder(path: string, entries: readonly Dirent<Buffer>[] | null): FolderView {
  const list = entries ?? readdirSync(nativePath(path), { withFileTypes: true, encoding: 'buffer' });
  const names = new Set<string>();
  const folders = new Set<string>();
  for (const entry of list) {
    const name = entry.name.toString('latin1');
    names.add(name);
    if (entry.isDirectory()) folders.add(name);
  }
  return {
    names,
    folders,
    begins: (name, bytes) => (names.has(name) ? beginningOf(`${path}/${name}`, bytes) : null),
    isNotNewerThan: (marks) => isNotNewer(path, marks),
  };
}

function beginningOf(path: string, bytes: number): string | null {
  try {
    const descriptor = openSync(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return null;
      const beginning = Buffer.alloc(bytes);
      return beginning.toString('latin1', 0, readSync(descriptor, beginning));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Whatever it is, it proves nothing.
    return null;
  }
}

function isNotNewer(folder: string, marks: readonly string[]): boolean {
  try {
    const newest = Math.max(...marks.map((mark) => lstatSync(nativePath(`${folder}/${mark}`)).mtimeMs));
    const open = [folder];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const entry of readdirSync(nativePath(at), { withFileTypes: true, encoding: 'buffer' })) {
        const path = `${at}/${entry.name.toString('latin1')}`;
        if (entry.isDirectory()) open.push(path);
        else if (lstatSync(nativePath(path)).mtimeMs > newest) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}
