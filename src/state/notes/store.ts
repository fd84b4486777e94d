/** Reading and writing notes. What was never finished, or is damaged, is named and never believed. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { NotesPlace } from '../../judge/facts/place.ts';
import { toNative } from '../../system/bytes.ts';
import { ensurePrivateDir, provePrivateDir, readBounded, sayFault, writeAtomic } from '../../system/files.ts';
import { JOURNAL_ID, timeOfRun } from '../ids.ts';
import { parseState, readState, toJson, writeState } from '../store.ts';
import { FILE, NOTE, type NoteFile, type NoteHead } from './record.ts';

/** The largest list that is read, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** One note's folder. */
export interface Note {
  readonly id: string;
  /** The name of the folder that it lies in. */
  readonly root: string;
  /** Native. */
  readonly path: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** Unknown: it was never finished, or cannot be understood. */
  readonly head: Fact<NoteHead>;
}

/** All of this account, oldest first. @param home coppice's own folder, native; null: there is none. */
export function listNotes(home: string | null, account: number | null): Fact<readonly Note[]> {
  if (home === null || account === null) return known([]);
  const top = `${home}/notes`;
  const proof = provePrivateDir(top, { account, from: home });
  if (proof.kind !== 'known') return proof.kind === 'absent' ? known([]) : proof;
  try {
    const notes = readdirSync(top).flatMap((root) => notesIn(`${top}/${root}`, root, account));
    return known(notes.sort((a, b) => (a.id < b.id ? -1 : 1)));
  } catch (fault) {
    return unknown(`the notes cannot be listed: ${sayFault(fault)}`);
  }
}

function notesIn(folder: string, root: string, account: number): Note[] {
  if (provePrivateDir(folder, { account }).kind !== 'known') return [];
  return readdirSync(folder)
    .filter((id) => JOURNAL_ID.test(id))
    .map((id) => noteAt(folder, root, id, account));
}

function noteAt(folder: string, root: string, id: string, account: number): Note {
  const path = `${folder}/${id}`;
  return { id, root, path, at: timeOfRun(id), head: readHead(path, id, account) };
}

function readHead(path: string, id: string, account: number): Fact<NoteHead> {
  const head = readState(`${path}/note.json`, NOTE, account);
  if (head.kind === 'absent') return unknown('it was never finished');
  return head.kind === 'known' && head.value.id !== id ? unknown('it names another note') : head;
}

/** One note by its folder. @param folder a byte string. Absent: nothing is there. */
export function readNote(folder: string, account: number): Fact<Note> {
  const path = toNative(folder);
  const id = posix.basename(path);
  // Nothing can be proven of a folder above it that is not there either.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return absent;
  const proof = provePrivateDir(path, { account });
  if (proof.kind !== 'known') return proof;
  const folderOf = posix.dirname(path);
  return known(noteAt(folderOf, posix.basename(folderOf), id, account));
}

/** The files of a note, as they were listed when it was made. */
export function readNoteFiles(note: Note, account: number): Fact<readonly NoteFile[]> {
  const { head, path } = note;
  if (head.kind !== 'known') return head;
  const bytes = readBounded(`${path}/files.jsonl`, LARGEST, { owner: account });
  if (bytes.kind !== 'known') return bytes.kind === 'absent' ? unknown('the list of its files is gone') : bytes;
  if (digest(bytes.value) !== head.value.list) return unknown('the list of its files is not the one that was made');
  const files: NoteFile[] = [];
  for (const line of bytes.value.toString('latin1').split('\n').slice(0, -1)) {
    const one = parseState(Buffer.from(line, 'latin1'), FILE);
    if (one.kind !== 'known') return one.kind === 'absent' ? absent : unknown(one.reason);
    files.push(one.value);
  }
  return known(files);
}

/** Where a file of a note lies, as a byte string. @param folder of the note, a byte string */
export function storedAt(folder: string, file: Pick<NoteFile, 'path'>): string {
  return `${folder}/files/${file.path}`;
}

/**
 * The folder of a note that is to be made, as a byte string; nothing in it counts before `finishNote`.
 * @throws UserError `unsafe-folder`
 */
export function draftNote({ home, folder }: NotesPlace, id: string, account: number): string {
  ensurePrivateDir(`${toNative(folder)}/${id}/files`, { account, from: toNative(home) });
  return `${folder}/${id}`;
}

/** Puts the list and, last, the head on the disk. @throws UserError `write-failed` */
export function finishNote(
  folder: string,
  about: Omit<NoteHead, 'count' | 'bytes' | 'list'>,
  files: readonly NoteFile[],
): void {
  const path = toNative(folder);
  const lines = files.map((file) => `${JSON.stringify(toJson({ schema: FILE.schema, ...FILE.write(file) }))}\n`);
  const list = Buffer.from(lines.join(''), 'utf8');
  writeAtomic(`${path}/files.jsonl`, list, 0o600);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  writeState(`${path}/note.json`, NOTE, { ...about, count: files.length, bytes, list: digest(list) });
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
