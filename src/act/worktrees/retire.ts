/**
 * Moves one worktree into the trash: everything that its git directory names is anchored first, then the tree goes,
 * then the directory, with a look after each. Whatever a look tells that was not judged puts all of it back.
 */
import { writeFileSync } from 'node:fs';
import { readTips, tipOf } from '../../git/read/named.ts';
import type { Survey } from '../../judge/facts/survey.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { WorktreeFacts } from '../../judge/facts/worktree.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { evidenceText, type WorktreePermit } from '../../judge/permit.ts';
import { judgeWorktree } from '../../judge/worktrees.ts';
import { entryOf } from '../../state/ids.ts';
import { beginAct, type Recording } from '../../state/journal.ts';
import { draftTrash } from '../../state/trash/store.ts';
import type { KeptWorktree } from '../../state/trash/worktree-record.ts';
import type { Surveyed } from '../../survey/survey.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { entryId, isSameFile } from '../../system/file-id.ts';
import { ensurePrivateDir, isFaultOf, sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { type Archived, archiveIgnored, requireArchived } from '../notes/archive.ts';
import { hideDotGit } from './dot-git.ts';
import { entriesIn, stateOf } from './git-directory.ts';
import { hasLock, lockText, takeLock } from './git-lock.ts';
import { moveFolder, PlaceTaken } from './move.ts';
import { type KeptPlaces, markOf, placesOf } from './places.ts';
import { putBack } from './put-back.ts';
import { saveWorktree, type SaveRequest } from './save.ts';
import { Stop } from './stop.ts';
import { toAnotherPlace } from './undo-words.ts';

/** What was read of it under the lock, and how it is read again. */
export interface Looked {
  readonly worktree: WorktreeFacts;
  readonly survey: Survey;
  readonly moved: Surveyed['moved'];
}

export type RetireRequest = Pick<SaveRequest, 'run' | 'base' | 'isAnchored'> & { readonly verb: string };

/** @throws UserError `journal-failed`: then nothing was changed */
export async function retireWorktree(
  acting: Acting,
  permit: WorktreePermit,
  looked: Looked,
  request: RetireRequest,
): Promise<Outcome> {
  const { commonDir, folder, world } = acting;
  const { row, path, admin, head, why, evidence } = permit;
  const recording = beginAct(folder, commonDir, world, admin, {
    verb: request.verb,
    subject: path,
    why,
    detail: { run: request.run, row, admin, tip: head, path, evidence, notes: notesOf(looked) },
  });
  recording.step('intent');
  const entry = entryOf(recording.id);
  const moving = { acting, permit, looked, request, id: recording.id, entry };
  try {
    await moveAside(moving);
  } catch (fault) {
    const stop = stopOf(fault);
    const outcome = await undoAll(moving, recording, stop ?? new Stop('failed', 'coppice made a mistake'));
    if (stop === null) throw fault;
    return outcome;
  }
  const unrecorded = attempt(() => recording.step('done'));
  const text = [why, unrecorded].filter((part) => part !== null).join('; ');
  return { status: 'done', text, undo: `coppice undo ${recording.id}` };
}

interface Moving {
  readonly acting: Acting;
  readonly permit: WorktreePermit;
  readonly looked: Looked;
  readonly request: RetireRequest;
  readonly id: string;
  readonly entry: string;
}

/** @throws Stop, and what is no fault of the system */
async function moveAside(moving: Moving): Promise<void> {
  const { acting, permit, looked, request, id, entry } = moving;
  const { gitDir, mark } = permit;
  requireSame(permit);
  const draft = draftTrash(acting.folder, entry);
  const text = lockText(id);
  if (!takeLock(gitDir, text, mark, markOf(acting.commonDir, entry)))
    throw new Stop('kept', 'somebody has just locked it');
  const archived = archive(moving);
  const { measure } = looked.worktree;
  const bytes = measure.kind === 'known' ? measure.value.bytes : 0;
  const saved = await saveWorktree(acting, { ...request, permit, draft, entry, id, archived, bytes });
  if (saved.kind !== 'known')
    throw new Stop('failed', `it cannot be put aside: ${saved.kind === 'unknown' ? saved.reason : 'nothing is there'}`);
  const kept = saved.value;
  const places = placesOf(acting.commonDir, entry, kept);
  if (kept.elsewhere !== null)
    ensurePrivateDir(toNative(kept.elsewhere), { account: acting.folder.account, from: toNative(permit.trash.from) });
  // Last, since no other place is asked again.
  requireSame(permit);
  moveTree(permit, places);
  hideDotGit(places);
  // What is written to the tree from here on has a later time than this.
  writeFileSync(nativePath(`${places.holder}/sealed`), `${id}\n`, { flag: 'wx', mode: 0o600 });
  const now = await lookAtTree(moving, places);
  if (archived !== null) requireArchived(archived, places.tree, preciousOf(now));
  moveFolder(gitDir, places.admin);
  await lookAtGitDirectory(moving, kept, places);
}

/** The folder of the note that it may get; null: it gets none. */
function notesOf({ worktree, survey: { precious } }: Looked): string | null {
  const hasAny = preciousOf(worktree)?.length !== 0;
  return hasAny && precious.place.kind === 'known' ? precious.place.value.folder : null;
}

/** Null: more than can be told. */
function preciousOf({ contents }: WorktreeFacts): readonly string[] | null {
  return contents.kind === 'known' ? contents.value.precious.paths : null;
}

/** @returns null: there is nothing to be copied. @throws Stop, and the system's own fault */
function archive({ acting, permit, looked, id }: Moving): Archived | null {
  const { worktree, survey } = looked;
  const paths = preciousOf(worktree);
  if (paths?.length === 0) return null;
  const { place } = survey.precious;
  if (paths === null || place.kind !== 'known') throw new Stop('failed', 'its ignored files cannot be copied');
  return archiveIgnored(permit, acting, { place: place.value, id, paths });
}

/** The judged folders, and no others that bear their names by now. */
function requireSame({ path, gitDir, ids }: WorktreePermit): void {
  if (!isSameFile(ids.folder, entryId(path))) throw new Stop('kept', `another folder is at ${path} now`);
  if (!isSameFile(ids.gitDir, entryId(gitDir))) throw new Stop('kept', 'it has another git directory now');
}

function moveTree({ path, ids }: WorktreePermit, { tree }: KeptPlaces): void {
  try {
    moveFolder(path, tree);
  } catch (fault) {
    if (fault instanceof PlaceTaken) throw new Stop('failed', 'its place in the trash is taken');
    if (isFaultOf(fault, 'ENOENT')) throw new Stop('kept', 'it is not there any more');
    throw new Stop(
      'failed',
      `trash-unreachable: it cannot be moved to ${tree}: ${sayFault(fault)}; trash.path names another trash`,
    );
  }
  if (!isSameFile(ids.folder, entryId(tree))) throw new Stop('kept', 'another folder has just taken its place');
}

async function lookAtTree({ permit, looked }: Moving, { tree }: KeptPlaces): Promise<WorktreeFacts> {
  const { worktree, survey, moved } = looked;
  const now = await moved(worktree, tree);
  const row = judgeWorktree(now, survey);
  if (row.action !== 'remove') throw new Stop('kept', `${row.reason.code}, while it was moved: ${row.reason.text}`);
  if (evidenceText(row.evidence) !== permit.evidence)
    throw new Stop('kept', 'what was found in it changed while it was moved');
  return now;
}

async function lookAtGitDirectory(
  { acting, permit, id }: Moving,
  kept: KeptWorktree,
  { admin }: KeptPlaces,
): Promise<void> {
  if (!isSameFile(permit.ids.gitDir, entryId(admin)))
    throw new Stop('kept', 'its git directory was replaced while it was moved');
  if (!hasLock(admin, lockText(id))) throw new Stop('kept', 'its lock was taken away while it was moved');
  if (stateOf(entriesIn(admin)) !== kept.state) throw new Stop('kept', 'its git directory changed while it was moved');
  if (kept.branch === null) return;
  const tip = tipOf(await readTips(acting.git, kept.branch), kept.branch);
  if (tip.kind === 'unknown') throw new Stop('failed', `its branch cannot be read: ${tip.reason}`);
  if (tip.kind !== 'known' || tip.value !== kept.head)
    throw new Stop('kept', 'its branch was moved while it was moved');
}

async function undoAll(
  { acting, permit, looked, entry, id }: Moving,
  recording: Recording,
  stop: Stop,
): Promise<Outcome> {
  const { admin, path } = permit;
  const back = await putBack(acting, { id, entry, admin, path, notes: notesOf(looked) });
  if (back.kind === 'back') {
    attempt(() => recording.step(stop.kind, stop.message));
    return { status: stop.kind, text: stop.message, undo: null };
  }
  const text = `${stop.message}; ${back.text}`;
  // What is not ended is looked at again by who acts next.
  if (back.kind === 'blocked') attempt(() => recording.step('blocked', text));
  return { status: 'failed', text, undo: back.kind === 'blocked' ? toAnotherPlace(id, permit.path) : null };
}

/** Null: it is no fault of the system. */
function stopOf(fault: unknown): Stop | null {
  if (fault instanceof Stop) return fault;
  if (fault instanceof UserError) return new Stop('failed', fault.message);
  return fault instanceof Error && 'errno' in fault ? new Stop('failed', sayFault(fault)) : null;
}

function attempt(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (fault) {
    if (fault instanceof UserError) return fault.message;
    throw fault;
  }
}
