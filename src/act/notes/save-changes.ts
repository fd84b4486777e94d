/** Copies what differs from the commit in a worktree that stays. The worktree is only read. */
import { readFileSync } from 'node:fs';
import { readBlobBytes } from '../../git/read/blob-bytes.ts';
import type { NotesPlace } from '../../judge/facts/place.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { Changes, WorktreeFacts } from '../../judge/facts/worktree.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { permitPurge, type SavePermit } from '../../judge/permit.ts';
import { beginAct, type JournalEntry } from '../../state/journal.ts';
import { readNote } from '../../state/notes/store.ts';
import { readChanges } from '../../survey/salvage.ts';
import type { Surveyed } from '../../survey/survey.ts';
import { nativePath } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { isFaultOf, sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { Stop } from '../worktrees/stop.ts';
import { NoteDraft } from './draft.ts';
import { forgetNote } from './forget.ts';

/** What was read of it under the lock, and how it is read again. */
export interface SaveRequest {
  readonly run: string;
  readonly worktree: WorktreeFacts;
  readonly place: NotesPlace;
  readonly surveyed: Pick<Surveyed, 'moved' | 'patches'>;
}

/** @throws UserError `journal-failed`: then nothing was written */
export async function saveChanges(acting: Acting, permit: SavePermit, asked: SaveRequest): Promise<Outcome> {
  const { path, row } = permit;
  const recording = beginAct(acting.folder, acting.commonDir, acting.world, asked.worktree.admin ?? '', {
    verb: 'salvage',
    subject: path,
    why: 'what differs from its commit is copied',
    detail: { run: asked.run, row, notes: asked.place.folder },
  });
  recording.step('intent');
  try {
    await copyAll(acting, permit, asked, recording.id);
    recording.step('done');
    const { without } = changesOf(asked.worktree);
    const rest = without.length === 0 ? '' : `, but not what is in ${without.join(', ')}`;
    return { status: 'done', text: `its changes are kept: coppice salvage show ${recording.id}${rest}`, undo: null };
  } catch (fault) {
    const stop = stopOf(fault);
    const leave = permitPurge(recording.id, 0, 0, acting.world.now());
    if (leave !== null) forgetNote(leave, acting, `${asked.place.folder}/${recording.id}`);
    recording.step(stop.kind, stop.message);
    return { status: stop.kind, text: stop.message, undo: null };
  }
}

/** @throws Stop, UserError, and the system's own fault */
async function copyAll(
  { commonDir, folder, git }: Acting,
  permit: SavePermit,
  { worktree, place, surveyed }: SaveRequest,
  id: string,
): Promise<void> {
  const { path, branch, head, digest } = permit;
  const changes = changesOf(worktree);
  const blobs = await readBlobBytes(
    git,
    changes.index.flatMap(({ oid, mode }) => (oid === null || mode === GITLINK ? [] : [oid])),
  );
  if (blobs.kind !== 'known') throw unreadable(blobs);
  const patches = await surveyed.patches(worktree);
  if (patches.kind !== 'known') throw unreadable(patches);
  const { staged, unstaged } = patches.value;
  const present = changes.paths.filter((one) => isThere(`${path}/${one}`));

  const draft = new NoteDraft(permit, place, id, folder.account);
  const more = [...blobs.value.values(), staged, unstaged].reduce((sum, { length }) => sum + length, 0);
  draft.requireRoom(path, present, more);
  for (const one of present) draft.copy(path, one, `tree/${one}`);
  for (const { path: name, stage, mode, oid } of changes.index) {
    const bytes = oid === null ? undefined : blobs.value.get(oid);
    const as = stage === 0 ? `staged/${name}` : `conflicts/${STAGES[stage - 1]}/${name}`;
    if (bytes !== undefined) draft.write(bytes, as, mode === '100755' ? 0o755 : 0o644);
  }
  draft.write(staged, 'staged.patch', 0o644);
  draft.write(unstaged, 'unstaged.patch', 0o644);
  // git has no patch for a conflict.
  if (changes.index.some(({ stage }) => stage > 0))
    draft.write(readFileSync(nativePath(`${worktree.gitDir}/index`)), 'index', 0o644);
  const now = readChanges(path, head, changesOf(await surveyed.moved(worktree, path)));
  if (now.kind !== 'known') throw unreadable(now);
  if (now.value.digest !== digest) throw new Stop('kept', 'it was changed while it was copied');
  draft.finish({ id, kind: 'changes', repository: commonDir, worktree: path, branch, head, digest });
}

/** A commit of a submodule, which the note has no bytes of. */
const GITLINK = '160000';
const STAGES = ['base', 'ours', 'theirs'] as const;

function isThere(path: string): boolean {
  try {
    return entryId(path) !== null;
  } catch (fault) {
    // Below something that is a file now.
    if (isFaultOf(fault, 'ENOTDIR')) return false;
    throw fault;
  }
}

/** @throws Stop */
function changesOf({ contents }: WorktreeFacts): Changes {
  if (contents.kind === 'known') return contents.value.changes;
  throw unreadable(contents);
}

function unreadable(fact: { readonly kind: 'unknown'; readonly reason: string } | { readonly kind: 'absent' }): Stop {
  return new Stop('failed', `it cannot be copied: ${fact.kind === 'unknown' ? fact.reason : 'it was not read'}`);
}

/** What is no fault of the system is thrown on. */
function stopOf(fault: unknown): Stop {
  if (fault instanceof Stop) return fault;
  return new Stop('failed', fault instanceof UserError ? fault.message : sayFault(fault));
}

/** Ends one that a crash cut off: what was finished is whole, and the rest never counted. */
export function endOfSaving(acting: Acting, { id, detail }: JournalEntry): readonly ['done' | 'kept', string] | null {
  const { notes } = detail;
  if (typeof notes !== 'string') return ['kept', 'it was cut off before anything was copied'];
  const folder = `${notes}/${id}`;
  const note = readNote(folder, acting.folder.account);
  if (note.kind === 'known' && note.value.head.kind === 'known') return ['done', 'ended after it was cut off'];
  const leave = permitPurge(id, 0, 0, acting.world.now());
  const why = note.kind === 'absent' || leave === null ? null : forgetNote(leave, acting, folder);
  return why === null ? ['kept', 'it was cut off before all was copied'] : null;
}
