/** Everything there is to see of a folder without reading times of access: to prove that nothing was touched. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One line a file or folder, by path below `root`: kind, mode, owner, inode, times of change, content. */
export function snapshot(root: string): Map<string, string> {
  const seen = new Map<string, string>();
  visit(root, root, seen);
  return seen;
}

function visit(root: string, path: string, seen: Map<string, string>): void {
  const stats = lstatSync(path, { bigint: true });
  const content = stats.isFile()
    ? createHash('sha256').update(readFileSync(path)).digest('hex')
    : stats.isSymbolicLink()
      ? readlinkSync(path)
      : '';
  const { mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs } = stats;
  const line = [mode.toString(8), uid, gid, ino, nlink, size, mtimeNs, ctimeNs, content].join(' ');
  seen.set(relative(root, path) || '.', line);
  if (stats.isDirectory()) for (const name of readdirSync(path)) visit(root, join(path, name), seen);
}
