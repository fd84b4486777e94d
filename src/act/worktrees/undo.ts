/** Brings a worktree back: everything that could speak against it is asked before anything is changed. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, known } from '../../judge/facts/fact.ts';
import { type AbsPath, branchName, parseAbsPath, parseOid, type Oid, type RefName } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { quoted } from '../../judge/holds/worktree/hold.ts';
import { permitReturn, type ReturnPermit } from '../../judge/permit.ts';
import { detailOf, type PastAct } from '../../state/acts.ts';
import { entryOf } from '../../state/ids.ts';
import { beginAct } from '../../state/journal.ts';
import type { TrashEntry } from '../../state/trash/store.ts';
import { type KeptWorktree, readKeptWorktree } from '../../state/trash/worktree-record.ts';
import { nativePath } from '../../system/bytes.ts';
import { entryId, fileId, isSameFile } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { bringPacked } from '../branches/restore.ts';
import { vacancyOf, type View } from '../branches/undo.ts';
import type { Chosen } from '../undo-choice.ts';
import { entryNamed, requireOpen, type Undone } from '../undone.ts';
import { berthFor } from './berth.ts';
import { bringBranch } from './branch.ts';
import { hasLock, lockText } from './git-lock.ts';
import { homeOf, type KeptPlaces, placesOf, whereIs } from './places.ts';
import { type HeadChoice, returnWorktree } from './return.ts';
import { Stop } from './stop.ts';
import { toAnotherPlace } from './undo-words.ts';

/** How it is to come back, where not as it was. */
export interface WorktreeWay {
  /** Absolute, as a byte string; null: to its old place. */
  readonly to: string | null;
  /** A ref: a new branch at its commit. */
  readonly head: HeadChoice;
}

export interface WorktreeQuestion {
  readonly way: WorktreeWay;
  readonly view: View;
  readonly acts: ReadonlyMap<string, PastAct>;
  /** True: it alone was asked for, so that its failure is the answer. */
  readonly isOne: boolean;
}

/** As it stands on record. */
export function aboutWorktree({ id, act: { began } }: Chosen): Omit<Undone, 'outcome'> {
  const path = parseAbsPath(detailOf(began, 'path') ?? '');
  return { id, run: detailOf(began, 'run') ?? '', kind: 'worktree', name: detailOf(began, 'admin') ?? '', path };
}

/**
 * With its branch, where that is gone.
 * @throws UserError `already-undone`, `not-undoable`, `purged`, `trash-unreadable`, `copied-repository`, `path-taken`,
 *   `branch-moved`, `branch-in-use`, `name-taken`, `not-restored`
 */
export async function undoWorktree(
  acting: Acting,
  chosen: Chosen,
  question: WorktreeQuestion,
): Promise<readonly Undone[]> {
  const { way, view } = question;
  requireOpen(chosen.id, chosen.act, view.undone);
  const found = findKept(acting, chosen, view);
  const { kept, entry } = found;
  const path = berthOf(acting, chosen, way.to, kept);
  const permit = permitOf(acting, chosen, kept, path);
  const wanted = way.head === 'same' ? kept.branch : way.head;
  if (wanted !== null && wanted !== 'detached') requireUsable(chosen, kept, wanted, view);
  const about = { ...aboutWorktree(chosen), path };
  const { folder, commonDir, world } = acting;
  const recording = beginAct(folder, commonDir, world, permit.admin, {
    verb: 'undo',
    subject: path,
    why: `undo of ${chosen.id}`,
    detail: { of: chosen.id, run: about.run, admin: permit.admin, path, tip: kept.head, head: way.head },
  });
  recording.step('intent');
  try {
    const undone = await bringBranch(acting, { entry, head: kept.head, own: kept.branch }, wanted, question);
    const ids = readIds(entry);
    const missing = await bringPacked(acting.git, [permit], entry, ids);
    if (missing !== null) throw new Stop('failed', missing);
    mkdirSync(nativePath(posix.dirname(path)), { recursive: true });
    await returnWorktree(acting, { permit, kept, places: found.places, head: way.head, isRollback: false });
    recording.step('done');
    return [...undone, { ...about, outcome: { status: 'done', text: 'as it was', undo: null } }];
  } catch (fault) {
    const text = fault instanceof Stop || fault instanceof UserError ? fault.message : sayFault(fault);
    // What is neither here nor there is ended by who acts next.
    if (isInTrash(acting, permit, found)) recording.step('failed', text);
    if (question.isOne)
      throw new UserError('not-restored', `${path} is not back: ${text}`, { hint: elsewhere(chosen.id, kept.path) });
    return [{ ...about, outcome: { status: 'failed', text: `not back: ${text}`, undo: null } }];
  }
}

function isInTrash({ commonDir }: Acting, { path, admin }: ReturnPermit, { kept, places }: Found): boolean {
  return whereIs(kept, places, path) === 'trash' && !hasLock(homeOf(commonDir, admin), lockText(kept.id));
}

interface Found {
  readonly entry: TrashEntry;
  readonly kept: KeptWorktree;
  readonly places: KeptPlaces;
}

