/** Where the parts of a worktree are while it is put aside. All paths are byte strings. */
import type { AbsPath } from '../../judge/facts/names.ts';
import { holderOf, type KeptWorktree } from '../../state/trash/worktree-record.ts';
import { entryId, isSameFile } from '../../system/file-id.ts';
import type { HeldTree } from './dot-git.ts';

export interface KeptPlaces extends HeldTree {
  readonly tree: AbsPath;
  readonly holder: AbsPath;
  /** Its git directory: as deep as at home, so that what leads from there to the repository stays right. */
  readonly admin: AbsPath;
  /** Where a copy of that is made, as deep. */
  readonly copy: AbsPath;
  /** git's lock that was on it before, where it was coppice's own mark. */
  readonly mark: string;
}

/** @param entry the name of its entry in the trash. */
export function placesOf(commonDir: AbsPath, entry: string, kept: Pick<KeptWorktree, 'elsewhere'>): KeptPlaces {
  const state = `${commonDir}/coppice`;
  const holder = holderOf(kept, `${state}/trash/${entry}`) as AbsPath;
  return {
    holder,
    tree: `${holder}/tree` as AbsPath,
    admin: `${state}/${entry}` as AbsPath,
    copy: `${state}/${entry}.copy` as AbsPath,
    mark: markOf(commonDir, entry),
  };
}

/** Where the mark is kept that git's lock was. */
export function markOf(commonDir: AbsPath, entry: string): string {
  return `${commonDir}/coppice/trash/${entry}/mark`;
}

/** A worktree's git directory at home. */
export function homeOf(commonDir: AbsPath, admin: string): AbsPath {
  return `${commonDir}/worktrees/${admin}` as AbsPath;
}

/** Where its tree is, as the disk tells. `gone`: at neither place. */
export function whereIs(kept: KeptWorktree, { tree }: KeptPlaces, home: AbsPath): 'trash' | 'home' | 'gone' {
  if (isSameFile(kept.ids.folder, entryId(tree))) return 'trash';
  return isSameFile(kept.ids.folder, entryId(home)) ? 'home' : 'gone';
}
