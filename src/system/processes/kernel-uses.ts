/** Files that the kernel uses, or that a process uses without a path of its own: loop devices, swap, sockets. */
import { readdirSync, readFileSync } from 'node:fs';
import { unescapeOctal } from '../mounts.ts';

/** Paths, as byte strings, of the files behind loop devices and of active swap files. */
export function fixedUses(proc: string, blocks = '/sys/block'): string[] {
  const loops = listOf(blocks).filter((name) => name.startsWith('loop'));
  const files = loops.map((name) => textOf(`${blocks}/${name}/loop/backing_file`).replace(/\n$/, ''));
  const swaps = textOf(`${proc}/swaps`).split('\n').slice(1);
  return [...files, ...swaps.map((line) => unescapeOctal(line.split(/\s/)[0] ?? ''))].filter((path) =>
    path.startsWith('/'),
  );
}

/** What descriptors of sockets that lie in the file system are called, and where they lie. Of our own network alone. */
export function socketsIn(proc: string, isWanted: (path: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of textOf(`${proc}/net/unix`).split('\n').slice(1)) {
    const [, inode, path] = /^\S+ \S+ \S+ \S+ \S+ \S+ +(\d+) (\/.*)$/.exec(line) ?? [];
    if (inode !== undefined && path !== undefined && isWanted(path)) found.set(`socket:[${inode}]`, path);
  }
  return found;
}

/** Empty: there is no such thing here. */
function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty: there is no such thing here, as with a kernel that was built without it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
