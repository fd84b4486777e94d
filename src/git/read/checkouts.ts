/**
 * Which branches a worktree uses in ways that `worktree list` does not tell: while it rebases or bisects them, or when
 * git itself would pass it over. Read from the files that git keeps for each worktree.
 */
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, parseRefName, type RefName } from '../../judge/facts/names.ts';
import { readBounded } from '../../system/files.ts';

/** One use of a branch. */
export interface BranchUse {
  readonly branch: RefName;
  readonly how: 'checked out' | 'being rebased' | 'being bisected';
  /** The admin directory's name; null for the main worktree. */
  readonly admin: string | null;
  /** The worktree's folder as its admin directory names it, as a byte string; null when it does not. */
  readonly path: string | null;
}

const MOST_BYTES = 1024 * 1024;

/** A linked worktree's own git directory. */
export interface Admin {
  readonly name: string;
  /** Absolute, as a byte string. */
  readonly folder: string;
  /** The worktree's folder as its `gitdir` file names it, as a byte string; null when it does not. */
  readonly path: string | null;
  /** False when its `gitdir` file names no `.git` entry, or one in a form that this system does not have. */
  readonly isPlain: boolean;
}

/** The git directories of the linked worktrees, also of those that git passes over. */
export function readAdmins(commonDir: AbsPath): Fact<readonly Admin[]> {
  try {
    const names = readdirSync(Buffer.from(`${commonDir}/worktrees`, 'latin1'), { encoding: 'buffer' });
    return known(names.map((name) => readAdmin(commonDir, name.toString('latin1'))));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return known([]);
    return unknown(`the worktrees' git directories cannot be listed: ${(fault as Error).message}`);
  }
}

function readAdmin(commonDir: AbsPath, name: string): Admin {
  const folder = `${commonDir}/worktrees/${name}`;
  const pointer = readText(`${folder}/gitdir`);
  const named = pointer.kind === 'known' ? pointer.value.replace(/\n$/, '') : null;
  const path = named === null ? null : named.replace(/\/\.git$/, '');
  const isPlain = named?.endsWith('/.git') === true && !/^[A-Za-z]:[\\/]/.test(named);
  return { name, folder, path: path === null || path.startsWith('/') ? path : posix.join(folder, path), isPlain };
}

export function readBranchUses(commonDir: AbsPath): Fact<readonly BranchUse[]> {
  const admins = readAdmins(commonDir);
  if (admins.kind !== 'known') return admins;
  const uses: BranchUse[] = [];
  for (const { folder, name, path } of [{ folder: commonDir, name: null, path: null }, ...admins.value]) {
    const found = usesOf(folder, name, path);
    if (found.kind !== 'known') return found;
    uses.push(...found.value);
  }
  return known(uses);
}

/** Files that name branches in use, and how a name is found in them. */
const PLACES: readonly {
  readonly file: string;
  readonly how: BranchUse['how'];
  readonly names: (text: string) => string[];
}[] = [
  { file: 'HEAD', how: 'checked out', names: (text) => (text.startsWith('ref: ') ? [text.slice(5).trimEnd()] : []) },
  { file: 'rebase-merge/head-name', how: 'being rebased', names: (text) => [text.trimEnd()] },
  { file: 'rebase-apply/head-name', how: 'being rebased', names: (text) => [text.trimEnd()] },
  // Groups of three lines: a ref that the rebase will move, and two ids.
  {
    file: 'rebase-merge/update-refs',
    how: 'being rebased',
    names: (text) => text.split('\n').filter((line) => line.startsWith('refs/')),
  },
  { file: 'BISECT_START', how: 'being bisected', names: (text) => [`refs/heads/${text.trimEnd()}`, text.trimEnd()] },
];

function usesOf(folder: string, admin: string | null, path: string | null): Fact<readonly BranchUse[]> {
  const uses: BranchUse[] = [];
  for (const { file, how, names } of PLACES) {
    const text = readText(`${folder}/${file}`);
    if (text.kind === 'unknown')
      return unknown(`${admin ?? 'the main worktree'}: ${file} cannot be read: ${text.reason}`);
    if (text.kind === 'absent') continue;
    for (const name of names(text.value)) {
      const branch = parseRefName(name);
      if (branch !== null) uses.push({ branch, how, admin, path });
    }
  }
  return known(uses);
}

function readText(path: string): Fact<string> {
  const contents = readBounded(Buffer.from(path, 'latin1'), MOST_BYTES, { follow: true });
  return contents.kind === 'known' ? known(contents.value.toString('latin1')) : contents;
}
