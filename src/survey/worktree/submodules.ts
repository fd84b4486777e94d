/** Submodules of a worktree, and their stores, which lie in its git directory and would go with it. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { realPath } from '../../system/paths.ts';
import type { TrackedFile } from '../../git/parse/tracked.ts';
import { countOwnCommits, hasStaged, readHead } from '../../git/read/tree.ts';
import { readConfig } from '../../git/read/repository.ts';
import { gitForTree, NO_FILES, type TreePlace } from '../../git/worktree-git.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import type { SubmoduleFacts, WorktreeContents } from '../../judge/facts/worktree.ts';
import { nativePath } from '../../system/bytes.ts';
import { operationsIn } from './admin-state.ts';
import { insideOf, readContents, type TreeReading, type TreeSurroundings } from './contents.ts';
import { otherRemotes } from './other-remotes.ts';
import { readPointer } from './pointer.ts';

/** A submodule, and what was read of its files; null: it is not checked out. */
export interface SubmoduleReading {
  readonly facts: SubmoduleFacts;
  readonly tree: TreeReading | null;
}

/** @param place the worktree, or a submodule that has some of its own. */
export async function readSubmodules(
  around: TreeSurroundings,
  place: TreePlace,
  gitlinks: readonly TrackedFile[],
): Promise<Fact<readonly SubmoduleReading[]>> {
  const found: SubmoduleReading[] = [];
  const seen = new Set<string>();
  for (const link of gitlinks) {
    const path = `${place.path}/${link.path}` as AbsPath;
    const was = `${place.was ?? place.path}/${link.path}` as AbsPath;
    const entries = entriesOf(path);
    const dot = entries?.find((entry) => entry.name.toString('latin1') === '.git');
    if (entries === null || (dot === undefined && entries.length === 0)) continue;
    if (dot === undefined) {
      found.push(notCheckedOut(link.path, 'files in a submodule that is not checked out'));
      continue;
    }
    // A store inside the folder is a repository of its own, which the walk finds.
    if (!dot.isFile()) continue;
    const store = storeOf(path, was, place.gitDir);
    if (store === null) continue;
    seen.add(store);
    const read = await readOne(around, { gitDir: store, path, was }, link);
    if (read.kind !== 'known') return read;
    found.push(read.value);
  }
  for (const store of storesIn(`${place.gitDir}/modules`)) {
    if (seen.has(store)) continue;
    const own = await storeWords(around, store);
    if (own.kind !== 'known') return own;
    const name = store.slice(`${realPath(place.gitDir)}/modules/`.length);
    if (own.value.length > 0) found.push(notCheckedOut(name, own.value.join(', ')));
  }
  return known(found);
}

function notCheckedOut(path: string, holds: string): SubmoduleReading {
  return { facts: { path, holds, drifted: false }, tree: null };
}

async function readOne(around: TreeSurroundings, place: TreePlace, link: TrackedFile): Promise<Fact<SubmoduleReading>> {
  const git = gitForTree(around.git, place, NO_FILES, around.platform);
  if (git === null) return unknown('the name of a submodule is no UTF-8');
  try {
    const [config, head] = await Promise.all([readConfig(git), readHead(git)]);
    if (config === null) return unknown(`the settings of submodule ${link.path} cannot be read`);
    const own = await countOwnCommits(git, otherRemotes(config, [place.path, realPath(place.path), place.gitDir]));
    if (head.kind !== 'known') return unknown(`submodule ${link.path}: ${reasonOf(head)}`);
    if (own.kind !== 'known') return unknown(`submodule ${link.path}: ${reasonOf(own)}`);
    const inside = { ...insideOf(around, config), weighsAll: around.weighsAll };
    const tree = await readContents(inside, place, realPath(place.path));
    if (tree.kind !== 'known') return unknown(`submodule ${link.path}: ${reasonOf(tree)}`);
    const words = [
      ...(own.value > 0 ? [commitsText(own.value)] : []),
      ...wordsFor(tree.value.contents),
      ...elsewhere(place.gitDir),
      ...operationsIn(place.gitDir).map((operation) => `a ${operation} in progress`),
    ];
    const holds = words.length === 0 ? null : words.join(', ');
    return known({ facts: { path: link.path, holds, drifted: head.value !== link.oid }, tree: tree.value });
  } finally {
    git.close();
  }
}

