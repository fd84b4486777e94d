/** A note that is being made: nothing in it counts before it is finished. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statfsSync } from 'node:fs';
import { posix } from 'node:path';
import type { NotesPlace } from '../../judge/facts/place.ts';
import type { SavePermit, WorktreePermit } from '../../judge/permit.ts';
import type { NoteFile, NoteHead } from '../../state/notes/record.ts';
import { draftNote, finishNote, storedAt } from '../../state/notes/store.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { copyEntry, copyFile, NotCopied } from '../../system/copy-file.ts';
import { sayFault, syncFolder } from '../../system/files.ts';
import { createFile } from '../../system/create-file.ts';
import { Stop } from '../worktrees/stop.ts';

/** Room that is left for others, in bytes. */
const SPARE = 16 * 1024 * 1024;

/** What of a note its maker knows; the rest follows from its files. */
export type NoteAbout = Omit<NoteHead, 'count' | 'bytes' | 'list'>;

export class NoteDraft {
  /** Its folder, as a byte string. */
  readonly folder: string;
  private readonly files: NoteFile[] = [];
  private readonly folders: Set<string>;

  /** @throws UserError `unsafe-folder` */
  constructor(_permit: WorktreePermit | SavePermit, place: NotesPlace, id: string, account: number) {
    this.folder = draftNote(place, id, account);
    this.folders = new Set([posix.dirname(storedAt(this.folder, { path: 'x' }))]);
  }

  /**
   * @param paths of files that are to be copied, below `top`. @param more bytes besides.
   * @throws Stop, and the system's own fault
   */
  requireRoom(top: string, paths: readonly string[], more = 0): void {
    const { bavail, bsize, ffree, files } = statfsSync(toNative(this.folder));
    const bytes = paths.reduce((sum, path) => sum + sizeOf(`${top}/${path}`), more);
    if (bytes + SPARE > bavail * bsize)
      throw new Stop('failed', `there is no room for ${bytes} bytes of copies at ${this.folder}`);
    // Some file systems have no bound on the number of files, and say 0 of 0.
    if (files > 0 && paths.length > ffree)
      throw new Stop('failed', `there is no room for ${paths.length} more files at ${this.folder}`);
  }

  /** Copies what lies at `path` below `top`, and reads the copy back. @param as its path in the note. @throws Stop */
  copy(top: string, path: string, as: string): void {
    const stored = this.place(as);
    const file = { ...noteOf(top, path, stored), path: as };
    if (file.kind === 'file') this.requireSame(stored, file.sha256);
    this.files.push(file);
  }

  /** The same with bytes that are no file yet. @param mode permissions. @throws Stop */
  write(bytes: Uint8Array, as: string, mode: number): void {
    const stored = this.place(as);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    try {
      createFile(stored, bytes);
    } catch (fault) {
      throw new Stop('failed', `${as} cannot be written: ${sayFault(fault)}`);
    }
    this.requireSame(stored, sha256);
    this.files.push({ path: as, kind: 'file', mode, size: bytes.length, sha256, modified: '0', target: null });
  }

  /** @throws UserError `write-failed`, and the system's own fault */
  finish(about: NoteAbout): readonly NoteFile[] {
    for (const made of this.folders) syncFolder(nativePath(made));
    finishNote(this.folder, about, this.files);
    return this.files;
  }

  private place(as: string): string {
    const stored = storedAt(this.folder, { path: as });
    const above = posix.dirname(stored);
    if (this.folders.has(above)) return stored;
    try {
      mkdirSync(nativePath(above), { recursive: true, mode: 0o700 });
    } catch (fault) {
      throw new Stop('failed', `${above} cannot be made: ${sayFault(fault)}`);
    }
    for (let at = above; !this.folders.has(at); at = posix.dirname(at)) this.folders.add(at);
    return stored;
  }

  private requireSame(stored: string, sha256: string | null): void {
    if (copyFile(stored, null).sha256 !== sha256) throw new Stop('failed', `${stored} is not what was copied`);
  }
}

/** @param stored where it is copied to; null: it is only read. @throws Stop */
export function noteOf(top: string, path: string, stored: string | null): NoteFile {
  try {
    return { path, ...copyEntry(top, path, stored) };
  } catch (fault) {
    if (fault instanceof NotCopied) throw new Stop('kept', `${path}: ${fault.message}`);
    throw new Stop('failed', `${path} cannot be copied to the notes: ${sayFault(fault)}`);
  }
}

function sizeOf(path: string): number {
  return lstatSync(nativePath(path), { throwIfNoEntry: false })?.size ?? 0;
}
