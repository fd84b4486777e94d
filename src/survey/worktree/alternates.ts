/** Objects in a worktree's folder that its repository borrows: without the folder the repository is damaged. */
import { posix } from 'node:path';
import type { TreePlace } from '../../git/worktree-git.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { isWithin, realPathOr } from '../../system/paths.ts';
import { commonDirOf } from './common-dir.ts';

const MOST_BYTES = 1024 * 1024;

/** Paths relative to the worktree; a list that cannot be read is one of the whole. */
export function lentObjects(place: TreePlace): string[] {
  const objects = `${commonDirOf(place.gitDir)}/objects`;
  const top = realPathOr(place.path);
  const store = realPathOr(objects);
  // A link leads there; a repository's own store in its own folder is its matter.
  if (isWithin(store, top) && !isWithin(objects, place.path)) return [store.slice(top.length + 1)];
  const list = readBounded(nativePath(`${objects}/info/alternates`), MOST_BYTES, { follow: true });
  if (list.kind === 'absent') return [];
  if (list.kind === 'unknown') return ['.'];
  return list.value
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => realPathOr(line.startsWith('/') ? line : posix.join(objects, line)))
    .filter((folder) => isWithin(folder, top))
    .map((folder) => folder.slice(top.length + 1) || '.');
}
