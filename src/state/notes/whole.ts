/** Is a note still what it was when it was made? */
import type { AbsPath } from '../../judge/facts/names.ts';
import { readNote, readNoteFiles, storedAt } from './store.ts';
import type { NoteFile } from './record.ts';
import { copyFile, NotCopied } from '../../system/copy-file.ts';
import { isFaultOf, sayFault } from '../../system/files.ts';

/**
 * Reads every copy of it to its end.
 * @param folder of the note, as a byte string. @returns null: it is whole, with so many files; else what is wrong with it.
 */
export function whyNotWhole(folder: AbsPath, count: number, account: number): string | null {
  const note = readNote(folder, account);
  if (note.kind === 'absent') return 'they were deleted';
  if (note.kind === 'unknown') return note.reason;
  const files = readNoteFiles(note.value, account);
  if (files.kind !== 'known') return files.kind === 'unknown' ? files.reason : 'their list is gone';
  if (files.value.length !== count) return 'they are not of all of them';
  for (const file of files.value) {
    const why = whyNotStored(folder, file);
    if (why !== null) return why;
  }
  return null;
}

/** @returns why the copy of one file is not what it was; null: it is. */
export function whyNotStored(folder: string, file: NoteFile): string | null {
  if (file.kind !== 'file') return null;
  try {
    const { sha256 } = copyFile(storedAt(folder, file), null);
    return sha256 === file.sha256 ? null : `the copy of ${file.path} is damaged`;
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return `the copy of ${file.path} is gone`;
    return `the copy of ${file.path} cannot be read: ${fault instanceof NotCopied ? fault.message : sayFault(fault)}`;
  }
}
