/** Puts back what tools make again, whose move into the trash ended on the way. The disk tells how far it came. */
import { posix } from 'node:path';
import type { AbsPath } from '../../judge/facts/names.ts';
import { permitPurge } from '../../judge/permit.ts';
import { readKeptCache } from '../../state/trash/cache-record.ts';
import { listTrash } from '../../state/trash/store.ts';
import { holderOf } from '../../state/trash/worktree-record.ts';
import { toNative } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { deleteEntry, discard } from '../purging.ts';
import { moveFolder, PlaceTaken } from '../worktrees/move.ts';
import { entryFolder, type Slot, slotsOf, whatIsAt } from './places.ts';

/**
 * `back`: all is as it was. `blocked`: something else is in the place of one, so that it waits in the trash, whole.
 * `stuck`: it could not be done now, and the next one who acts tries again. Texts are byte strings.
 */
export type CacheBack =
  | { readonly kind: 'back' }
  | { readonly kind: 'blocked'; readonly text: string; readonly path: AbsPath }
  | { readonly kind: 'stuck'; readonly text: string };

export function putBackCache(acting: Acting, entry: string): CacheBack {
  const own = entryFolder(acting.commonDir, entry);
  const record = readKeptCache(toNative(own), acting.folder.account);
  if (record.kind === 'unknown') return { kind: 'stuck', text: `what was put aside cannot be read: ${record.reason}` };
  // Nothing is moved before there is a record of it.
  if (record.kind === 'known') {
    const kept = record.value;
    const blocked: string[] = [];
    try {
      for (const one of slotsOf(kept, own)) {
        if (entryId(one.slot) !== null && !comesBack(one, kept.path)) blocked.push(one.folder.path);
      }
    } catch (fault) {
      return { kind: 'stuck', text: `it could not be put back to ${kept.path} yet: ${sayFault(fault)}` };
    }
    if (blocked.length > 0) {
      const text = `rollback-blocked: ${blocked.join(', ')} cannot go back to ${kept.path}, where that is made anew or gone, and waits in the trash`;
      return { kind: 'blocked', text, path: kept.path };
    }
  }
  forgetEntry(
    acting,
    entry,
    record.kind === 'known' && record.value.elsewhere !== null ? holderOf(record.value, own) : null,
  );
  return { kind: 'back' };
}

/** @returns false: a tool has made it anew, or its worktree is gone. */
function comesBack(one: Slot, top: AbsPath): boolean {
  const { folder, slot } = one;
  const home = `${top}/${folder.path}`;
  if (whatIsAt(top, one) !== null) return false;
  try {
    moveFolder(slot, home);
    return true;
  } catch (fault) {
    if (fault instanceof PlaceTaken || entryId(posix.dirname(home)) === null) return false;
    throw fault;
  }
}

/** Nothing waits in it any more. What cannot be taken away now is purged with its time. */
function forgetEntry(acting: Acting, entry: string, elsewhere: string | null): void {
  const permit = permitPurge(entry, 0, 0, acting.world.now());
  const trash = listTrash({ commonDir: acting.commonDir, account: acting.folder.account });
  const one = trash.kind === 'known' ? trash.value.find(({ run }) => run === entry) : undefined;
  if (permit === null || one === undefined) return;
  if (elsewhere !== null) discard(permit, acting, elsewhere);
  deleteEntry(permit, acting, one);
}