function findKept({ commonDir, folder }: Acting, { id, act: { began } }: Chosen, { trash }: View): Found {
  const name = entryOf(id);
  const entry = entryNamed(trash, name);
  if (entry === null || entry.isGoing) {
    const command = [quoted(detailOf(began, 'path') ?? ''), detailOf(began, 'tip')];
    const hint =
      command[0] === null
        ? {}
        : {
            hint: `while its commit is here, it can be checked out again: git worktree add --detach ${command.join(' ')}`,
          };
    throw new UserError('purged', `what ${id} put aside was deleted for good since`, hint);
  }
  const kept = readKeptWorktree(entry.path, folder.account);
  if (kept.kind !== 'known') {
    const why = kept.kind === 'unknown' ? `: ${kept.reason}` : '';
    throw new UserError('trash-unreadable', `what ${id} put aside cannot be read${why}`);
  }
  const places = placesOf(commonDir, name, kept.value);
  // One that was cut off late may have its tree at home.
  const isHome = whereIs(kept.value, places, kept.value.path) === 'home';
  for (const path of isHome ? [places.admin] : [places.tree, places.admin])
    if (entryId(path) === null)
      throw new UserError('trash-unreadable', `${path}, which ${id} put aside, is not there any more`);
  return { entry, kept: ofCopy(commonDir, began, kept.value, places), places };
}

/** In a copy of the repository the tree is another one. */
function ofCopy(commonDir: AbsPath, began: PastAct['began'], kept: KeptWorktree, { tree }: KeptPlaces): KeptWorktree {
  const folder = entryId(tree);
  if (folder === null || isSameFile(began.commonDir, fileId(commonDir))) return kept;
  if (kept.elsewhere === null) return { ...kept, ids: { ...kept.ids, folder } };
  throw new UserError('copied-repository', `${tree} belongs to the repository of which this is a copy`);
}

/** Where it is to be. In a copy of the repository the old place is the original's. */
function berthOf({ commonDir }: Acting, { id, act }: Chosen, to: string | null, kept: KeptWorktree): AbsPath {
  if (to === null && !isSameFile(act.began.commonDir, fileId(commonDir)))
    throw new UserError('copied-repository', `${id} was done in another repository, of which this is a copy`, {
      hint: elsewhere(id, kept.path),
    });
  if (to === null) return kept.path;
  const berth = berthFor(commonDir, to);
  if (berth === null)
    throw new UserError('path-taken', `${to} is a place of git's own`, { hint: elsewhere(id, kept.path) });
  return berth;
}

function permitOf({ commonDir }: Acting, { id }: Chosen, kept: KeptWorktree, path: AbsPath): ReturnPermit {
  const admin = freeName(commonDir, kept.admin);
  const isThere = entryId(path) !== null && !isSameFile(entryId(path), kept.ids.folder);
  const there = isThere ? known('something') : absent;
  const permit = permitReturn(entryOf(id), { path, there, admin, namesake: absent });
  if (permit !== null) return permit;
  throw new UserError('path-taken', `something is at ${path}`, { hint: elsewhere(id, kept.path) });
}

/** As git finds one: with the first number that is free behind it. */
function freeName(commonDir: AbsPath, name: string): string {
  for (let number = 0; ; number += 1) {
    const one = number === 0 ? name : `${name}${number}`;
    if (!existsSync(nativePath(homeOf(commonDir, one)))) return one;
  }
}

/** @throws UserError `branch-moved`, `branch-in-use`, `name-taken` */
function requireUsable({ id }: Chosen, kept: KeptWorktree, ref: RefName, view: View): void {
  const isNew = ref !== kept.branch;
  const { there, used } = vacancyOf(view, ref);
  const name = branchName(ref);
  const hint = {
    hint: `coppice undo ${id} --detach, or with a new branch: coppice undo ${id} --as ${quoted(`${name}-2`) ?? 'NAME'}`,
  };
  const doubt = there.kind === 'unknown' ? there : used.kind === 'unknown' ? used : null;
  if (doubt !== null)
    throw new UserError('branch-in-use', `whether ${name} is free cannot be told: ${doubt.reason}`, hint);
  if (isNew && there.kind === 'known') throw new UserError('name-taken', `${name} is there already`, hint);
  // An old index on a branch that went on would stage the way back.
  if (there.kind === 'known' && there.value !== kept.head)
    throw new UserError('branch-moved', `${name} was moved since`, hint);
  if (used.kind === 'known' && used.value)
    throw new UserError('branch-in-use', `${name} is in use in another worktree`, hint);
}

/** @throws Stop */
function readIds(entry: TrashEntry): Oid[] {
  try {
    const text = readFileSync(`${entry.path}/ids`, 'latin1');
    return text.split('\n').flatMap((line) => parseOid(line) ?? []);
  } catch (fault) {
    throw new Stop('failed', `the list of its commits cannot be read: ${sayFault(fault)}`);
  }
}

function elsewhere(id: string, path: AbsPath): string {
  return `to another place: ${toAnotherPlace(id, path)}`;
}
