/** Moves a folder by its name alone, never over anything and never by copying. */
import { renameSync } from 'node:fs';
import { posix } from 'node:path';
import { nativePath } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { isFaultOf, syncFolder } from '../../system/files.ts';

/** What stands where the folder is to be. */
export class PlaceTaken extends Error {}

/** Both byte strings. Throws `PlaceTaken`, and the system's own faults; then it is where it was. */
export function moveFolder(from: string, to: string): void {
  if (entryId(to) !== null) throw new PlaceTaken(to);
  try {
    // Whatever came in between: a rename of a folder replaces nothing but a folder without entries.
    renameSync(nativePath(from), nativePath(to));
  } catch (fault) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].some((code) => isFaultOf(fault, code)) && entryId(to) !== null)
      throw new PlaceTaken(to);
    throw fault;
  }
  for (const path of [from, to]) syncFolder(nativePath(posix.dirname(path)));
}
