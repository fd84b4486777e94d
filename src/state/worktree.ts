/** Which worktree is meant: the one around the caller, or the one at a path, which may be gone. */
import { statSync } from 'node:fs';
import { basename, dirname, posix, resolve } from 'node:path';
import { readPlace } from '../git/read/repository.ts';
import { readWorktreePlace, type WorktreePlace } from '../git/read/worktree.ts';
import { gitFor } from '../git/run.ts';
import { type AbsPath, parseAbsPath } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { nativePath, toByteString } from '../system/bytes.ts';
import { readBounded, sayFault } from '../system/files.ts';
import { realPathOr } from '../system/paths.ts';
import { requireFolder } from '../system/require-folder.ts';

/** `here`: the worktree is there. `gone`: at that path is none, but state may name it. */
export type Meant =
  | ({ readonly kind: 'here'; readonly path: AbsPath } & Omit<WorktreePlace, 'top'>)
  | { readonly kind: 'gone'; readonly path: AbsPath; readonly commonDir: AbsPath };

export interface Asking {
  /** The caller's folder, or the one of `-C`; native. */
  readonly directory: string;
  /** `--worktree`, native and relative to `directory`; null: the worktree around it. */
  readonly worktree: string | null;
}

type Caller = Readonly<Record<string, string | undefined>>;

/** @throws UserError `no-such-folder`, `not-a-worktree`, and those of a repository that cannot be read */
export async function findMeant({ directory, worktree }: Asking, env: Caller): Promise<Meant> {
  requireFolder(directory);
  if (worktree === null) {
    const git = gitFor(directory, env);
    const place = await readWorktreePlace(git);
    if (place !== null) return here(place);
    // Says what is wrong with the repository, if anything is.
    await readPlace(git);
    throw new UserError('not-a-worktree', `${toByteString(directory)} is in no worktree`, {
      hint: 'name one with --worktree PATH',
    });
  }
  const path = resolve(directory, worktree);
  const there = isFolder(path) ? await readWorktreePlace(gitFor(path, env)) : null;
  // git climbs: a plain folder in a worktree is not that worktree.
  if (there !== null && isSameFolder(there.top, toByteString(path))) return here(there);
  const { commonDir } = await readPlace(gitFor(directory, env));
  // Links on the way are resolved as far as there is something, as git did when the worktree was there.
  const parent = realPathOr(toByteString(dirname(path)));
  return { kind: 'gone', path: parseAbsPath(posix.join(parent, toByteString(basename(path)))) as AbsPath, commonDir };
}

/** What acts on a worktree itself needs it. @throws UserError `not-a-worktree` */
export function requireHere(meant: Meant): Extract<Meant, { kind: 'here' }> {
  if (meant.kind === 'here') return meant;
  throw new UserError('not-a-worktree', `${meant.path} is not the top folder of a worktree`, {
    hint: 'coppice list names the worktrees of this repository',
  });
}

/**
 * Identity is two-way: a copied or moved folder still names the git directory of the worktree that it was, and what is
 * written there would be another worktree's.
 * @throws UserError `pointer-broken`
 */
export function proveIdentity({ path, gitDir, commonDir }: Extract<Meant, { kind: 'here' }>): void {
  if (gitDir === commonDir) return;
  const contents = readBounded(nativePath(`${gitDir}/gitdir`), 64 * 1024);
  const named = contents.kind === 'known' ? contents.value.toString('latin1').replace(/[\r\n]+$/, '') : '';
  const back = posix.dirname(named.startsWith('/') ? named : posix.join(gitDir, named));
  if (named !== '' && isSameFolder(back, path)) return;
  throw new UserError('pointer-broken', `${path} and its git directory ${gitDir} do not name each other`, {
    hint: 'a worktree that was moved by hand is mended by git worktree repair',
  });
}

function here({ top, ...place }: WorktreePlace): Meant {
  return { kind: 'here', path: top, ...place };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (fault) {
    throw new UserError('worktree-unreadable', `${toByteString(path)} cannot be looked at: ${sayFault(fault)}`);
  }
}

/** By device and inode. Byte strings. */
export function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(nativePath(path), { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
