/**
 * Brings a worktree back from the trash: a copy of its git directory first, locked, then the tree, then the proof that
 * both name each other and hold what they held. The original stays until then.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readAdmins } from '../../git/read/checkouts.ts';
import { readWorktreePlace } from '../../git/read/worktree.ts';
import type { AbsPath, Oid, RefName } from '../../judge/facts/names.ts';
import type { ReturnPermit } from '../../judge/permit.ts';
import type { KeptWorktree } from '../../state/trash/worktree-record.ts';
import { identify } from '../../survey/worktree/identity.ts';
import { nativePath } from '../../system/bytes.ts';
import { copyFolder } from '../../system/copy-folder.ts';
import { entryId } from '../../system/file-id.ts';
import { sayFault, syncFolder } from '../../system/files.ts';
import { openFolder } from '../../system/folders.ts';
import { realPathOr } from '../../system/paths.ts';
import { setTimes } from '../../system/times.ts';
import type { Acting } from '../acting.ts';
import { discard } from '../purging.ts';
import { forgetDotGit, hasDotGit, hideDotGit, keptDotGit, revealDotGit } from './dot-git.ts';
import { entriesIn } from './git-directory.ts';
import { freeLock, hasLock, lockText } from './git-lock.ts';
import { moveFolder, PlaceTaken } from './move.ts';
import { homeOf, type KeptPlaces, whereIs } from './places.ts';
import { dotGitText, forgetMended, gitdirText, mendSubmodules, type Pair } from './pointers.ts';
import { Stop } from './stop.ts';

/** What is to be checked out: as it was, the commit alone, or another branch at that commit. */
export type HeadChoice = 'same' | 'detached' | RefName;

export interface Homecoming {
  readonly permit: ReturnPermit;
  readonly kept: KeptWorktree;
  readonly places: KeptPlaces;
  readonly head: HeadChoice;
  /** True: it comes back as its git directory is, since it was never as the record says, or is not any more. */
  readonly isRollback: boolean;
}

/** How often a copy that a prune took away is made again. */
const TRIES = 3;

/**
 * Goes on with what a crash cut off, too.
 * @throws Stop; then it is in the trash as it was, and where that cannot be, what is found by who acts next
 */
export async function returnWorktree(acting: Acting, coming: Homecoming): Promise<void> {
  const { permit, kept, places } = coming;
  const gitHome = homeOf(acting.commonDir, permit.admin);
  const isHome = whereIs(kept, places, permit.path) === 'home';
  if (isThere(gitHome) && !isHome) {
    if (!hasLock(gitHome, lockText(kept.id)))
      throw new Stop('kept', `another worktree is named ${permit.admin} by now`);
    // Of an earlier try, which may have been for something else.
    discard(permit, acting, gitHome);
  }
  if (!isThere(gitHome)) placeCopy(acting, coming, gitHome);
  try {
    if (!isHome) moveTree(places.tree, permit.path);
    if (hasDotGit(places))
      revealDotGit({ tree: permit.path, holder: places.holder }, dotGitOf(coming, pairsOf(acting, coming)));
    await mendSubmodules(acting, { ...coming, ...pairsOf(acting, coming), holder: places.holder });
    restoreTimes(kept, permit.path);
    await prove(acting, coming, gitHome);
  } catch (fault) {
    // It is theirs then, and comes back as they have it.
    if (isAtWork(coming, gitHome)) await prove(acting, { ...coming, isRollback: true }, gitHome);
    else {
      retreat(acting, coming, gitHome);
      if (fault instanceof Stop) throw fault;
      throw new Stop('failed', sayFault(fault));
    }
  }
  freeLock(gitHome, lockText(kept.id), places.mark);
  // A prune that began to look while the directory was away may have taken the copy, lock and all.
  for (let tries = 0; !isThere(gitHome) && tries < TRIES; tries += 1) {
    placeCopy(acting, coming, gitHome);
    await mendSubmodules(acting, { ...coming, ...pairsOf(acting, coming), holder: places.holder });
    freeLock(gitHome, lockText(kept.id), places.mark);
  }
  forgetDotGit(places);
  forgetMended(places);
  discard(coming.permit, acting, places.admin);
}

/** As it was, and as it is to be. */
function pairsOf({ commonDir }: Acting, { permit, kept }: Homecoming): { readonly was: Pair; readonly now: Pair } {
  return {
    was: { path: kept.path, gitDir: homeOf(commonDir, kept.admin) },
    now: { path: permit.path, gitDir: homeOf(commonDir, permit.admin) },
  };
}

