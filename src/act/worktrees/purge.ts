/** Deletes for good a worktree that waited in the trash for its time, as it was when it was put there. */
import type { Settings } from '../../config/table.ts';
import { realPath } from '../../system/paths.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { PurgePermit } from '../../judge/permit.ts';
import type { TrashEntry } from '../../state/trash/store.ts';
import type { KeptWorktree } from '../../state/trash/worktree-record.ts';
import { lookOptions } from '../../survey/worktree/look-options.ts';
import { toByteString, toNative } from '../../system/bytes.ts';
import { entryId, isSameFile } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import { readMounts } from '../../system/mounts.ts';
import { lookForProcesses } from '../../system/processes/look.ts';
import { requireUnmounted } from '../../system/remove-tree.ts';
import type { Acting } from '../acting.ts';
import { deleteEntry, discard, removeAside } from '../purging.ts';
import { lateIn } from './late.ts';
import { moveFolder } from './move.ts';
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
  try {
    if (entryId(places.tree) !== null) {
      const why = await whyKept(acting, asked, places);
      if (why !== null) return { status: 'kept', text: why };
      // What comes in between now and then is seen under its new name, and comes back with it.
      const aside = asideOf(places);
      moveFolder(places.tree, aside);
      const late = await whyInUse(acting, asked.settings, { ...places, tree: aside as KeptPlaces['tree'] });
      if (late !== null) {
        moveFolder(aside, places.tree);
        return { status: 'kept', text: late };
      }
      // What bears this name is not whole any more, whoever finds it.
      moveFolder(aside, deletedOf(places));
    }
    removeAside(permit, acting, deletedOf(places));
    discard(permit, acting, places.admin);
    if (kept.elsewhere !== null) removeAside(permit, acting, places.holder);
  } catch (fault) {
    return {
      status: 'failed',
      text: `it could not be deleted: ${fault instanceof UserError ? fault.message : sayFault(fault)}`,
    };
  }
  const failure = deleteEntry(permit, acting, entry);
  return failure === null ? { status: 'done', text: 'deleted for good' } : { status: 'failed', text: failure };
}

function asideOf({ holder }: KeptPlaces): string {
  return `${holder}/purging`;
}

function deletedOf({ holder }: KeptPlaces): string {
  return `${holder}/deleting`;
}

/** Of a purge that was cut off before anything was deleted: the tree waits where it waited. Throws what `moveFolder` does. */
export function unpurge({ commonDir }: Acting, entry: string, kept: KeptWorktree): void {
  const places = placesOf(commonDir, entry, kept);
  if (entryId(asideOf(places)) !== null) moveFolder(asideOf(places), places.tree);
}

async function whyKept(
  acting: Acting,
  { kept, settings, isNamed }: WorktreePurge,
  places: KeptPlaces,
): Promise<string | null> {
  if (!isSameFile(entryId(places.tree), kept.ids.folder))
    return `another folder is at ${places.tree} than was put there`;
  if (kept.precious > 0 && !isNamed) {
    const files = `${kept.precious} ignored ${kept.precious === 1 ? 'file' : 'files'}`;
    return `it holds ${files} that nothing makes again; coppice purge --id ${kept.id} --apply deletes it all the same`;
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
