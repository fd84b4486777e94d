import { lstatSync, statSync } from 'node:fs';
import type { FileId } from '../judge/facts/worktree.ts';
import { nativePath } from './bytes.ts';

/** Of what the path leads to. @param path a byte string. Throws the system's own fault. */
export function fileId(path: string): FileId {
  const { dev, ino } = statSync(nativePath(path), { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/** Of the entry itself, a link too; null: there is none. Throws the system's own faults otherwise. */
export function entryId(path: string): FileId | null {
  const stats = lstatSync(nativePath(path), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { device: String(stats.dev), inode: String(stats.ino) };
}

export function isSameFile(a: FileId | null, b: FileId | null): boolean {
  return a !== null && b !== null && a.device === b.device && a.inode === b.inode;
}
