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
