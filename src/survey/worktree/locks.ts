/** git's locks on worktrees. */
import { lstatSync, readdirSync } from 'node:fs';
import { readAdmins } from '../../git/read/checkouts.ts';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import type { WorktreeLock } from '../../judge/facts/worktree.ts';
import type { LockedWorktree } from '../../judge/permit.ts';
import { JOURNAL_ID } from '../../state/ids.ts';
import { nativePath } from '../../system/bytes.ts';
import { isFaultOf, readBounded, sayFault } from '../../system/files.ts';
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

/**
 * The lock, or else what an unlock that was cut off left of it: it was not proven to the end that it may go.
 * @param gitDir the worktree's own, a byte string.
 */
export function readLock(gitDir: string): Fact<WorktreeLock> {
  const lock = readLockFile(`${gitDir}/locked`);
  if (lock.kind !== 'absent') return lock;
  const names = leftoversIn(gitDir);
  if (names.kind !== 'known') return names;
  const [aside] = names.value;
  if (aside === undefined) return absent;
  const left = readLockFile(`${gitDir}/${aside}`);
  // Whoever put it aside may have put it back meanwhile.
  if (left.kind === 'absent') return readLockFile(`${gitDir}/locked`);
  return left.kind === 'known'
    ? known({ reason: left.value.reason, owner: null, pid: null, alive: null, aside })
    : left;
}

const ASIDE = 'locked.';

/** Names of locks that an unlock put aside and was cut off before it took them away or put them back. */
export function leftoversIn(gitDir: string): Fact<readonly string[]> {
  try {
    const names = readdirSync(nativePath(gitDir), { encoding: 'latin1' });
    return known(names.filter((name) => name.startsWith(ASIDE) && JOURNAL_ID.test(name.slice(ASIDE.length))).sort());
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT') || isFaultOf(fault, 'ENOTDIR')) return absent;
    return unknown(`its lock cannot be looked for: ${sayFault(fault)}`);
  }
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
