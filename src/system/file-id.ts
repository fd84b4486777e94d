import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import type { FileId } from '../judge/facts/worktree.ts';
import { nativePath } from './bytes.ts';

/** Of what the path leads to. @param path a byte string. Throws the system's own fault. */
export function fileId(path: string): FileId {
  return idOf(statSync(nativePath(path), { bigint: true }));
}

/** Of the entry itself, a link too; null: there is none. Throws the system's own faults otherwise. */
export function entryId(path: string): FileId | null {
  const stats = lstatSync(nativePath(path), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : idOf(stats);
}

function idOf({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): FileId {
  // Without a time of birth Node gives the last change.
  const hasBirth = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { device: String(dev), inode: String(ino), ...(hasBirth && { birth: String(birthtimeNs) }) };
}

/** Some file systems have another device number after each start of the machine: then the time of birth tells. */
export function isSameFile(a: FileId | null, b: FileId | null): boolean {
  if (a === null || b === null || a.inode !== b.inode) return false;
  return a.device === b.device || (a.birth !== undefined && a.birth === b.birth);
}
