/** Deletes for good what was moved to the trash and waited there for its time, as it was when it was put there. */
import { readdirSync, writeFileSync } from 'node:fs';
import type { Settings } from '../config/table.ts';
import type { AbsPath } from '../judge/facts/names.ts';
import type { Fact } from '../judge/facts/fact.ts';
import { known } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import type { FileId } from '../judge/facts/worktree.ts';
import type { PurgePermit } from '../judge/permit.ts';
import { whyNotWhole } from '../state/notes/whole.ts';
import type { TrashEntry } from '../state/trash/store.ts';
import { begunMark, holderOf, type KeptWorktree } from '../state/trash/worktree-record.ts';
import { lookOptions } from '../survey/worktree/look-options.ts';
import { nativePath, toByteString, toNative } from '../system/bytes.ts';
import { entryId, fileId, isSameFile } from '../system/file-id.ts';
import { sayFault, syncFolder } from '../system/files.ts';
import { readMounts } from '../system/mounts.ts';
import { realPath } from '../system/paths.ts';
import { lookForProcesses } from '../system/processes/look.ts';
import { requireUnmounted } from '../system/remove-tree.ts';
import type { Acting } from './acting.ts';
import { entryFolder, shelfOf } from './caches/places.ts';
import { lateIn } from './late.ts';
import { deleteEntry, discard, removeAside } from './purging.ts';
import { moveFolder, PlaceTaken } from './worktrees/move.ts';
import { placesOf } from './worktrees/places.ts';

/** What was moved, and lies in one folder. Paths are byte strings. */
export interface Held {
  readonly tree: AbsPath;
  readonly holder: AbsPath;
  /** The holder lies in another trash than the entry. */
  readonly isElsewhere: boolean;
  /** The git directory of a worktree; null: it is none. */
  readonly gitDir: AbsPath | null;
  /** Which folder it was; null: coppice made it. */
  readonly id: FileId | null;
  /** The worktree; null: it is what tools make again. */
  readonly kept: KeptWorktree | null;
}

/** Null: all that was put aside are the files of the entry itself. */
export function heldIn(commonDir: AbsPath, { run, worktree, cache }: TrashEntry): Fact<Held> | null {
  if (worktree.kind === 'unknown') return worktree;
  if (cache.kind === 'unknown') return cache;
  if (worktree.kind === 'known') {
    const kept = worktree.value;
    const { tree, holder, admin } = placesOf(commonDir, run, kept);
    return known({ tree, holder, isElsewhere: kept.elsewhere !== null, gitDir: admin, id: kept.ids.folder, kept });
  }
  if (cache.kind === 'absent') return null;
  const holder = holderOf(cache.value, entryFolder(commonDir, run)) as AbsPath;
  const isElsewhere = cache.value.elsewhere !== null;
  return known({ tree: shelfOf(holder) as AbsPath, holder, isElsewhere, gitDir: null, id: null, kept: null });
}

export interface HeldPurge {
  readonly entry: TrashEntry;
  readonly held: Held;
  readonly settings: Settings;
  /** True: somebody named this one, and knows what is in it. */
  readonly isNamed: boolean;
}

/** How it ended: deleted, or why it is still there. */
export type Purged = { readonly status: 'done' | 'kept' | 'failed'; readonly text: string };

