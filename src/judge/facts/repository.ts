import type { AbsPath, Oid, RefName } from './names.ts';

/** How the base was found. */
export type BaseHow = 'option' | 'config' | 'remote-head' | 'tracking-head' | 'conventional-name' | 'local-branch';

/** The branch that work is merged into, and the commit it was judged by. */
export interface Base {
  readonly ref: RefName;
  readonly oid: Oid;
  readonly how: BaseHow;
}

/** Whether the remote was read in this run. */
export interface FetchReport {
  readonly status: 'fresh' | 'skipped' | 'failed' | 'no-remote';
  /** When it was read, milliseconds since 1970; null when it was not. */
  readonly at: number | null;
  /** Why it failed or what else is worth knowing, as a byte string. */
  readonly detail: string | null;
}

/** The repository that was asked about. */
export interface Repository {
  /** The main worktree, or the git directory of a bare repository. */
  readonly path: AbsPath;
  /** The first commit of the base's first-parent line; null when unknown (shallow, no base). */
  readonly rootCommit: Oid | null;
}
