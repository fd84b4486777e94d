/** A worktree of many kinds of things, which a sweep retires, and everything of it that must be as it was in the end. */
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { filesBelow, forget, missing, reachable, standing, undo } from './acts.ts';
import { Repository } from './repository.ts';
import { heldBy, treesIn, wholeOf } from './retired.ts';
import { stateOf } from './state.ts';
import { gitAt, landMore } from './worktree.ts';

/** What is built once, and copied by `planted`. @param r `topic` merged into main; it is changed and returned. */
export function seedbed(r: Repository): Repository {
  const source = join(r.places.root, 'source');
  r.git('init', '--quiet', source);
  writeFileSync(join(source, 'file'), 'x');
  gitAt(r, source, 'add', 'file');
  gitAt(r, source, 'commit', '--quiet', '-m', 'file');
  landMore(r, () => r.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'sub'));
  const desk = r.worktree('desk', 'topic');
  gitAt(r, desk, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
  gitAt(r, desk, 'commit', '--quiet', '--amend', '--no-edit', '--date=2026-01-01T00:00:00Z');
  for (const ref of PRIVATE) gitAt(r, desk, 'update-ref', ref, gitAt(r, desk, 'commit-tree', '-m', ref, 'HEAD^{tree}'));
  gitAt(r, desk, 'config', 'extensions.worktreeConfig', 'true');
  gitAt(r, desk, 'config', '--worktree', 'user.name', 'somebody else');
  r.git('config', 'branch.topic.description', 'what it is for');
  return r;
}

export interface Planted {
  readonly r: Repository;
  readonly desk: string;
}

/** @param dress false: nothing that only its ignored files hold, so that a purge of all deletes it. */
export function planted(bed: Repository, dress = true): Planted {
  const r = new Repository(bed);
  const desk = join(r.places.root, 'desk');
  const gitDir = r.path('.git/worktrees/desk');
  // Both name each other by path.
  writeFileSync(join(desk, '.git'), `gitdir: ${gitDir}\n`);
  writeFileSync(join(gitDir, 'gitdir'), `${join(desk, '.git')}\n`);
  mkdirSync(join(desk, 'node_modules/empty'), { recursive: true });
  writeFileSync(join(desk, 'node_modules/run.sh'), 'x');
  chmodSync(join(desk, 'node_modules/run.sh'), 0o755);
  symlinkSync('../run.sh', join(desk, 'node_modules/empty/link'));
  if (dress) {
    writeFileSync(join(desk, '.env'), 'SECRET=1', { mode: 0o600 });
    linkSync(join(desk, '.env'), join(desk, '.env.local'));
  }
  chmodSync(join(desk, 'node_modules/empty'), 0o555);
  gitAt(r, desk, 'status');
  return { r, desk };
}

/** How it was. */
export interface Whole {
  readonly tree: ReadonlyMap<string, string>;
  readonly held: ReadonlyMap<string, string>;
  readonly standing: ReadonlyMap<string, string>;
  readonly objects: ReadonlySet<string>;
}

export function seen({ r, desk }: Planted): Whole {
  return { tree: wholeOf(desk), held: heldBy(r, desk), standing: standing(r), objects: reachable(r) };
}

/** What a git that collects garbage takes from a worktree that is at home is its own affair. */
const REFLOGS = /(?:^|\/)logs\//;

/** Whose objects git's own collection takes while the worktree is at home; in the trash they must be kept. */
const PRIVATE = ['refs/worktree/mine', 'ORIG_HEAD'];

/**
 * git forgets what it may.
 * @param isAll true: reflogs as well, of what is at home.
 * @returns true: nothing of it may be missing afterwards.
 */
export function forgetSome({ r, desk }: Planted, isAll: boolean): boolean {
  const isAside = !existsSync(desk);
  if (isAll) forget(r);
  else r.git('-c', 'gc.reflogExpire=never', '-c', 'gc.reflogExpireUnreachable=never', 'gc', '--quiet', '--prune=now');
  return isAside;
}

/** All that was taken away comes back by undo. @param ends codes of refusals with which that is over. */
export async function bringAll({ r }: Planted, told: string, ends: readonly string[] = []): Promise<void> {
  for (let times = 0; times < 6; times += 1) {
    const { code, json } = await undo(r, '--last');
    if (json?.schema === 'coppice.error.v1' && ['nothing-to-undo', ...ends].includes(json.code)) return;
    expect([told, code, JSON.stringify(json)]).toEqual([told, 0, expect.any(String)]);
  }
  throw new Error(`${told}: undo has no end`);
}

interface Expected {
  /** True: reflogs may be gone. */
  readonly isAll: boolean;
  /** True: it was in the trash when git forgot. */
  readonly isAside: boolean;
  /** Files that came while it was away. */
  readonly more?: RegExp;
}

/** It is at home, whole, and nothing of coppice's is left. */
export function expectWhole(place: Planted, whole: Whole, told: string, { isAll, isAside, more }: Expected): void {
  const { r, desk } = place;
  expect([told, existsSync(desk)]).toEqual([told, true]);
  const now = { tree: wholeOf(desk), held: heldBy(r, desk), standing: standing(r) };
  const plain = (map: ReadonlyMap<string, string>) =>
    new Map(
      [...map]
        .filter(([name]) => !(isAll && REFLOGS.test(name)) && more?.test(name) !== true)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  expect([told, plain(now.tree)]).toEqual([told, plain(whole.tree)]);
  expect([told, plain(now.held)]).toEqual([told, plain(whole.held)]);
  expect([told, plain(now.standing)]).toEqual([told, plain(whole.standing)]);
  if (!isAll) expect([told, missing(r, whole.objects)]).toEqual([told, []]);
  expect([told, restsOf(r)]).toEqual([told, []]);
  if (isAside) gitAt(r, desk, 'fsck', '--no-dangling');
}

/** Notes that were never finished. */
function halfNotes({ places }: Repository): string[] {
  const top = join(places.coppiceHome, 'notes');
  const roots = existsSync(top) ? readdirSync(top) : [];
  return roots
    .flatMap((root) => readdirSync(join(top, root)).map((id) => join(top, root, id)))
    .filter((note) => !existsSync(join(note, 'note.json')));
}

/** Whatever must not be there when nothing is cut off. */
export function restsOf(r: Repository): string[] {
  const locks = filesBelow(r.path('.git'))
    .map((path) => path.slice(r.work.length + 1))
    .filter((path) => !path.includes('/coppice/trash/'))
    .filter((path) => /\.lock$|config\.next$|\/purging\/|\/locked(\.|$)|\.tmp/.test(path));
  const state = existsSync(stateOf(r)) ? readdirSync(stateOf(r)) : [];
  const held = existsSync(stateOf(r, 'trash')) ? treesIn(r) : [];
  return [...locks, ...state.filter((name) => /^\d{8}T/.test(name)), ...held, ...halfNotes(r)];
}