export async function purgeHeld(permit: PurgePermit, acting: Acting, asked: HeldPurge): Promise<Purged> {
  const { entry, held } = asked;
  if (isOfAnother(acting, entry, held))
    return { status: 'kept', text: `${held.holder} belongs to the repository of which this is a copy` };
  const aside = asideOf(held);
  try {
    takeBackAside(held);
    if (entryId(held.tree) !== null) {
      const why = await whyKept(acting, asked);
      if (why !== null) return { status: 'kept', text: why };
      // What comes in between now and then is seen under its new name, and comes back with it.
      moveFolder(held.tree, aside);
      const late = await whyInUse(acting, asked.settings, { ...held, tree: aside });
      if (late !== null) {
        moveFolder(aside, held.tree);
        return { status: 'kept', text: late };
      }
      writeFileSync(nativePath(begunMark(held.holder)), '', { mode: 0o600 });
      syncFolder(nativePath(held.holder));
    }
    removeAside(permit, acting, aside);
    if (held.gitDir !== null) discard(permit, acting, held.gitDir);
    if (held.isElsewhere) removeAside(permit, acting, held.holder);
  } catch (fault) {
    const why = fault instanceof UserError ? fault.message : sayFault(fault);
    return { status: 'failed', text: `it could not be deleted: ${why}${restAside(held)}` };
  }
  const failure = deleteEntry(permit, acting, entry);
  return failure === null ? { status: 'done', text: 'deleted for good' } : { status: 'failed', text: failure };
}

/** A copy of a repository names the holder of the original where that lies elsewhere. */
function isOfAnother({ commonDir }: Acting, { head }: TrashEntry, { isElsewhere, holder }: Held): boolean {
  if (!isElsewhere || entryId(holder) === null) return false;
  return head.kind !== 'known' || !isSameFile(head.value.commonDir, fileId(commonDir));
}

function asideOf({ holder }: Pick<Held, 'holder'>): AbsPath {
  return `${holder}/purging` as AbsPath;
}

/** What was moved aside and not looked at again waits as before. Throws what `moveFolder` does. */
export function takeBackAside(held: Pick<Held, 'tree' | 'holder'>): void {
  if (entryId(asideOf(held)) === null || entryId(begunMark(held.holder)) !== null) return;
  moveFolder(asideOf(held), held.tree);
}

/** @returns what is to be said besides */
function restAside(held: Held): string {
  try {
    takeBackAside(held);
    return '';
  } catch (fault) {
    return `; it waits at ${asideOf(held)}: ${fault instanceof PlaceTaken ? 'its place is taken' : sayFault(fault)}`;
  }
}

async function whyKept(acting: Acting, { held, settings, isNamed }: HeldPurge): Promise<string | null> {
  const { kept, tree, id } = held;
  if (id !== null && !isSameFile(entryId(tree), id)) return `another folder is at ${tree} than was put there`;
  if (kept !== null && kept.notes !== null && !isNamed) {
    const why = whyNotWhole(kept.notes, kept.precious, acting.folder.account);
    const files = `${kept.precious} ignored ${kept.precious === 1 ? 'file' : 'files'}`;
    if (why !== null)
      return `it holds ${files} that nothing makes again, and the copies are not to be had: ${why}; coppice purge --id ${kept.id} --apply deletes it all the same`;
  }
  requireUnmounted(toNative(tree), acting.world.platform);
  return whyInUse(acting, settings, held);
}

async function whyInUse({ world }: Acting, settings: Settings, { tree, holder, gitDir }: Held): Promise<string | null> {
  const moved = gitDir === null ? foldersIn(tree) : [tree];
  for (const folder of moved) {
    const late = lateIn(folder, holder);
    if (late !== null) return `${late} was written to after it was put aside`;
  }
  const folders = gitDir === null ? ([realPath(tree)] as const) : ([realPath(tree), gitDir] as const);
  const scan = await lookForProcesses([{ folders }], {
    ...lookOptions(world, settings),
    mounts: readMounts(world.platform),
  });
  if (scan.kind !== 'known')
    return `whether a process is in it cannot be told: ${scan.kind === 'unknown' ? scan.reason : ''}`;
  const [first] = scan.value.occupants[0] ?? [];
  return first === undefined ? null : `process ${first.pid} (${toByteString(first.name ?? '?')}) uses it`;
}

/** Each of the folders that tools make again was moved by itself. */
function foldersIn(shelf: AbsPath): string[] {
  return readdirSync(nativePath(shelf), { encoding: 'latin1' }).map((name) => `${shelf}/${name}`);
}
