/** Files that must not have been there before. */
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from './bytes.ts';
import { isFaultOf, sayFault, syncFolder } from './files.ts';

/**
 * Makes the file `path` with `bytes`, whole or not at all, when nothing lies there: no file, no folder, no link, not
 * even one to nothing. Synced, as is its folder.
 *
 * Throws `UserError`: `file-exists`, `write-failed`.
 */
export function createExclusive(path: string, bytes: Uint8Array, mode: number): void {
  const temporary = join(dirname(path), `.coppice-${randomBytes(8).toString('hex')}.tmp`);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', mode);
  } catch (fault) {
    throw failed(path, sayFault(fault), fault);
  }
  try {
    try {
      fchmodSync(descriptor, mode);
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A second name, not a rename: that would replace what is there.
    linkSync(temporary, path);
    syncFolder(dirname(path));
  } catch (fault) {
    if (isFaultOf(fault, 'EEXIST')) {
      throw new UserError('file-exists', `${toByteString(path)} is there already`, { cause: fault });
    }
    throw failed(path, sayFault(fault), fault);
  } finally {
    unlinkSync(temporary);
  }
}

function failed(path: string, why: string, cause: unknown): UserError {
  return new UserError('write-failed', `cannot write ${toByteString(path)}: ${why}`, { cause });
}
