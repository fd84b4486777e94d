import { posix } from 'node:path';
import type { AbsPath } from '../../judge/facts/names.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';

/** The git directory that a worktree's own one belongs to; itself where it does not name one. */
export function commonDirOf(gitDir: AbsPath): AbsPath {
  const contents = readBounded(nativePath(`${gitDir}/commondir`), 64 * 1024);
  if (contents.kind !== 'known') return gitDir;
  const named = contents.value.toString('latin1').replace(/[\r\n]+$/, '');
  return (named.startsWith('/') ? named : posix.join(gitDir, named)) as AbsPath;
}