/** What a store holds whose submodule is not checked out. */
async function storeWords(around: TreeSurroundings, store: AbsPath): Promise<Fact<string[]>> {
  const git = gitForTree(around.git, { gitDir: store, path: store }, NO_FILES, around.platform);
  if (git === null) return unknown('the name of a submodule is no UTF-8');
  try {
    const [config, isStaged] = await Promise.all([readConfig(git), hasStaged(git)]);
    if (config === null) return unknown('the settings of a submodule cannot be read');
    if (isStaged.kind !== 'known') return isStaged;
    const own = await countOwnCommits(git, otherRemotes(config, [store]));
    if (own.kind !== 'known') return own;
    return known([
      ...(own.value > 0 ? [commitsText(own.value)] : []),
      ...(isStaged.value ? ['staged changes'] : []),
      ...elsewhere(store),
    ]);
  } finally {
    git.close();
  }
}

/** Worktrees of the store lie elsewhere, and their git directories in it. */
function elsewhere(store: AbsPath): string[] {
  const count = entriesOf(`${store}/worktrees` as AbsPath)?.length ?? 0;
  return count === 0 ? [] : [`${count} ${count === 1 ? 'worktree' : 'worktrees'} of its own elsewhere`];
}

function commitsText(count: number): string {
  return `${count} ${count === 1 ? 'commit' : 'commits'} that none of its remotes has`;
}

/** What a repository's files hold that its commits do not, in words. */
export function wordsFor(contents: WorktreeContents): string[] {
  const words: string[] = [];
  const add = (count: number, one: string, many: string) => {
    if (count > 0) words.push(`${count} ${count === 1 ? one : many}`);
  };
  const edits = contents.staged.count + contents.unstaged.count + contents.conflicted.count + contents.hidden.count;
  add(edits, 'edited file', 'edited files');
  add(contents.untracked.count, 'untracked file', 'untracked files');
  add(contents.precious.count, 'ignored file that nothing makes again', 'ignored files that nothing makes again');
  add(contents.nested.length, 'nested repository', 'nested repositories');
  add(contents.submodules.filter(({ holds }) => holds !== null).length, 'submodule with work', 'submodules with work');
  return words;
}

function reasonOf(fact: Fact<unknown>): string {
  return fact.kind === 'unknown' ? fact.reason : 'it is not there';
}

/** Null: there is no such folder. */
function entriesOf(path: string): Dirent<Buffer>[] | null {
  const stats = lstatSync(nativePath(path), { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return null;
  return readdirSync(nativePath(path), { withFileTypes: true, encoding: 'buffer' });
}

/** The store that a submodule's `.git` file names, when it lies in `gitDir`; null: somewhere else. */
function storeOf(path: AbsPath, was: AbsPath, gitDir: AbsPath): AbsPath | null {
  const pointer = readPointer(path, was);
  if (pointer.kind !== 'known') return null;
  try {
    const store = realPath(pointer.value);
    return store.startsWith(`${realPath(gitDir)}/modules/`) ? parseAbsPath(store) : null;
  } catch {
    // It leads nowhere: the walk finds the `.git` file, and nothing can be told of it.
    return null;
  }
}

/** All stores below a folder: a submodule's name may have slashes, and a store may have stores of its own. */
export function storesIn(folder: string): AbsPath[] {
  const stats = lstatSync(nativePath(folder), { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return [];
  const stores: AbsPath[] = [];
  const open = [realPath(folder)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = readdirSync(nativePath(at), { withFileTypes: true, encoding: 'buffer' });
    const names = new Set(entries.map((entry) => entry.name.toString('latin1')));
    const isStore = names.has('HEAD') && names.has('objects');
    if (isStore) stores.push(at as AbsPath);
    for (const entry of entries) {
      const name = entry.name.toString('latin1');
      if (entry.isDirectory() && (!isStore || name === 'modules')) open.push(`${at}/${name}`);
    }
  }
  return stores;
}
