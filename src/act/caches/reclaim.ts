/**
 * Moves what tools make again in one worktree into the trash, with a look at all of it afterwards. Whatever that tells
 * that was not judged puts all of it back.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { judgeCache } from '../../judge/caches.ts';
import type { Survey } from '../../judge/facts/survey.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { CacheFolder, WorktreeFacts } from '../../judge/facts/worktree.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { type CachePermit, evidenceText } from '../../judge/permit.ts';
import { entryOf } from '../../state/ids.ts';
import { beginAct, type Recording } from '../../state/journal.ts';
import { type KeptCache, writeKeptCache } from '../../state/trash/cache-record.ts';
import { draftTrash, finishTrash } from '../../state/trash/store.ts';
import { holderOf } from '../../state/trash/worktree-record.ts';
import type { Surveyed } from '../../survey/survey.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { entryId, fileId, isSameFile } from '../../system/file-id.ts';
import { ensurePrivateDir, isFaultOf, sayFault, syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { moveFolder, PlaceTaken } from '../worktrees/move.ts';
import { Stop } from '../worktrees/stop.ts';
import { toAnotherPlace } from '../worktrees/undo-words.ts';
import { entryFolder, shelfOf, slotsOf } from './places.ts';
import { putBackCache } from './put-back.ts';

/** What was read of the worktree under the lock, and how it is read again. */
export interface LookedCache {
  readonly worktree: WorktreeFacts;
  readonly survey: Survey;
  readonly movedCaches: Surveyed['movedCaches'];
}

export interface ReclaimRequest {
  readonly verb: string;
  readonly run: string;
}

/** @throws UserError `journal-failed`: then nothing was changed */
export async function reclaimCache(
  acting: Acting,
  permit: CachePermit,
  looked: LookedCache,
  { verb, run }: ReclaimRequest,
): Promise<Outcome> {
  const { commonDir, folder, world } = acting;
  const { row, path, admin, why, evidence } = permit;
  const recording = beginAct(folder, commonDir, world, admin, {
    verb,
    subject: path,
    why,
    detail: { run, row, cache: admin, path, evidence },
  });
  recording.step('intent');
  const entry = entryOf(recording.id);
  try {
    await moveAside(acting, permit, looked, { id: recording.id, run, entry });
  } catch (fault) {
    const stop = stopOf(fault);
    const outcome = putAllBack(acting, recording, entry, stop ?? new Stop('failed', 'coppice made a mistake'));
    if (stop === null) throw fault;
    return outcome;
  }
  recording.step('done');
  return { status: 'done', text: why, undo: `coppice undo ${recording.id}` };
}

interface Names {
  readonly id: string;
  readonly run: string;
  readonly entry: string;
}

/** @throws Stop, and the system's own faults */
async function moveAside(acting: Acting, permit: CachePermit, looked: LookedCache, names: Names): Promise<void> {
  const { commonDir, folder, world } = acting;
  const { path, admin, row, folders, trash } = permit;
  const { id, run, entry } = names;
  requireSame(permit);
  const draft = draftTrash(folder, entry);
  const own = entryFolder(commonDir, entry);
  const elsewhere = trash.folder === own.slice(0, own.lastIndexOf('/')) ? null : `${trash.folder}/${entry}`;
  const kept: KeptCache = {
    id,
    run,
    row,
    admin,
    path,
    folder: permit.id,
    elsewhere: elsewhere as KeptCache['elsewhere'],
    folders: folders.map((one) => ({ path: one.path, id: one.id })),
    bytes: folders.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  writeKeptCache(draft.path, kept);
  finishTrash(
    draft,
    { run: entry, time: world.now(), commonDir: fileId(commonDir), pack: null, isAnchored: false },
    { branches: [], reflogs: Buffer.alloc(0), config: Buffer.alloc(0) },
  );
  if (elsewhere !== null)
    ensurePrivateDir(toNative(elsewhere), { account: folder.account, from: toNative(trash.from) });
  const holder = holderOf(kept, own);
  const shelf = shelfOf(holder) as KeptCache['path'];
  mkdirSync(nativePath(shelf), { mode: 0o700 });
  syncFolder(nativePath(holder));
  for (const { folder: one, slot } of slotsOf(kept, own)) {
    requireSame(permit);
    move(`${path}/${one.path}`, slot);
    if (!isSameFile(one.id, entryId(slot))) throw new Stop('kept', `another folder has just come to ${one.path}`);
  }
  // What is written to them from here on has a later time than this.
  writeFileSync(nativePath(`${holder}/sealed`), `${id}\n`, { flag: 'wx', mode: 0o600 });
  requireAlike(permit, await looked.movedCaches(looked.worktree, shelf), looked.survey);
}

/** The judged worktree, and no other that is there by now. */
function requireSame({ path, id }: CachePermit): void {
  if (!isSameFile(id, entryId(path))) throw new Stop('kept', `another folder is at ${path} now`);
}

function move(from: string, to: string): void {
  try {
    moveFolder(from, to);
  } catch (fault) {
    if (fault instanceof PlaceTaken) throw new Stop('failed', 'its place in the trash is taken');
    if (isFaultOf(fault, 'ENOENT')) throw new Stop('kept', `${from} is not there any more`);
    throw new Stop('failed', `trash-unreachable: ${from} cannot be moved to ${to}: ${sayFault(fault)}`);
  }
}

/** @throws Stop */
function requireAlike({ evidence, folders }: CachePermit, now: WorktreeFacts, survey: Survey): void {
  const row = judgeCache(now, survey);
  if (row === null || row.action !== 'remove')
    throw new Stop('kept', row === null ? 'it is empty' : `${row.reason.code}, while it was moved: ${row.reason.text}`);
  const moved = now.caches.kind === 'known' ? now.caches.value : [];
  if (evidenceText(row.evidence) !== evidence || !folders.every((one, at) => isAlike(one, moved[at])))
    throw new Stop('kept', 'what was found in it changed while it was moved');
}

function isAlike(one: CacheFolder, other: CacheFolder | undefined): boolean {
  return (
    other !== undefined &&
    one.path === other.path &&
    isSameFile(one.id, other.id) &&
    one.bytes === other.bytes &&
    one.lastChange === other.lastChange
  );
}

function putAllBack(acting: Acting, recording: Recording, entry: string, stop: Stop): Outcome {
  const back = putBackCache(acting, entry);
  if (back.kind === 'back') {
    recording.step(stop.kind, stop.message);
    return { status: stop.kind, text: stop.message, undo: null };
  }
  const text = `${stop.message}; ${back.text}`;
  // What is not ended is looked at again by who acts next.
  if (back.kind === 'stuck') return { status: 'failed', text, undo: null };
  recording.step('blocked', text);
  return { status: 'failed', text, undo: toAnotherPlace(recording.id, back.path) };
}

/** Null: it is no fault of the system. */
function stopOf(fault: unknown): Stop | null {
  if (fault instanceof Stop) return fault;
  if (fault instanceof UserError) return new Stop('failed', fault.message);
  return fault instanceof Error && 'errno' in fault ? new Stop('failed', sayFault(fault)) : null;
}
