import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { nativePath } from '../../system/bytes.ts';
import type { FolderView } from './rebuildable.ts';

/** An entry of a folder; its name is a byte string. */
export interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isFile(): boolean;
}

/** What is in a folder. Throws the system's own fault when it cannot be read. */
export function entriesOf(path: string): readonly Entry[] {
  const native = nativePath(path);
  if (typeof native === 'string') {
    try {
      const entries = readdirSync(native, { withFileTypes: true, encoding: 'latin1' as BufferEncoding });
      // Where the file system does not tell what an entry is, Node asks by its name, and would take other bytes for it.
      if (entries.every(({ name }) => ASCII.test(name))) return entries;
    } catch {
      // The other way tells what is wrong.
    }
  }
  return readdirSync(native, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: entry.name.toString('latin1'),
    isDirectory: () => entry.isDirectory(),
    isFile: () => entry.isFile(),
  }));
}

const ASCII = /^[\x00-\x7f]*$/;

/** A folder as the rules see it. Most are never asked about. */
export function listFolder(path: string, entries: readonly Entry[]): FolderView {
  let names: ReadonlySet<string> | null = null;
  let folders: ReadonlySet<string> | null = null;
  return {
    get names() {
      names ??= new Set(entries.map(({ name }) => name));
      return names;
    },
    get folders() {
      folders ??= new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
      return folders;
    },
    begins(name, bytes) {
      return this.names.has(name) ? beginningOf(`${path}/${name}`, bytes) : null;
    },
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
      for (const entry of entriesOf(at)) {
        const path = `${at}/${entry.name}`;
        if (entry.isDirectory()) open.push(path);
        else if (lstatSync(nativePath(path)).mtimeMs > newest) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}
