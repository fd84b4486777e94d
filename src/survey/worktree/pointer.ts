import { posix } from 'node:path';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';

const MOST_BYTES = 64 * 1024;

/**
 * Where the `.git` file in `folder` points to, absolute.
 * @param was where that folder was when the file was written.
 */
export function readPointer(folder: AbsPath, was = folder): Fact<AbsPath> {
  const contents = readBounded(nativePath(`${folder}/.git`), MOST_BYTES);
  if (contents.kind === 'absent') return absent;
  if (contents.kind === 'unknown') return contents;
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(contents.value.toString('latin1'))?.[1];
  const path = target === undefined ? null : parseAbsPath(target.startsWith('/') ? target : posix.join(was, target));
  return path === null ? unknown('it is not in the form that git writes') : known(path);
}
