/** git's locks on worktrees. */
import { lstatSync } from 'node:fs';
import { readAdmins } from '../../git/read/checkouts.ts';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import type { WorktreeLock } from '../../judge/facts/worktree.ts';
import type { LockedWorktree } from '../../judge/permit.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { readOwner } from './lock-owner.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Every linked worktree with its lock. Unknown: they cannot be listed. */
export function readLocks(commonDir: AbsPath): Fact<readonly LockedWorktree[]> {
  const admins = readAdmins(commonDir);
  if (admins.kind !== 'known') return admins;
  return known(
    admins.value.map(({ name, folder, path }) => ({
      admin: name,
      gitDir: folder as AbsPath,
      path: parseAbsPath(path ?? '') ?? (folder as AbsPath),
      lock: readLock(folder),
    })),
  );
}

/** @param gitDir the worktree's own, a byte string. */
export function readLock(gitDir: string): Fact<WorktreeLock> {
  return readLockFile(`${gitDir}/locked`);
}

/** The lock as a file of that name holds it. Absent: there is none. */
export function readLockFile(file: string): Fact<WorktreeLock> {
  const contents = readBounded(nativePath(file), MOST_BYTES);
  if (contents.kind === 'absent') return absent;
  if (contents.kind === 'unknown') return unknown(`its lock cannot be read: ${contents.reason}`);
  const taken = lstatSync(nativePath(file), { throwIfNoEntry: false })?.mtimeMs;
  if (taken === undefined) return absent;
  return known(readOwner(contents.value.toString('latin1').replace(/\n+$/, ''), taken));
}
