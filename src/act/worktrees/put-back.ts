/** Puts back a worktree whose move into the trash ended on the way. The disk tells how far it came. */
import { readTips } from '../../git/read/named.ts';
import { remove, transact } from '../../git/write.ts';
import { absent } from '../../judge/facts/fact.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { permitPurge, permitReturn } from '../../judge/permit.ts';
import { listTrash } from '../../state/trash/store.ts';
import { type KeptWorktree, readKeptWorktree } from '../../state/trash/worktree-record.ts';
import { toNative } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { forgetNote } from '../notes/forget.ts';
import { deleteEntry, discard } from '../purging.ts';
import { revealDotGit } from './dot-git.ts';
import { freeLock, hasLock, lockText } from './git-lock.ts';
import { moveFolder } from './move.ts';
import { homeOf, type KeptPlaces, markOf, placesOf, whereIs } from './places.ts';
import { restoreTimes, returnWorktree } from './return.ts';
import { Stop } from './stop.ts';

/** A retirement that did not come to its end. */
export interface Cut {
  /** Of its act in the journal. */
  readonly id: string;
  readonly entry: string;
  readonly admin: string;
  readonly path: AbsPath;
  /** Where notes of it may have been made, as a byte string; null: nowhere. */
  readonly notes: string | null;
}

/**
 * `back`: it is as it was. `blocked`: something else is in its place, so that it waits in the trash, whole. `stuck`: it
 * could not be done now, and the next one who acts tries again. Texts are byte strings.
 */
export type Back = { readonly kind: 'back' } | { readonly kind: 'blocked' | 'stuck'; readonly text: string };

export async function putBack(acting: Acting, cut: Cut): Promise<Back> {
  const { commonDir, folder } = acting;
  const record = readKeptWorktree(toNative(`${commonDir}/coppice/trash/${cut.entry}`), folder.account);
  if (record.kind === 'unknown') return stuck(cut, `what was put aside of it cannot be read: ${record.reason}`);
  try {
    // Nothing is moved before there is a record of it.
    if (record.kind === 'absent')
      freeLock(homeOf(commonDir, cut.admin), lockText(cut.id), markOf(commonDir, cut.entry));
    else {
      const blocked = await bring(acting, cut, record.value);
      if (blocked !== null) return { kind: 'blocked', text: blocked };
    }
  } catch (fault) {
    return stuck(cut, fault instanceof Stop ? fault.message : sayFault(fault));
  }
  await forgetEntry(acting, cut.entry);
  const permit = cut.notes === null ? null : permitPurge(cut.id, 0, 0, acting.world.now());
  // One that stays is a copy too many, and nothing is lost.
  if (permit !== null) forgetNote(permit, acting, `${cut.notes}/${cut.id}`);
  return { kind: 'back' };
}

function stuck({ path }: Cut, why: string): Back {
  return { kind: 'stuck', text: `it could not be put back to ${path} yet: ${why}` };
}

/** @returns why it waits in the trash; null: it is as it was. @throws Stop, and the system's own faults */
async function bring(acting: Acting, { entry, id }: Cut, kept: KeptWorktree): Promise<string | null> {
  const places = placesOf(acting.commonDir, entry, kept);
  const home = homeOf(acting.commonDir, kept.admin);
  const where = whereIs(kept, places, kept.path);
  if (where === 'gone') {
    if (entryId(home) === null || entryId(places.holder) === null)
      throw new Stop('failed', `it is neither there nor at ${places.tree}`);
    // Somebody deleted or moved it since: to git it is one whose folder is missing, as before.
    freeLock(home, lockText(id), places.mark);
    return null;
  }
  const isBlocked = where === 'trash' && entryId(kept.path) !== null;
  if (entryId(places.admin) !== null) {
    const isTaken = where === 'trash' && entryId(home) !== null && !hasLock(home, lockText(id));
    if (isBlocked || isTaken) return blockedWords(kept, places);
    await bringAll(acting, entry, kept, places);
    return null;
  }
  if (entryId(home) === null) throw new Stop('failed', 'its git directory is gone');
  if (isBlocked) {
    // Whole in the trash it can be undone to another place.
    moveFolder(home, places.admin);
    return blockedWords(kept, places);
  }
  if (where === 'trash') moveFolder(places.tree, kept.path);
  revealDotGit({ tree: kept.path, holder: places.holder }, null);
  restoreTimes(kept, kept.path);
  freeLock(home, lockText(id), places.mark);
  return null;
}

function blockedWords({ path }: KeptWorktree, { tree }: KeptPlaces): string {
  return `rollback-blocked: something else is at ${path} by now, and it waits at ${tree}`;
}

async function bringAll(acting: Acting, entry: string, kept: KeptWorktree, places: KeptPlaces): Promise<void> {
  const permit = permitReturn(entry, { path: kept.path, there: absent, admin: kept.admin, namesake: absent });
  if (permit === null) return;
  await returnWorktree(acting, { permit, kept, places, head: 'same', isRollback: true });
}

/** Nothing waits in it any more. What cannot be taken away now is purged with its time. */
async function forgetEntry(acting: Acting, entry: string): Promise<void> {
  const { commonDir, folder, git, world } = acting;
  const permit = permitPurge(entry, 0, 0, world.now());
  if (permit === null) return;
  const tips = await readTips(git, `refs/coppice/trash/${entry}`);
  if (tips.kind === 'known' && tips.value.size > 0) {
    const commands = [...tips.value].map(([ref, oid]) => remove(ref, oid));
    await transact([permit], git, commands, () => 'commit');
  }
  const trash = listTrash({ commonDir, account: folder.account });
  const one = trash.kind === 'known' ? trash.value.find(({ run }) => run === entry) : undefined;
  if (one === undefined) return;
  const kept = readKeptWorktree(one.path, folder.account);
  const places = kept.kind === 'known' ? placesOf(commonDir, entry, kept.value) : null;
  if (places !== null && entryId(places.tree) !== null) return;
  if (places !== null && kept.kind === 'known' && kept.value.elsewhere !== null) discard(permit, acting, places.holder);
  deleteEntry(permit, acting, one);
}
