/** Is the folder that a git directory names the worktree of that git directory? Both must name each other. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { Admin } from '../../git/read/checkouts.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import type { Identity } from '../../judge/facts/worktree.ts';
import { nativePath } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { readBounded } from '../../system/files.ts';
import { readPointer } from './pointer.ts';

/** @param account the user id of this account; null where there is no such thing. */
export function identify(commonDir: AbsPath, admin: Admin, account: number | null): Identity {
  try {
    return adminFault(commonDir, admin) ?? placeFault(admin, account) ?? proven(admin);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return { kind: 'pointer-broken', why: `it cannot be looked at (${(fault as NodeJS.ErrnoException).code})` };
  }
}

function proven({ path, folder }: Admin): Identity {
  const [top, gitDir] = [entryId(path ?? ''), entryId(folder)];
  if (top === null || gitDir === null) return broken('it went away while it was looked at');
  return { kind: 'proven', folder: top, gitDir };
}

/** What is wrong with the git directory itself. */
function adminFault(commonDir: AbsPath, admin: Admin): Identity | null {
  const own = lstatSync(nativePath(admin.folder));
  if (!own.isDirectory()) return damaged('its git directory is no folder');
  const common = readBounded(nativePath(`${admin.folder}/commondir`), 64 * 1024);
  if (common.kind !== 'known') return damaged('its git directory does not say which repository it belongs to');
  const target = common.value.toString('latin1').replace(/[\r\n]+$/, '');
  if (!isSame(target.startsWith('/') ? target : posix.join(admin.folder, target), statSync(nativePath(commonDir))))
    return damaged('its git directory names another repository');
  const head = readBounded(nativePath(`${admin.folder}/HEAD`), 64 * 1024);
  if (head.kind !== 'known' || !/^(?:ref: refs\/|[0-9a-f]{40})/.test(head.value.toString('latin1')))
    return damaged('its HEAD cannot be read');
  return null;
}

/** What is wrong with the folder, and with the way back. */
function placeFault(admin: Admin, account: number | null): Identity | null {
  const path = parseAbsPath(admin.path ?? '');
  if (path === null || !admin.isPlain) return broken('its git directory names no folder in a form that is known here');
  const top = lstatSync(nativePath(path), { throwIfNoEntry: false });
  if (top === undefined) return { kind: 'missing', why: 'its folder is not there' };
  if (top.isSymbolicLink()) return { kind: 'wrong-occupant', why: 'a symbolic link stands in its place' };
  if (!top.isDirectory()) return { kind: 'wrong-occupant', why: 'something that is no folder stands in its place' };
  const dot = lstatSync(nativePath(`${path}/.git`), { throwIfNoEntry: false });
  if (dot === undefined) return broken('its folder has no .git file');
  if (dot.isDirectory()) return { kind: 'wrong-occupant', why: 'a repository of its own stands in its place' };
  if (!dot.isFile()) return broken('its .git is neither a file nor a folder');
  const pointer = readPointer(path);
  if (pointer.kind !== 'known')
    return broken(`its .git file cannot be read: ${pointer.kind === 'unknown' ? pointer.reason : 'it is gone'}`);
  const named = statSync(nativePath(pointer.value), { throwIfNoEntry: false });
  if (named === undefined) return broken(`its .git file leads to ${pointer.value}, where nothing is`);
  if (!isSame(admin.folder, named))
    return { kind: 'wrong-occupant', why: `its .git file names another git directory, ${pointer.value}` };
  return ownerFault(top, dot, account);
}

function ownerFault(top: Stats, dot: Stats, account: number | null): Identity | null {
  if (account === null) return null;
  if (top.uid !== account) return { kind: 'foreign-owner', owner: top.uid, what: 'its folder' };
  return dot.uid === account ? null : { kind: 'foreign-owner', owner: dot.uid, what: 'its .git file' };
}

/** True when the path leads to that file or folder, by device and inode. */
export function isSame(path: string, other: Stats): boolean {
  const stats = statSync(nativePath(path), { throwIfNoEntry: false });
  return stats !== undefined && stats.dev === other.dev && stats.ino === other.ino;
}

function damaged(why: string): Identity {
  return { kind: 'repository-damaged', why };
}

function broken(why: string): Identity {
  return { kind: 'pointer-broken', why };
}
