/** Takes away a note: of a worktree that stayed after all, or one that somebody does not want any more. */
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type { PurgePermit } from '../../judge/permit.ts';
import { readNote } from '../../state/notes/store.ts';
import { toNative } from '../../system/bytes.ts';
import { isFaultOf, sayFault, syncFolder } from '../../system/files.ts';
import { removeIfThere } from '../../system/remove-file.ts';
import { removeTree } from '../../system/remove-tree.ts';
import type { Acting } from '../acting.ts';
import { UserError } from '../../judge/facts/user-error.ts';

/**
 * Without its head nothing in it counts, so that a crash leaves no half a note that is believed.
 * @param folder of the note, as a byte string. @returns why it is still there; null: it is not.
 */
export function forgetNote(permit: PurgePermit, { world, folder: { account } }: Acting, folder: string): string | null {
  const path = toNative(folder);
  // What is named in a record is deleted only where that can be nothing but a note.
  if (posix.basename(path) !== permit.run) return `${folder} is no note of ${permit.run}`;
  try {
    const note = readNote(folder, account);
    if (note.kind === 'absent') return null;
    if (note.kind === 'unknown') return note.reason;
    if (!readdirSync(path).every((name) => PARTS.includes(name) || OF_A_CRASH.test(name)))
      return `something else lies in ${folder}`;
    removeIfThere(`${path}/note.json`);
    syncFolder(path);
    removeTree(path, world.platform);
    syncFolder(posix.dirname(path));
    return null;
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return null;
    return fault instanceof UserError ? fault.message : sayFault(fault);
  }
}

const PARTS: readonly string[] = ['note.json', 'files.jsonl', 'files'];

/** What a write that was cut off leaves. */
const OF_A_CRASH = /^\.coppice-[0-9a-f]{16}\.tmp$/;
