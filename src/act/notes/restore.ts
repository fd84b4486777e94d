/** Makes the files of a note again, in the place where they were or in another one. Nothing that is there is touched. */
import { chmodSync, linkSync, lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { permitUnpack, type UnpackPermit } from '../../judge/permit.ts';
import type { NoteFile, NoteHead } from '../../state/notes/record.ts';
import { type Note, readNoteFiles, storedAt } from '../../state/notes/store.ts';
import { nativePath, toByteString } from '../../system/bytes.ts';
import { copyFile, NotCopied } from '../../system/copy-file.ts';
import { isFaultOf, sayFault, syncFolder } from '../../system/files.ts';
import { realPath } from '../../system/paths.ts';
import { removeIfThere } from '../../system/remove-file.ts';
import type { ActWorld } from '../acting.ts';
import { whyNotStored } from '../../state/notes/whole.ts';

/** What became of it. Paths are byte strings. */
export interface Restored {
  readonly head: NoteHead;
  /** Where the files are now. */
  readonly folder: AbsPath;
  /** How many were made. */
  readonly made: number;
  /** How many were there already, the very same. */
  readonly there: number;
  /** What cannot be made again: sockets, FIFOs and devices. */
  readonly skipped: readonly string[];
}

/**
 * @param to absolute, as a byte string; null: where they were.
 * @throws UserError `note-unreadable`, `no-such-folder`, `path-taken`, `not-restored`
 */
export function restoreNote({ account, random }: ActWorld, note: Note, to: string | null): Restored {
  const folder = toByteString(note.path);
  const { head, files: all } = readWhole(note, folder, account);
  const top = topOf(head, to);
  // At home only files have a place; how they stood in the index has none.
  const isHome = head.kind === 'changes' && to === null;
  const files = isHome ? all.flatMap(inTree) : all.map((file) => ({ ...file, from: file.path }));
  const wanted = files.filter(({ kind }) => kind !== 'other');
  const there = new Map(wanted.map((file) => [file, lookAt(top, file)]));
  const permit = permitUnpack(top, [...there.values()]);
  if (permit === null) throw taken(note.id, head, top, there);
  const missing = wanted.filter((file) => there.get(file)?.kind === 'absent');
  for (const file of missing) make(permit, folder, file, random);
  return {
    head,
    folder: top,
    made: missing.length,
    there: wanted.length - missing.length,
    skipped: files.filter(({ kind }) => kind === 'other').map(({ path }) => path),
  };
}

/** A file, and its path in the note. */
type Wanted = NoteFile & { readonly from: string };

function inTree(file: NoteFile): Wanted[] {
  const path = /^tree\/(.*)$/s.exec(file.path)?.[1];
  return path === undefined ? [] : [{ ...file, path, from: file.path }];
}

/** Every copy is read before anything is made. */
function readWhole(note: Note, folder: string, account: number | null) {
  const refuse = (why: string) => new UserError('note-unreadable', `${note.id} cannot be restored: ${why}`);
  const { head } = note;
  if (head.kind !== 'known' || account === null)
    throw refuse(head.kind === 'unknown' ? head.reason : 'it is not there');
  const files = readNoteFiles(note, account);
  if (files.kind !== 'known') throw refuse(files.kind === 'unknown' ? files.reason : 'the list of its files is gone');
  for (const file of files.value) {
    const why = whyNotStored(folder, file);
    if (why !== null) throw refuse(why);
  }
  return { head: head.value, files: files.value };
}

/** @throws UserError `no-such-folder` */
function topOf({ worktree }: NoteHead, to: string | null): AbsPath {
  if (to !== null) {
    try {
      mkdirSync(nativePath(to), { recursive: true });
      return realPath(to) as AbsPath;
    } catch (fault) {
      throw new UserError('no-such-folder', `${to} cannot be made: ${sayFault(fault)}`);
    }
  }
  if (statSync(nativePath(worktree), { throwIfNoEntry: false })?.isDirectory() === true)
    return realPath(worktree) as AbsPath;
  throw new UserError('no-such-folder', `${worktree} is not there`, { hint: 'name a folder for them with --to DIR' });
}

/** What is at its place; a link on the way leads to somebody else's files. */
function lookAt(top: string, file: NoteFile): Fact<'same' | 'other'> {
  const path = `${top}/${file.path}`;
  try {
    const parts = file.path.split('/').slice(0, -1);
    for (const [at] of parts.entries()) {
      const above = lstatSync(nativePath([top, ...parts.slice(0, at + 1)].join('/')), { throwIfNoEntry: false });
      if (above === undefined) return absent;
      if (!above.isDirectory()) return known('other');
    }
    const stats = lstatSync(nativePath(path), { throwIfNoEntry: false });
    if (stats === undefined) return absent;
    if (file.kind === 'link') {
      const isSame = stats.isSymbolicLink() && readTarget(path) === file.target;
      return known(isSame ? 'same' : 'other');
    }
    const isAlike = stats.isFile() && stats.size === file.size && (stats.mode & 0o777) === (file.mode & 0o777);
    return known(isAlike && copyFile(path, null).sha256 === file.sha256 ? 'same' : 'other');
  } catch (fault) {
    return unknown(fault instanceof NotCopied ? fault.message : sayFault(fault));
  }
}

function readTarget(path: string): string {
  return readlinkSync(nativePath(path), { encoding: 'buffer' }).toString('latin1');
}

const SHOWN = 3;

function taken(
  id: string,
  { kind }: NoteHead,
  top: AbsPath,
  there: ReadonlyMap<NoteFile, Fact<'same' | 'other'>>,
): UserError {
  const verb = kind === 'changes' ? 'salvage' : 'notes';
  const paths = [...there].flatMap(([{ path }, fact]) =>
    fact.kind === 'unknown' || (fact.kind === 'known' && fact.value === 'other') ? [path] : [],
  );
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return new UserError(
    'path-taken',
    `in ${top} there is something else at ${paths.slice(0, SHOWN).join(', ')}${more}`,
    {
      hint: `to another folder: coppice ${verb} restore ${id} --to DIR`,
    },
  );
}

/** @throws UserError `not-restored` */
function make({ folder: top }: UnpackPermit, note: string, file: Wanted, random: ActWorld['random']): void {
  const path = `${top}/${file.path}`;
  const temporary = `${posix.dirname(path)}/.coppice-${random(8).toString('hex')}.tmp`;
  try {
    mkdirSync(nativePath(posix.dirname(path)), { recursive: true });
    if (file.kind === 'link') {
      symlinkSync(Buffer.from(file.target ?? '', 'latin1'), nativePath(path));
      return;
    }
    if (copyFile(storedAt(note, { path: file.from }), temporary).sha256 !== file.sha256)
      throw new NotCopied('the copy has just changed');
    chmodSync(nativePath(temporary), file.mode & 0o777);
    // As exact as the system takes it from here: to a part of a microsecond.
    const seconds = Number(file.modified) / 1e9;
    utimesSync(nativePath(temporary), seconds, seconds);
    // A second name, not a rename: that would replace what is there.
    linkSync(nativePath(temporary), nativePath(path));
    removeIfThere(nativePath(temporary));
    syncFolder(nativePath(posix.dirname(path)));
  } catch (fault) {
    removeIfThere(nativePath(temporary));
    const why =
      fault instanceof NotCopied
        ? fault.message
        : isFaultOf(fault, 'EEXIST')
          ? 'something has just come there'
          : sayFault(fault);
    throw new UserError('not-restored', `${path} is not back: ${why}; what was made before it stays`);
  }
}
