/** What lies in a managed root and is no worktree of this repository. Only names and pointers are read. */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import type { AbsPath } from '../../judge/facts/names.ts';
import type { StrayFacts } from '../../judge/facts/place.ts';
import { nativePath } from '../../system/bytes.ts';
import { isWithin } from '../../system/paths.ts';
import { commonDirOf } from '../worktree/common-dir.ts';
import { isSame } from '../worktree/identity.ts';
import { readPointer } from '../worktree/pointer.ts';
import type { ManagedRoot } from './managed-roots.ts';
import { TRASH_NAME } from './trash-folders.ts';

export interface StrayRequest {
  readonly commonDir: AbsPath;
  /** Folders of the registered worktrees, without links on the way. */
  readonly worktrees: readonly string[];
  /** Places that are never read. */
  readonly protectedPaths: readonly string[];
}

/** @returns the strays, and what could not be read. */
export function readStrays(
  root: ManagedRoot,
  request: StrayRequest,
): { readonly strays: readonly StrayFacts[]; readonly faults: readonly string[] } {
  const strays: StrayFacts[] = [];
  const faults: string[] = [];
  const enter = (folder: string, isTop: boolean) => {
    for (const name of namesIn(folder)) {
      const path = `${folder}/${name}` as AbsPath;
      if (isTop && name === TRASH_NAME) continue;
      if (isTop && !(name.startsWith(root.before) && name.endsWith(root.after))) continue;
      if (request.worktrees.includes(path) || request.protectedPaths.some((place) => isWithin(path, place))) continue;
      // A name with a slash makes folders above its worktree.
      if (request.worktrees.some((worktree) => isWithin(worktree, path))) enter(path, false);
      else strays.push(strayAt(path, request.commonDir));
    }
  };
  try {
    if (lstatSync(nativePath(root.folder), { throwIfNoEntry: false }) !== undefined) enter(root.folder, true);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    faults.push(`the managed root ${root.folder} cannot be read (${(fault as NodeJS.ErrnoException).code})`);
  }
  return { strays, faults };
}

function namesIn(folder: string): string[] {
  return readdirSync(nativePath(folder), { encoding: 'buffer' })
    .map((name) => name.toString('latin1'))
    .sort();
}

function strayAt(path: AbsPath, commonDir: AbsPath): StrayFacts {
  try {
    const stats = lstatSync(nativePath(path));
    if (stats.isSymbolicLink()) return { path, what: 'link', of: null };
    if (!stats.isDirectory()) return { path, what: 'file', of: null };
    const dot = lstatSync(nativePath(`${path}/.git`), { throwIfNoEntry: false });
    if (dot === undefined) return { path, what: 'folder', of: null };
    if (dot.isDirectory()) return { path, what: 'repository', of: path };
    const pointer = readPointer(path);
    if (pointer.kind !== 'known') return { path, what: 'broken', of: null };
    const owner = commonDirOf(pointer.value);
    return { path, what: isSame(owner, statSync(nativePath(commonDir))) ? 'unregistered' : 'worktree', of: owner };
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return { path, what: 'unreadable', of: null };
  }
}
