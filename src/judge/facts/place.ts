/** Places that are no worktree of this repository. */
import type { AbsPath } from './names.ts';

/** An entry in a managed root that is no worktree of this repository. */
export interface StrayFacts {
  readonly path: AbsPath;
  /**
   * `worktree`: of another repository. `unregistered`: its `.git` file names this repository, which does not list it.
   * `broken`: its `.git` file cannot be understood.
   */
  readonly what: 'repository' | 'worktree' | 'unregistered' | 'folder' | 'file' | 'link' | 'broken' | 'unreadable';
  /** The repository it is, or belongs to; null where it does not say. */
  readonly of: AbsPath | null;
}

/** Where copies of what nothing makes again are kept. Byte strings. */
export interface NotesPlace {
  /** coppice's own folder: from there on it is to be this account's alone. */
  readonly home: string;
  /** Those of this repository and its clones; it may have to be made. */
  readonly folder: string;
}
