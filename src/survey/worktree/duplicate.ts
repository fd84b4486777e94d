import { lstatSync, type Stats } from 'node:fs';
import { realPath } from '../../system/paths.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';

/** Larger files are not compared: they count as precious. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Is the file byte for byte the one at the same path of the main checkout? Both must be regular files, two different
 * ones, with no link on the way to either.
 *
 * @param twin the main checkout's folder. All are byte strings.
 */
export function isCopyOf(file: string, stats: Stats, twin: string, path: string): boolean {
  if (!stats.isFile() || stats.size > MOST_BYTES) return false;
  const other = `${twin}/${path}`;
  try {
    const otherStats = lstatSync(nativePath(other));
    if (!otherStats.isFile() || otherStats.size !== stats.size) return false;
    if (otherStats.ino === stats.ino && otherStats.dev === stats.dev) return false;
    if (realPath(other) !== `${realPath(twin)}/${path}`) return false;
  } catch {
    // Not there, or not to be looked at: no copy.
    return false;
  }
  const [one, two] = [readBounded(nativePath(file), MOST_BYTES), readBounded(nativePath(other), MOST_BYTES)];
  return one.kind === 'known' && two.kind === 'known' && one.value.equals(two.value);
}
