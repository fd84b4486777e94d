/** Places to which somebody asks that something comes back. */
import { posix } from 'node:path';
import type { AbsPath } from '../../judge/facts/names.ts';
import { isWithin, realPathOr } from '../../system/paths.ts';

/** As git writes it: without links on the way. Null: it is a place of git's own. @param to absolute, as a byte string */
export function berthFor(commonDir: AbsPath, to: string): AbsPath | null {
  const plain = posix.resolve(to);
  const folder = realPathOr(posix.dirname(plain));
  const berth = `${folder === '/' ? '' : folder}/${posix.basename(plain)}` as AbsPath;
  return isOfGit(realPathOr(commonDir), berth) ? null : berth;
}

/** What git and coppice keep there is theirs to delete. A bare repository may have worktrees beside that. */
function isOfGit(commonDir: string, berth: string): boolean {
  return posix.basename(commonDir) === '.git'
    ? isWithin(berth, commonDir)
    : OF_GIT.some((name) => isWithin(berth, `${commonDir}/${name}`));
}

const OF_GIT = ['coppice', 'worktrees', 'modules', 'objects', 'refs', 'logs', 'info', 'hooks'];
