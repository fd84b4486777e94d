/** Where folders that a tool makes again are while they are put aside. All paths are byte strings. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { KeptCache } from '../../state/trash/cache-record.ts';
import { holderOf } from '../../state/trash/worktree-record.ts';
import { nativePath } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';

/** One of them: where it was in the worktree, and where it is in the trash. */
export interface Slot {
  readonly folder: KeptCache['folders'][number];
  readonly slot: string;
}

/** The folder in which all of them are. @param holder as `holderOf` tells it */
export function shelfOf(holder: string): string {
  return `${holder}/cache`;
}

/** @param entry the folder of their entry in the trash */
export function slotsOf(kept: KeptCache, entry: string): readonly Slot[] {
  const shelf = shelfOf(holderOf(kept, entry));
  return kept.folders.map((folder, at) => ({ folder, slot: `${shelf}/${at}` }));
}

/** What keeps a folder from coming to its place; null: nothing. A link on the way would lead it elsewhere. @param top of the worktree */
export function whatIsAt(top: string, { folder }: Slot): string | null {
  const [path, above] = [`${top}/${folder.path}`, posix.dirname(folder.path)];
  if (entryId(path) !== null) return path;
  const steps = above === '.' ? [] : above.split('/');
  const ways = steps.map((_, at) => `${top}/${steps.slice(0, at + 1).join('/')}`);
  return ways.find((way) => entryId(way) !== null && !isFolder(way)) ?? null;
}

function isFolder(path: string): boolean {
  return lstatSync(nativePath(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder of an entry of that name. */
export function entryFolder(commonDir: string, entry: string): string {
  return `${commonDir}/coppice/trash/${entry}`;
}
