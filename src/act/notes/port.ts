/** What verbs may do with notes. */
import { coppiceHome } from '../../config/homes.ts';
import { readPlace } from '../../git/read/repository.ts';
import { gitFor } from '../../git/run.ts';
import type { Fact } from '../../judge/facts/fact.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { permitPurge } from '../../judge/permit.ts';
import { beginAct } from '../../state/journal.ts';
import { withLifecycleLock } from '../../state/lifecycle-lock.ts';
import type { NoteFile, NoteHead } from '../../state/notes/record.ts';
import { listNotes, type Note, readNoteFiles } from '../../state/notes/store.ts';
import { timeOfRun } from '../../state/ids.ts';
import { toByteString } from '../../system/bytes.ts';
import type { Acting, ActWorld } from '../acting.ts';
import { recover } from '../recover.ts';
import { forgetNote } from './forget.ts';
import { restoreNote, type Restored } from './restore.ts';

export interface NotesPort {
  /** Those of the repository around `directory` and of its clones; null: all. `elsewhere` counts the others. */
  list(directory: string | null): Promise<{ readonly notes: readonly Note[]; readonly elsewhere: number }>;
  /** @throws UserError `no-such-id` */
  show(id: string): { readonly note: Note; readonly files: Fact<readonly NoteFile[]> };
  /** @param to absolute, as a byte string; null: where they were. @throws UserError as `restoreNote` does */
  restore(id: string, to: string | null): Restored;
  /** On record in the repository around `directory`. @throws UserError `no-such-id`, and those of the lock */
  remove(directory: string, id: string): Promise<{ readonly note: Note; readonly outcome: Outcome }>;
}

/** @param kind of the notes that are meant; what cannot be read is of any. */
export function notesPort(world: ActWorld, kind: NoteHead['kind']): NotesPort {
  const allNotes = () => notesOf(world, kind);
  return {
    list: async (directory) => {
      const all = allNotes();
      if (directory === null) return { notes: all, elsewhere: 0 };
      const { commonDir } = await readPlace(gitFor(directory, world.env));
      const isOwn = ({ head }: Note) => head.kind === 'known' && head.value.repository === commonDir;
      const roots = new Set(all.filter(isOwn).map(({ root }) => root));
      const notes = all.filter((note) => isOwn(note) || (roots.has(note.root) && note.root !== 'unrooted'));
      return { notes, elsewhere: all.length - notes.length };
    },
    show: (id) => {
      const note = noteNamed(allNotes(), id);
      return { note, files: readNoteFiles(note, world.account ?? -1) };
    },
    restore: (id, to) => restoreNote(world, noteNamed(allNotes(), id), to),
    remove: (directory, id) => removeNote(world, directory, id, allNotes),
  };
}

/** @throws UserError `notes-unreadable` */
function notesOf(world: ActWorld, kind: NoteHead['kind']): readonly Note[] {
  const notes = listNotes(coppiceHome(world), world.account);
  if (notes.kind === 'known')
    return notes.value.filter(({ head }) => head.kind !== 'known' || head.value.kind === kind);
  throw new UserError('notes-unreadable', toByteString(notes.kind === 'unknown' ? notes.reason : 'they are gone'));
}

/** @throws UserError `no-such-id` */
function noteNamed(notes: readonly Note[], id: string): Note {
  const note = notes.find((one) => one.id === id);
  if (note !== undefined) return note;
  throw new UserError('no-such-id', `there is no note ${id}`, { hint: 'list --all names all that there are' });
}

async function removeNote(
  world: ActWorld,
  directory: string,
  id: string,
  allNotes: () => readonly Note[],
): Promise<{ readonly note: Note; readonly outcome: Outcome }> {
  const git = gitFor(directory, world.env);
  const { commonDir } = await readPlace(git);
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git };
    await recover(acting);
    const note = noteNamed(allNotes(), id);
    const permit = permitPurge(id, timeOfRun(id), 0, world.now());
    if (permit === null) throw new UserError('no-such-id', `${id} is of a time that is yet to come`);
    const subject = toByteString(note.path);
    const recording = beginAct(folder, commonDir, world, 'notes', {
      verb: 'notes',
      subject,
      why: 'somebody asked for it',
      detail: {},
    });
    recording.step('intent');
    const why = forgetNote(permit, acting, subject);
    if (why === null) recording.step('done');
    else recording.step('failed', why);
    const text = why ?? 'deleted for good';
    return { note, outcome: { status: why === null ? 'done' : 'failed', text, undo: null } };
  });
}
