import type { Evidence } from '../../evidence.ts';
import type { MergeFacts } from '../../facts/branch.ts';
import type { Survey } from '../../facts/survey.ts';
import type { AdminFacts, Sample, WorktreeContents, WorktreeFacts } from '../../facts/worktree.ts';

/** A question asked of every worktree. Null: it does not hold it. */
export type WorktreeHold = (worktree: WorktreeFacts, survey: Survey) => Evidence | null;

/** A question about its files; asked only when they were read. */
export type ContentHold = (contents: WorktreeContents, worktree: WorktreeFacts, survey: Survey) => Evidence | null;

/** A question about its own git directory; asked only when that was read. */
export type AdminHold = (admin: AdminFacts, worktree: WorktreeFacts, survey: Survey) => Evidence | null;

/** A question about how what it has checked out stands to the base; asked only when that is known. */
export type HeadHold = (merge: MergeFacts, worktree: WorktreeFacts, survey: Survey) => Evidence | null;

/** `3 files: a, b, c`, or `7 files, such as a, b, c`. */
export function listed({ count, names }: Sample, one: string, many = `${one}s`): string {
  const shown = names.slice(0, 3).join(', ');
  return count <= 3 ? `${count} ${count === 1 ? one : many}: ${shown}` : `${count} ${many}, such as ${shown}`;
}

/** A path as a shell takes it, when that is sure; null: it holds bytes that a terminal should not see. */
export function quoted(path: string): string | null {
  if (/^[\w@%+=:,./-]+$/.test(path)) return path;
  return /^[\x20-\x7e]+$/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : null;
}

/** A git command in a worktree, with its folder quoted. */
export function gitIn(path: string, command: string): string | null {
  const folder = quoted(path);
  return folder === null ? null : `git -C ${folder} ${command}`;
}
