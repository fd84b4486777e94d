/** Objects in a worktree's folder that its repository borrows: without the folder the repository is damaged. */
import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import type { TreePlace } from '../../git/worktree-git.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { isWithin } from '../../system/paths.ts';
import { commonDirOf } from './common-dir.ts';

const MOST_BYTES = 1024 * 1024;

/** Paths relative to the worktree; a list that cannot be read is one of the whole. */
export function lentObjects(place: TreePlace): string[] {
  const objects = `${commonDirOf(place.gitDir)}/objects`;
  const top = realOf(place.path);
  if (isWithin(realOf(objects), top) && !isWithin(objects, place.path)) return [realOf(objects).slice(top.length + 1)];
  const list = readBounded(nativePath(`${objects}/info/alternates`), MOST_BYTES, { follow: true });
  if (list.kind === 'absent') return [];
  if (list.kind === 'unknown') return ['.'];
  return list.value
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => realOf(line.startsWith('/') ? line : posix.join(objects, line)))
    .filter((folder) => isWithin(folder, top))
    .map((folder) => folder.slice(top.length + 1) || '.');
}

function realOf(path: string): string {
  try {
    return realpathSync(nativePath(path), { encoding: 'buffer' }).toString('latin1');
  } catch {
    // What is not there is named as it is.
    return path;
  }
}
