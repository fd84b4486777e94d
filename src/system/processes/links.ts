/** Links and other small files below `/proc/<pid>`, and what they lead to. */
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { nativePath } from '../bytes.ts';
import { deviceName } from '../mounts.ts';
import { isWithin } from '../paths.ts';
import { isOver, type ProcessStat } from './stat.ts';

/** A thread to look at; `isFirst`: it stands for the whole process. */
export interface Thread {
  /** Where in `/proc` it is told of. */
  readonly at: string;
  readonly isFirst: boolean;
}

/**
 * Threads of a process: the first of them may have ended before the others, and each may have a working folder and files
 * of its own.
 */
export function threadsOf(proc: string, { pid, state, threads }: ProcessStat): Thread[] {
  const first = { at: `${proc}/${pid}`, isFirst: true };
  if (state !== 'Z' && threads < 2) return [first];
  const others = namesIn(`${proc}/${pid}/task`).flatMap((name) =>
    name === String(pid) ? [] : [{ at: `${proc}/${pid}/task/${name}`, isFirst: false }],
  );
  return state === 'Z' ? others.map((one, at) => ({ ...one, isFirst: at === 0 })) : [first, ...others];
}

/** What tells whether a thread shares its folders and files with the first one. */
export function surroundingsOf(at: string): string {
  return [linkOf(`${at}/cwd`), linkOf(`${at}/root`), ...namesIn(`${at}/fd`)].join('\0');
}

/** Where a link leads, as a byte string. Null: its path is longer than the kernel tells. Throws the system's own fault. */
export function linkOf(path: string): string | null {
  try {
    return readlinkSync(path, 'latin1');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return null;
    throw fault;
  }
}

/** Empty: it is over. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (fault) {
    if (isOver(fault)) return [];
    throw fault;
  }
}

/** The kernel writes ` (deleted)` behind the name of a folder that is gone; a folder may also be called so. */
export function parentIfGone(link: string, path: string): string {
  if (!path.endsWith(' (deleted)') || statSync(link).nlink > 0) return path;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** The first file at or below `folder` that is mapped; null: none. A mount may show one file alone. */
export function mappedWithin(maps: string, folder: string): string | null {
  // Of all that a name can hold the kernel writes only line ends in another way.
  const wanted = ` ${folder.replaceAll('\n', '\\012')}`;
  for (let at = maps.indexOf(wanted); at >= 0; at = maps.indexOf(wanted, at + 1)) {
    const path = maps.slice(at + 1, maps.indexOf('\n', at));
    if (isWithin(path, wanted.slice(1)) || path === `${wanted.slice(1)} (deleted)`) return path;
  }
  return null;
}

/** Device and inode, links followed; null: nothing is there, or it may not or cannot be looked at. */
export function idOf(path: string): string | null {
  const stats = statsOf(path);
  return stats === null ? null : `${stats.dev} ${stats.ino}`;
}

/** As a mount table names it; null: nothing is there, or it cannot be looked at. */
export function deviceOf(path: string): string | null {
  const stats = statsOf(path);
  return stats === null ? null : deviceName(stats.dev);
}

function statsOf(path: string) {
  try {
    return statSync(nativePath(path));
  } catch (fault) {
    // A file system whose server is gone answers with faults of its own.
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return null;
  }
}
