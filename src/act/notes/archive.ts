/** Keeps copies of the ignored files of a worktree that nothing makes again, before it is put aside. */
import { lstatSync, mkdirSync, readlinkSync, statfsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { AbsPath } from '../../judge/facts/names.ts';
import type { NotesPlace } from '../../judge/facts/place.ts';
import type { WorktreePermit } from '../../judge/permit.ts';
import type { NoteFile } from '../../state/notes/record.ts';
import { draftNote, finishNote, storedAt } from '../../state/notes/store.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { copyFile, NotCopied } from '../../system/copy-file.ts';
import { sayFault, syncFolder } from '../../system/files.ts';
import { realPath } from '../../system/paths.ts';
import type { Acting } from '../acting.ts';
import { Stop } from '../worktrees/stop.ts';

/** What was copied, and where the copies are. */
export interface Archived {
  /** The note's folder, as a byte string. */
  readonly folder: AbsPath;
  readonly files: readonly NoteFile[];
}

/** Room that is left for others, in bytes. */
const SPARE = 16 * 1024 * 1024;

/**
 * Copies them, and reads every copy back. Whatever it leaves behind when it throws is a note that does not count.
 * @param id of the act in the journal. @param paths relative to the worktree.
 * @throws Stop, and the system's own fault
 */
export function archiveIgnored(
  permit: WorktreePermit,
  { commonDir, folder: { account } }: Acting,
  { place, id, paths }: { readonly place: NotesPlace; readonly id: string; readonly paths: readonly string[] },
): Archived {
  const folder = draftNote(place, id, account);
  requireRoom(folder, permit.path, paths);
  const folders = new Set([posix.dirname(storedAt(folder, { path: 'x' }))]);
  const files = paths.map((path) => {
    const stored = storedAt(folder, { path });
    const above = posix.dirname(stored);
    if (!folders.has(above)) {
      mkdirSync(nativePath(above), { recursive: true, mode: 0o700 });
      for (let at = above; !folders.has(at); at = posix.dirname(at)) folders.add(at);
    }
    const file = noteOf(permit.path, path, stored);
    if (file.kind === 'file' && copyFile(stored, null).sha256 !== file.sha256)
      throw new Stop('failed', `the copy of ${path} is not what was copied`);
    return file;
  });
  for (const made of folders) syncFolder(nativePath(made));
  const { branch, head, path: worktree } = permit;
  finishNote(folder, { id, kind: 'ignored', repository: commonDir, worktree, branch, head }, files);
  return { folder: folder as AbsPath, files };
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

/** @param stored where it is copied to; null: it is only read. @throws Stop */
function noteOf(top: string, path: string, stored: string | null): NoteFile {
  const from = `${top}/${path}`;
  try {
    // A link on the way would lead to somebody else's files.
    if (realPath(posix.dirname(from)) !== posix.dirname(`${realPath(top)}/${path}`))
      throw new Stop('kept', `there is a link on the way to ${path} now`);
    const stats = lstatSync(nativePath(from), { bigint: true });
    const mode = Number(stats.mode & 0o7777n);
    const about = { path, mode, modified: String(stats.mtimeNs) };
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(nativePath(from), { encoding: 'buffer' });
      const sha256 = createHash('sha256').update(target).digest('hex');
      return { ...about, kind: 'link', size: target.length, sha256, target: target.toString('latin1') };
    }
    if (!stats.isFile()) return { ...about, kind: 'other', size: 0, sha256: null, target: null };
    const { size, sha256, mode: copied, modified } = copyFile(from, stored);
    return { path, mode: copied, modified: String(modified), kind: 'file', size, sha256, target: null };
  } catch (fault) {
    if (fault instanceof Stop) throw fault;
    if (fault instanceof NotCopied) throw new Stop('kept', `${path}: ${fault.message}`);
    throw new Stop('failed', `${path} cannot be copied to the notes: ${sayFault(fault)}`);
  }
}

/** @throws Stop, and the system's own fault */
function requireRoom(folder: string, top: string, paths: readonly string[]): void {
  const { bavail, bsize, ffree, files } = statfsSync(toNative(folder));
  const bytes = paths.reduce(
    (sum, path) => sum + (lstatSync(nativePath(`${top}/${path}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (bytes + SPARE > bavail * bsize)
    throw new Stop('failed', `there is no room for a copy of its ignored files (${bytes} bytes) at ${folder}`);
  // Some file systems have no bound on the number of files, and say 0 of 0.
  if (files > 0 && paths.length > ffree)
    throw new Stop('failed', `there is no room for ${paths.length} more files at ${folder}`);
}
