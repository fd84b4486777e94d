/** Keeps copies of the ignored files of a worktree that nothing makes again, before it is put aside. */
import type { AbsPath } from '../../judge/facts/names.ts';
import type { NotesPlace } from '../../judge/facts/place.ts';
import type { WorktreePermit } from '../../judge/permit.ts';
import type { NoteFile } from '../../state/notes/record.ts';
import type { Acting } from '../acting.ts';
import { Stop } from '../worktrees/stop.ts';
import { NoteDraft, noteOf } from './draft.ts';

/** What was copied, and where the copies are. */
export interface Archived {
  /** The note's folder, as a byte string. */
  readonly folder: AbsPath;
  readonly files: readonly NoteFile[];
}

/**
 * Copies them, and reads every copy back. Whatever it leaves behind when it throws is a note that does not count.
 * @param id of the act in the journal. @param paths relative to the worktree.
 * @throws Stop, UserError, and the system's own fault
 */
export function archiveIgnored(
  permit: WorktreePermit,
  { commonDir, folder: { account } }: Acting,
  { place, id, paths }: { readonly place: NotesPlace; readonly id: string; readonly paths: readonly string[] },
): Archived {
  const { branch, head, path: worktree } = permit;
  const draft = new NoteDraft(permit, place, id, account);
  draft.requireRoom(worktree, paths);
  for (const path of paths) draft.copy(worktree, path, path);
  const files = draft.finish({ id, kind: 'ignored', repository: commonDir, worktree, branch, head, digest: null });
  return { folder: draft.folder as AbsPath, files };
}

/**
 * They are still what was copied, and there are no others.
 * @param tree where the worktree is by now. @param paths those that are in it by now; null: more than can be told.
 * @throws Stop
 */
export function requireArchived({ files }: Archived, tree: string, paths: readonly string[] | null): void {
  const known = new Set(files.map(({ path }) => path));
  const other = paths?.find((path) => !known.has(path));
  if (paths === null || other !== undefined || paths.length !== files.length)
    throw new Stop('kept', 'its ignored files are not those of which copies were made');
  for (const file of files) {
    const now = noteOf(tree, file.path, null);
    if (JSON.stringify(now) !== JSON.stringify(file))
      throw new Stop('kept', `${file.path} is not what it was when it was copied`);
  }
}
