/**
 * Linked worktrees as they lie on the disk. Each is known by the inode of its folder, which a move by name keeps, so
 * that one is found again wherever it is.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wholeOf } from '../support/retired.ts';
import type { Ground } from './ground.ts';

/** One that is at home: its folder and its git directory name each other. */
export interface Desk {
  readonly folder: string;
  readonly admin: string;
  /** Its files, by their paths. */
  readonly tree: ReadonlyMap<string, string>;
  /** The same of its git directory, without times and inodes. */
  readonly held: ReadonlyMap<string, string>;
  /** Null: detached. */
  readonly branch: string | null;
  /** Ids that its git directory names, and that at which its branch is. */
  readonly ids: ReadonlySet<string>;
}

const ID = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g;
/** A file that somebody writes to all the time. */
const WRITTEN = /written\.log$/;

/** By the inodes of their folders. */
export function seeDesks(ground: Ground): Map<string, Desk> {
  const seen = new Map<string, Desk>();
  const all = ground.r.path('.git/worktrees');
  for (const admin of existsSync(all) ? readdirSync(all) : []) {
    const gitDir = join(all, admin);
    const pointer = text(join(gitDir, 'gitdir'));
    const folder = pointer === null ? null : dirname(pointer.trim());
    const ino = folder === null ? null : inodeOf(folder);
    if (folder === null || ino === null || text(join(folder, '.git'))?.trim() !== `gitdir: ${gitDir}`) continue;
    const head = text(join(gitDir, 'HEAD')) ?? '';
    const ids = new Set<string>();
    for (const file of ['HEAD', 'logs/HEAD', 'refs/worktree/mine'])
      for (const [id] of (text(join(gitDir, file)) ?? '').matchAll(ID)) ids.add(id);
    const tree = new Map([...wholeOf(folder)].filter(([path]) => !WRITTEN.test(path)));
    for (const [id] of standing(ground, head.trim().replace(/^ref: /, '')).matchAll(ID)) ids.add(id);
    const branch = /^ref: refs\/heads\/(.*)$/.exec(head.trim())?.[1] ?? null;
    seen.set(ino, { folder, admin, tree, held: heldIn(gitDir), branch, ids });
  }
  return seen;
}

function standing(ground: Ground, ref: string): string {
  const packed = (text(ground.r.path('.git/packed-refs')) ?? '').split('\n');
  return text(ground.r.path(`.git/${ref}`)) ?? packed.find((line) => line.endsWith(` ${ref}`)) ?? '';
}

/** What is in a git directory that is at home, wherever its folder is; null: none is. */
export function heldAtHome(ground: Ground, admin: string): ReadonlyMap<string, string> | null {
  const gitDir = ground.r.path(`.git/worktrees/${admin}`);
  return existsSync(gitDir) ? heldIn(gitDir) : null;
}

function heldIn(gitDir: string): Map<string, string> {
  const isOurs = text(join(gitDir, 'locked'))?.startsWith('coppice: retiring') === true;
  return new Map(
    [...wholeOf(gitDir)]
      .filter(([path]) => path !== 'locked.coppice' && !(isOurs && path === 'locked'))
      .map(([path, line]) => [path, line.split(' ').toSpliced(3, 3).join(' ')]),
  );
}

/** Trees in the trash: by their inodes where they are. */
export function treesAside(ground: Ground): Map<string, string> {
  const found = new Map<string, string>();
  const trash = ground.r.path('.git/coppice/trash');
  for (const entry of existsSync(trash) ? readdirSync(trash) : [])
    for (const name of ['tree', 'purging']) {
      const ino = inodeOf(join(trash, entry, name));
      if (ino !== null) found.set(ino, join(trash, entry, name));
    }
  return found;
}

/** What of coppice's may not be there when nothing is cut off. */
export function restsOfDesks(ground: Ground): string[] {
  const all = ground.r.path('.git/worktrees');
  const locks = (existsSync(all) ? readdirSync(all) : []).filter((admin) =>
    ['locked', 'locked.coppice'].some((name) => text(join(all, admin, name))?.startsWith('coppice: ') === true),
  );
  const state = ground.r.path('.git/coppice');
  const copies = (existsSync(state) ? readdirSync(state) : []).filter((name) => name.endsWith('.copy'));
  return [...locks.map((admin) => `worktrees/${admin}/locked`), ...copies];
}

/** What of the two is not the same; null: nothing. @param mayDiffer paths that need not be. */
export function difference(
  was: ReadonlyMap<string, string>,
  is: ReadonlyMap<string, string>,
  mayDiffer: RegExp | null,
): string | null {
  for (const path of new Set([...was.keys(), ...is.keys()]))
    if (was.get(path) !== is.get(path) && mayDiffer?.test(path) !== true)
      return `${path}: ${was.get(path)} -> ${is.get(path)}`;
  return null;
}

/** Why git or its user needs it where it is; null: for no reason that is known here. */
export async function needOf(ground: Ground, { folder, admin }: Desk): Promise<string | null> {
  const gitDir = ground.r.path(`.git/worktrees/${admin}`);
  if (ground.leased.has(folder)) return 'it is leased';
  if ([...ground.guests.values()].some((place) => place === inodeOf(folder))) return 'somebody works in it';
  const lock = text(join(gitDir, 'locked'));
  if (lock !== null && !lock.startsWith('coppice: ')) return 'it is locked';
  for (const mark of ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'BISECT_START'])
    if (existsSync(join(gitDir, mark))) return `${mark} is there`;
  const status = await ground.ask(folder, '--no-optional-locks', 'status', '--porcelain');
  if (status.code === 0 && status.stdout.length > 0) return `it has changes: ${status.stdout.toString()}`;
  const head = (await ground.ask(folder, 'rev-parse', 'HEAD')).stdout.toString().trim();
  if (await ground.isSpent(head)) return null;
  const onBase = await ground.ask(ground.r.work, 'merge-base', '--is-ancestor', head, 'origin/main');
  return onBase.code === 0 ? null : `${head} is not merged`;
}

export function inodeOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || !stats.isDirectory() ? null : `${stats.dev}:${stats.ino}`;
}

function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
