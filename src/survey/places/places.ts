/** Places that a sweep names and never touches. */
import type { Settings } from '../../config/table.ts';
import type { RepositoryPlace } from '../../git/read/repository.ts';
import type { AbsPath, Oid } from '../../judge/facts/names.ts';
import type { StrayFacts } from '../../judge/facts/place.ts';
import type { TrashPlace } from '../../judge/facts/worktree.ts';
import { toByteString } from '../../system/bytes.ts';
import { isWithin, realPathOr } from '../../system/paths.ts';
import type { World } from '../world.ts';
import { managedRoots } from './managed-roots.ts';
import { readStrays } from './strays.ts';
import { trashFolders } from './trash-folders.ts';

export interface Places {
  readonly strays: readonly StrayFacts[];
  readonly protectedPlaces: readonly AbsPath[];
  /** Managed ones that are there, without links on the way. */
  readonly roots: readonly string[];
  /** For what is put aside; the first one that will do is used. */
  readonly trashes: readonly TrashPlace[];
  readonly faults: readonly string[];
}

export const NO_PLACES: Places = { strays: [], protectedPlaces: [], roots: [], trashes: [], faults: [] };

export interface PlacesRequest {
  readonly place: RepositoryPlace;
  readonly settings: Settings;
  readonly world: World;
  /** Folders of the registered worktrees, without links on the way. */
  readonly worktrees: readonly string[];
  readonly rootCommit: Oid | null;
  /** The main checkout; null: there is none. */
  readonly top: string | null;
}

export function readPlaces({ place, settings, world, worktrees, rootCommit, top }: PlacesRequest): Places {
  const protectedPaths = settings['protect.paths'].map((path) => toByteString(path) as AbsPath);
  const looked = [...worktrees];
  const repository = top === null ? null : toByteString(top);
  const strays = new Map<string, StrayFacts>();
  const faults: string[] = [];
  const roots: string[] = [];
  for (const root of managedRoots({ settings, homes: world, repository, rootCommit })) {
    if (root.kind === 'absent') continue;
    if (root.kind === 'unknown') {
      faults.push(`the managed root is not read: ${root.reason}`);
      continue;
    }
    const folder = realPathOr(root.value.folder);
    looked.push(folder);
    roots.push(folder);
    const read = readStrays({ ...root.value, folder }, { commonDir: place.commonDir, worktrees, protectedPaths });
    faults.push(...read.faults);
    for (const stray of read.strays) strays.set(stray.path, stray);
  }
  // Settings hold for all repositories of an account; only what a look at this one would come by is named.
  const protectedPlaces = protectedPaths.filter((path) =>
    looked.some((one) => isWithin(path, one) || isWithin(one, path)),
  );
  const trashes = trashFolders({ commonDir: place.commonDir, settings, world, roots });
  return { strays: [...strays.values()], protectedPlaces, roots, trashes, faults };
}
