import { statSync } from 'node:fs';
import { nativePath } from '../system/bytes.ts';

/** Which git directory something was done in: a copy of it has the same files and another inode. Digits. */
export interface CommonDirId {
  readonly device: string;
  readonly inode: string;
}

/** @param commonDir a byte string. Throws the system's own fault. */
export function commonDirId(commonDir: string): CommonDirId {
  const { dev, ino } = statSync(nativePath(commonDir), { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

export function isSameDir(a: CommonDirId, b: CommonDirId): boolean {
  return a.device === b.device && a.inode === b.inode;
}
