/** The only code that deletes for good what coppice put aside. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { UserError } from '../judge/facts/user-error.ts';
import type { Leave } from '../git/write.ts';
import type { PurgePermit } from '../judge/permit.ts';
import { ensureFolder } from '../state/place.ts';
import type { TrashEntry } from '../state/trash/store.ts';
import { nativePath, toNative } from '../system/bytes.ts';
import { isFaultOf, sayFault, syncFolder } from '../system/files.ts';
import { removeTree, requireUnmounted } from '../system/remove-tree.ts';
import type { Acting } from './acting.ts';

/**
 * Moved away first: from then on it is no trash any more, and a crash leaves nothing that is half there.
 * @returns null, or why it is still there.
 */
export function deleteEntry(_permit: PurgePermit, acting: Acting, { path, run }: TrashEntry): string | null {
  const purging = ensureFolder(acting.folder, 'purging');
  return attempt(() => {
    requireUnmounted(path, acting.world.platform);
    renameSync(path, `${purging}/${run}`);
    syncFolder(purging);
    removeTree(`${purging}/${run}`, acting.world.platform);
  });
}

/** Deletes a copy that is not needed any more, if it is there. What cannot be deleted stays, out of the way. @param path a byte string */
export function discard(_permit: Leave[number], acting: Acting, path: string): void {
  const purging = ensureFolder(acting.folder, 'purging');
  const aside = `${purging}/${acting.world.random(8).toString('hex')}`;
  try {
    renameSync(nativePath(path), aside);
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return;
    throw fault;
  }
  attempt(() => removeTree(aside, acting.world.platform));
}

/** Deletes it where it is, if it is there. @param path a byte string. Throws what `removeTree` does. */
export function removeAside(_permit: PurgePermit, { world }: Acting, path: string): void {
  try {
    removeTree(toNative(path), world.platform);
  } catch (fault) {
    if (!isFaultOf(fault, 'ENOENT')) throw fault;
  }
}

/** Goes on with what a crash cut off. What cannot be deleted stays there, out of the way. */
export function emptyPurging(acting: Acting): void {
  const purging = `${acting.folder.path}/purging`;
  if (!existsSync(purging)) return;
  ensureFolder(acting.folder, 'purging');
  for (const name of readdirSync(purging)) attempt(() => removeTree(`${purging}/${name}`, acting.world.platform));
}

function attempt(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (fault) {
    return `it could not be deleted: ${fault instanceof UserError ? fault.message : sayFault(fault)}`;
  }
}
