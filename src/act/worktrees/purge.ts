/** Deletes for good a worktree that waited in the trash for its time, as it was when it was put there. */
import { writeFileSync } from 'node:fs';
import type { Settings } from '../../config/table.ts';
import { realPath } from '../../system/paths.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import type { PurgePermit } from '../../judge/permit.ts';
import type { TrashEntry } from '../../state/trash/store.ts';
import { begunMark, type KeptWorktree } from '../../state/trash/worktree-record.ts';
import { lookOptions } from '../../survey/worktree/look-options.ts';
import { nativePath, toByteString, toNative } from '../../system/bytes.ts';
import { entryId, fileId, isSameFile } from '../../system/file-id.ts';
import { sayFault, syncFolder } from '../../system/files.ts';
import { readMounts } from '../../system/mounts.ts';
import { lookForProcesses } from '../../system/processes/look.ts';
import { requireUnmounted } from '../../system/remove-tree.ts';
import type { Acting } from '../acting.ts';
import { whyNotWhole } from '../../state/notes/whole.ts';
import { deleteEntry, discard, removeAside } from '../purging.ts';
import { lateIn } from './late.ts';
import { moveFolder, PlaceTaken } from './move.ts';
import { type KeptPlaces, placesOf } from './places.ts';

export interface WorktreePurge {
  readonly entry: TrashEntry;
  readonly kept: KeptWorktree;
  readonly settings: Settings;
  /** True: somebody named this one, and knows what is in it. */
  readonly isNamed: boolean;
}

/** How it ended: deleted, or why it is still there. */
export type Purged = { readonly status: 'done' | 'kept' | 'failed'; readonly text: string };

export async function purgeWorktree(permit: PurgePermit, acting: Acting, asked: WorktreePurge): Promise<Purged> {
  const { entry, kept } = asked;
  const places = placesOf(acting.commonDir, entry.run, kept);
  if (isOfAnother(acting, entry, kept))
    return { status: 'kept', text: `${places.holder} belongs to the repository of which this is a copy` };
  const aside = asideOf(places);
  try {
    takeBackAside(places);
    if (entryId(places.tree) !== null) {
      const why = await whyKept(acting, asked, places);
      if (why !== null) return { status: 'kept', text: why };
      // What comes in between now and then is seen under its new name, and comes back with it.
      moveFolder(places.tree, aside);
      const late = await whyInUse(acting, asked.settings, { ...places, tree: aside });
      if (late !== null) {
        moveFolder(aside, places.tree);
        return { status: 'kept', text: late };
      }
      writeFileSync(nativePath(begunMark(places.holder)), '', { mode: 0o600 });
      syncFolder(nativePath(places.holder));
    }
    removeAside(permit, acting, aside);
    discard(permit, acting, places.admin);
    if (kept.elsewhere !== null) removeAside(permit, acting, places.holder);
  } catch (fault) {
    const why = fault instanceof UserError ? fault.message : sayFault(fault);
    return { status: 'failed', text: `it could not be deleted: ${why}${restAside(places)}` };
  }
  const failure = deleteEntry(permit, acting, entry);
  return failure === null ? { status: 'done', text: 'deleted for good' } : { status: 'failed', text: failure };
}

/** A copy of a repository names the tree of the original where that lies elsewhere. */
function isOfAnother({ commonDir }: Acting, { head }: TrashEntry, kept: KeptWorktree): boolean {
  if (kept.elsewhere === null || entryId(kept.elsewhere) === null) return false;
  return head.kind !== 'known' || !isSameFile(head.value.commonDir, fileId(commonDir));
}

function asideOf({ holder }: KeptPlaces): AbsPath {
  return `${holder}/purging` as AbsPath;
}

/** What was moved aside and not looked at again waits as before. Throws what `moveFolder` does. */
export function takeBackAside(places: KeptPlaces): void {
  if (entryId(asideOf(places)) === null || entryId(begunMark(places.holder)) !== null) return;
  moveFolder(asideOf(places), places.tree);
}

/** @returns what is to be said besides */
function restAside(places: KeptPlaces): string {
  try {
    takeBackAside(places);
    return '';
  } catch (fault) {
    return `; it waits at ${asideOf(places)}: ${fault instanceof PlaceTaken ? 'its place is taken' : sayFault(fault)}`;
  }
}

async function whyKept(
  acting: Acting,
  { kept, settings, isNamed }: WorktreePurge,
  places: KeptPlaces,
): Promise<string | null> {
  if (!isSameFile(entryId(places.tree), kept.ids.folder))
    return `another folder is at ${places.tree} than was put there`;
  if (kept.notes !== null && !isNamed) {
    const why = whyNotWhole(kept.notes, kept.precious, acting.folder.account);
    const files = `${kept.precious} ignored ${kept.precious === 1 ? 'file' : 'files'}`;
    if (why !== null)
      return `it holds ${files} that nothing makes again, and the copies are not to be had: ${why}; coppice purge --id ${kept.id} --apply deletes it all the same`;
  }
  requireUnmounted(toNative(places.tree), acting.world.platform);
  return whyInUse(acting, settings, places);
}

async function whyInUse({ world }: Acting, settings: Settings, places: KeptPlaces): Promise<string | null> {
  const late = lateIn(places);
  if (late !== null) return `${late} was written to after it was put aside`;
  const folders = [realPath(places.tree), places.admin] as const;
  const scan = await lookForProcesses([{ folders }], {
    ...lookOptions(world, settings),
    mounts: readMounts(world.platform),
  });
  if (scan.kind !== 'known')
    return `whether a process is in it cannot be told: ${scan.kind === 'unknown' ? scan.reason : ''}`;
  const [first] = scan.value.occupants[0] ?? [];
  return first === undefined ? null : `process ${first.pid} (${toByteString(first.name ?? '?')}) uses it`;
}
