/** What a worktree's parts say of each other, when it comes back to another place or under another name. */
import { createHash } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { lastValue, parseConfig } from '../../git/parse/config.ts';
import { readWorktreePlace } from '../../git/read/worktree.ts';
import { complaint, runGit } from '../../git/run.ts';
import { runWrite } from '../../git/write.ts';
import type { ReturnPermit } from '../../judge/permit.ts';
import { storesIn } from '../../survey/worktree/submodules.ts';
import { nativePath, toByteString, toNative } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { openFolder } from '../../system/folders.ts';
import { isWithin, realPath } from '../../system/paths.ts';
import { setTimes, timesOf } from '../../system/times.ts';
import type { Acting } from '../acting.ts';
import { Stop } from './stop.ts';

/** A worktree by its folder and its git directory. Byte strings. */
export interface Pair {
  readonly path: string;
  readonly gitDir: string;
}

/** `text` is what a file said at `was`; the same about `now`, in the same form. Null: it may stay as it is. */
export function gitdirText(text: string, was: Pair, now: Pair): string | null {
  const named = `${now.path}/.git`;
  const old = text.replace(/\n$/, '');
  if (!old.startsWith('/')) return isSame(was, now) ? null : `${relative(now.gitDir, named)}\n`;
  return old === named ? null : `${named}\n`;
}

/** The same of a `.git` file, of the worktree or of a submodule in it. */
export function dotGitText(text: string, was: Pair, now: Pair): string | null {
  const old = text.replace(/^gitdir: /, '').replace(/\n$/, '');
  if (!old.startsWith('/')) return isSame(was, now) ? null : `gitdir: ${relative(now.path, now.gitDir)}\n`;
  return old === now.gitDir ? null : `gitdir: ${now.gitDir}\n`;
}

function isSame(a: Pair, b: Pair): boolean {
  return a.path === b.path && a.gitDir === b.gitDir;
}

/** Git writes such paths between folders without links on the way; where both begin alike, so do these. */
function relative(from: string, to: string): string {
  return posix.relative(from, to);
}

export interface Move {
  readonly permit: ReturnPermit;
  readonly was: Pair;
  readonly now: Pair;
  /** A folder in the file system of the tree, for files that are not whole yet. */
  readonly holder: string;
}

/** Mends what the submodules' stores, which are at home again, and their folders say of each other. @throws Stop */
export async function mendSubmodules(acting: Acting, move: Move): Promise<void> {
  const { was, now } = move;
  if (isSame(was, now) && namesOfKept(move.holder).length === 0) return;
  const stores = storesIn(`${now.gitDir}/modules`);
  const home = stores.length === 0 ? '' : realPath(now.gitDir);
  for (const store of stores) {
    const below = store.slice(home.length);
    const [oldStore, newStore] = [was.gitDir + below, now.gitDir + below];
    const value = await worktreeOf(acting, newStore);
    if (value === null) continue;
    const oldPath = value.startsWith('/') ? posix.normalize(value) : posix.join(oldStore, value);
    if (!isWithin(oldPath, was.path)) continue;
    const inTree = oldPath.slice(was.path.length);
    const newPath = now.path + inTree;
    const original = `${move.holder}/${KEPT}${createHash('sha256').update(inTree, 'latin1').digest('hex')}`;
    if (isSame(was, now)) {
      if (entryId(original) !== null) renameSync(nativePath(original), nativePath(`${newPath}/.git`));
      resetTimes(newPath, original);
      continue;
    }
    await setWorktree(acting, move, newStore, value.startsWith('/') ? newPath : relative(newStore, newPath));
    const mended = { path: newPath, gitDir: newStore };
    if (mendDotGit(move, { path: oldPath, gitDir: oldStore }, mended, original)) await prove(acting, mended);
  }
}

async function worktreeOf({ git }: Acting, store: string): Promise<string | null> {
  const result = await runGit(git, ['config', '--file', toNative(`${store}/config`), '--null', '--list']);
  if (result.code !== 0 || result.cut !== null) throw new Stop('failed', `the settings of ${store} cannot be read`);
  return lastValue(parseConfig(result.stdout), 'core.worktree');
}

async function setWorktree({ git }: Acting, { permit }: Move, store: string, value: string): Promise<void> {
  const [file, text] = [toNative(`${store}/config`), toNative(value)];
  if (toByteString(file) !== `${store}/config` || toByteString(text) !== value)
    throw new Stop('failed', `${value} is no UTF-8, and cannot be told to git`);
  const result = await runWrite([permit], git, ['config', '--file', file, 'core.worktree', text]);
  if (result.code !== 0 || result.cut !== null)
    throw new Stop('failed', `${store} cannot be told where its folder is: ${complaint(result)}`);
}

/** Under such names the holder of a tree keeps what was mended for a place, should it come back to another after all. */
const KEPT = 'submodule-';

function namesOfKept(holder: string): string[] {
  if (entryId(holder) === null) return [];
  return readdirSync(nativePath(holder), { encoding: 'latin1' }).filter((name) => name.startsWith(KEPT));
}

/** It is back, and nothing will need them. */
export function forgetMended({ holder }: Pick<Move, 'holder'>): void {
  for (const name of namesOfKept(holder)) unlinkSync(nativePath(`${holder}/${name}`));
}

/** @returns false: it is not checked out there. */
function mendDotGit({ holder }: Move, was: Pair, now: Pair, original: string): boolean {
  const file = `${now.path}/.git`;
  if (lstatSync(nativePath(file), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const text = dotGitText(readFileSync(nativePath(file), 'latin1'), was, now);
  if (text === null) return true;
  if (entryId(original) === null) {
    const { accessed, modified } = timesOf(now.path);
    replace(timesFile(original), `${accessed} ${modified}`, holder);
    linkSync(nativePath(file), nativePath(original));
  }
  replace(file, text, holder);
  resetTimes(now.path, original);
  return true;
}

function replace(file: string, text: string, holder: string): void {
  const next = nativePath(`${holder}/submodule.next`);
  writeFileSync(next, Buffer.from(text, 'latin1'));
  renameSync(next, nativePath(file));
}

/** A rename in the submodule's folder was not its doing. */
function resetTimes(folder: string, original: string): void {
  if (entryId(timesFile(original)) === null) return;
  const [accessed = '', modified = ''] = readFileSync(nativePath(timesFile(original)), 'latin1').split(' ');
  setTimes(folder, { accessed, modified });
}

function timesFile(original: string): string {
  return `${original}.times`;
}

/** git finds the store from the folder, and the folder from the store. @throws Stop */
async function prove({ git, world }: Acting, { path, gitDir }: Pair): Promise<void> {
  const folder = openFolder(path, world.platform);
  const place = folder === null ? null : await readWorktreePlace({ ...git, directory: folder.path });
  folder?.close();
  if (place === null || realPath(place.gitDir) !== realPath(gitDir) || realPath(place.top) !== realPath(path))
    throw new Stop('failed', `git does not find submodule ${path} any more`);
}