function placeCopy(acting: Acting, coming: Homecoming, gitHome: AbsPath): void {
  const { kept, places, head } = coming;
  try {
    discard(coming.permit, acting, places.copy);
    // Objects are written once.
    copyFolder(places.admin, places.copy, (path) => /^\/modules\/.*\/objects\//.test(path));
    // Before anybody can write to it: git itself renews an index as soon as it can.
    requireAlike(places.copy, places.admin);
    const pointer = gitdirText(
      readFileSync(nativePath(`${places.copy}/gitdir`), 'latin1'),
      ...inOrder(pairsOf(acting, coming)),
    );
    if (pointer !== null) writeFileSync(nativePath(`${places.copy}/gitdir`), Buffer.from(pointer, 'latin1'));
    if (head !== 'same') writeFileSync(nativePath(`${places.copy}/HEAD`), headText(head, kept.head));
    mkdirSync(nativePath(`${acting.commonDir}/worktrees`), { recursive: true });
    moveFolder(places.copy, gitHome);
  } catch (fault) {
    discard(coming.permit, acting, places.copy);
    if (fault instanceof Stop) throw fault;
    if (fault instanceof PlaceTaken) throw new Stop('kept', `the name ${coming.permit.admin} was just taken`);
    throw new Stop('failed', `its git directory cannot be put back: ${sayFault(fault)}`);
  }
}

function inOrder({ was, now }: { readonly was: Pair; readonly now: Pair }): [Pair, Pair] {
  return [was, now];
}

function headText(head: HeadChoice, oid: Oid): Buffer {
  return Buffer.from(head === 'detached' ? `${oid}\n` : `ref: ${head}\n`, 'latin1');
}

/** What its `.git` file is to say; null: what it said. */
function dotGitOf({ places }: Homecoming, { was, now }: { readonly was: Pair; readonly now: Pair }): string | null {
  return dotGitText(keptDotGit(places), was, now);
}

function moveTree(tree: AbsPath, path: AbsPath): void {
  try {
    moveFolder(tree, path);
  } catch (fault) {
    if (fault instanceof PlaceTaken) throw new Stop('kept', `something has just come to ${path}`);
    throw new Stop('failed', `it cannot be moved to ${path}: ${sayFault(fault)}`);
  }
}

/** True: somebody has begun to work in it, and would lose that with its git directory. */
function isAtWork({ kept, places, permit, head }: Homecoming, gitHome: AbsPath): boolean {
  if (whereIs(kept, places, permit.path) !== 'home' || !isThere(gitHome)) return false;
  const [now, then] = [entriesIn(gitHome), entriesIn(places.admin)];
  const isOurs = (path: string) =>
    path === 'gitdir' || (path === 'HEAD' && head !== 'same') || /^modules\/.*\/config$/.test(path);
  return [...now, ...then].some(([path]) => now.get(path) !== then.get(path) && !isOurs(path));
}

/** Back into the trash, for what did not work at home. What cannot be moved stays, and is found by who acts next. */
function retreat(acting: Acting, coming: Homecoming, gitHome: AbsPath): void {
  const { permit, kept, places } = coming;
  try {
    if (whereIs(kept, places, permit.path) === 'home') {
      hideDotGit({ tree: permit.path, holder: places.holder });
      moveFolder(permit.path, places.tree);
    }
    discard(coming.permit, acting, gitHome);
  } catch (fault) {
    if (!(fault instanceof PlaceTaken)) sayFault(fault);
  }
}

/** Of the folder itself: what is in it was never touched. */
export function restoreTimes({ times }: KeptWorktree, path: AbsPath): void {
  setTimes(path, times);
  syncFolder(nativePath(path));
}

async function prove(acting: Acting, coming: Homecoming, gitHome: AbsPath): Promise<void> {
  const { commonDir, world } = acting;
  const { permit, kept, head } = coming;
  const admins = readAdmins(commonDir);
  const own = admins.kind === 'known' ? admins.value.find(({ name }) => name === permit.admin) : undefined;
  const identity = own === undefined ? null : identify(commonDir, own, world.account);
  if (identity?.kind !== 'proven')
    throw new Stop(
      'failed',
      `it would not be whole: ${identity !== null && 'why' in identity ? identity.why : 'its git directory is not found'}`,
    );
  const folder = openFolder(permit.path, world.platform);
  if (folder === null) throw new Stop('failed', 'git cannot be asked about it: its name is no UTF-8');
  try {
    const place = await readWorktreePlace({ ...acting.git, directory: folder.path });
    const isOwn =
      place !== null &&
      realPathOr(place.top) === realPathOr(permit.path) &&
      realPathOr(place.gitDir) === realPathOr(gitHome);
    if (!isOwn) throw new Stop('failed', 'git takes it for another worktree');
    const branch = head === 'same' ? kept.branch : head === 'detached' ? null : head;
    if (!coming.isRollback && (place.head !== kept.head || place.branch !== branch))
      throw new Stop('failed', 'git does not find there what was checked out');
  } finally {
    folder.close();
  }
}

/** @throws Stop */
function requireAlike(copy: AbsPath, original: AbsPath): void {
  const [now, then] = [entriesIn(copy), entriesIn(original)];
  for (const [path, what] of then)
    if (now.get(path) !== what) throw new Stop('failed', `its ${path} cannot be put back as it was`);
}

function isThere(gitDir: AbsPath): boolean {
  return entryId(gitDir) !== null;
}
