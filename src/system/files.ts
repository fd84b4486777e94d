import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';

/** How a file may be read. */
export interface ReadOptions {
  /** True: a symbolic link as the last name is followed. Default false: it is refused. */
  readonly follow?: boolean;
  /** A user id: the file must belong to it, and nobody else may be able to write it. */
  readonly owner?: number;
}

/**
 * The whole content of a regular file of at most `maxBytes` bytes.
 *
 * `absent` only when the file is proven not to be there: a link to nothing, and a folder on the way that is one, is
 * `unknown`. So is everything that cannot be read whole, unchanged while it was read, and within the bound. Reasons do
 * not name the path. Never blocks on a FIFO, never throws for a fault of the file.
 */
export function readBounded(path: string | Buffer, maxBytes: number, options: ReadOptions = {}): Fact<Buffer> {
  const follow = options.follow ?? false;
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a FIFO that nobody writes to would never return.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    descriptor = openSync(path, follow ? flags : flags | constants.O_NOFOLLOW);
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return absentOrDangling(path.toString());
    if (isFaultOf(fault, 'ELOOP')) return unknown(follow ? 'its links lead in a circle' : 'it is a symbolic link');
    return unknown(sayFault(fault));
  }
  try {
    const before = fstatSync(descriptor);
    const refusal = whyNotReadable(before, maxBytes, options.owner);
    if (refusal !== null) return unknown(refusal);
    const bytes = readUpTo(descriptor, maxBytes + 1, before.size + 1);
    if (bytes.length > maxBytes) return unknown(tooLarge(maxBytes));
    const after = fstatSync(descriptor);
    return isSame(before, after, bytes.length) ? known(bytes) : unknown('it changed while it was read');
  } catch (fault) {
    return unknown(sayFault(fault));
  } finally {
    closeSync(descriptor);
  }
}

export function whyNotReadable(stats: Stats, maxBytes: number, owner: number | undefined): string | null {
  if (!stats.isFile()) return `it is ${kindOf(stats)}, not a file`;
  if (stats.size > maxBytes) return tooLarge(maxBytes);
  if (owner === undefined) return null;
  if (stats.uid !== owner) return `it belongs to user ${stats.uid}, not to ${owner}`;
  return (stats.mode & 0o022) === 0 ? null : 'others may write it';
}

function isSame(before: Stats, after: Stats, length: number): boolean {
  // Files that the kernel makes up while they are read have the size 0.
  return after.size === before.size && after.mtimeMs === before.mtimeMs && (length === after.size || after.size === 0);
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${maxBytes} bytes`;
}

function readUpTo(descriptor: number, limit: number, expected: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(Math.max(expected, 4096), 64 * 1024, limit - length));
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return Buffer.concat(chunks, length);
}

/** Tells a path where nothing is from one that leads through a link to nothing, such as a volume that is not mounted. */
function absentOrDangling(path: string): Fact<never> {
  for (let at = path; ; at = dirname(at)) {
    try {
      const stats = lstatSync(at);
      if (!stats.isSymbolicLink()) return at === path ? unknown('it appeared while it was read') : absent;
      return unknown(`${at === path ? 'it' : at} is a symbolic link to nothing`);
    } catch (fault) {
      if (!isFaultOf(fault, 'ENOENT')) return unknown(sayFault(fault));
      if (dirname(at) === at) return absent;
    }
  }
}

/**
 * Puts `bytes` at `path` whole or not at all, also when the machine stops on the way: written to a temporary file in
 * the same folder, synced, renamed, folder synced. A link at `path` is replaced, not followed. `mode` is set exactly.
 *
 * Throws `UserError` (`write-failed`); then the old content stands and no temporary file is left, except where the text
 * says otherwise.
 */
export function writeAtomic(path: string, bytes: Uint8Array, mode: number): void {
  const temporary = join(dirname(path), `.coppice-${randomBytes(8).toString('hex')}.tmp`);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', mode);
  } catch (fault) {
    throw writeFailed(path, sayFault(fault), fault);
  }
  try {
    try {
      fchmodSync(descriptor, mode);
      writeAll(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (fault) {
    throw writeFailed(path, sayFault(fault) + removeTemporary(temporary), fault);
  }
  try {
    syncFolder(dirname(path));
  } catch (fault) {
    throw writeFailed(path, `written, but its folder could not be synced: ${sayFault(fault)}`, fault);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(descriptor, bytes, at);
}

/** Removes what this call made; says so in words when that fails too. */
function removeTemporary(temporary: string): string {
  try {
    unlinkSync(temporary);
    return '';
  } catch (fault) {
    return isFaultOf(fault, 'ENOENT') ? '' : `; ${temporary} is left: ${sayFault(fault)}`;
  }
}

/** Makes new names in a folder survive a crash. Throws the system's own fault. */
export function syncFolder(path: string | Buffer): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } catch (fault) {
    // Some file systems have no such thing for folders, and say so.
    if (!isFaultOf(fault, 'EINVAL') && !isFaultOf(fault, 'ENOTSUP')) throw fault;
  } finally {
    closeSync(descriptor);
  }
}

function writeFailed(path: string, why: string, cause: unknown): UserError {
  return new UserError('write-failed', `cannot write ${path}: ${why}`, { cause });
}

/** Whose folder it must be, and where the private part of the path begins. */
export interface PrivateDirOptions {
  /** The user id of this account. */
  readonly account: number;
  /** The first level that is proved and may be made; the path itself or a folder above it. Default: the path itself. */
  readonly from?: string;
}

/**
 * Makes the folder `path` and proves it: each level from `from` on, one at a time, is made with mode 0700 where it is
 * missing, and must be a real folder (no link) of this account that nobody else may write, before the next is looked at.
 * Levels above `from` are never made; none of them may be open to everybody without a sticky bit.
 *
 * Throws `UserError` (`unsafe-folder`) with the reason; what was made until then stays, empty.
 */
export function ensurePrivateDir(path: string, options: PrivateDirOptions): void {
  const levels = levelsOf(path, options);
  for (const level of levels) {
    try {
      mkdirSync(level, 0o700);
      syncFolder(dirname(level));
    } catch (fault) {
      if (!isFaultOf(fault, 'EEXIST')) throw unsafe(level, `it cannot be made: ${sayFault(fault)}`, fault);
    }
    let why: string | null;
    try {
      why = whyNotPrivate(level, options.account);
    } catch (fault) {
      why = sayFault(fault);
    }
    if (why !== null) throw unsafe(level, why);
  }
}

/**
 * The proof of `ensurePrivateDir` without making anything: known (true) when every level passes, absent when one is not
 * there, unknown with the reason when one is not private.
 */
export function provePrivateDir(path: string, options: PrivateDirOptions): Fact<true> {
  try {
    for (const level of levelsOf(path, options)) {
      const why = whyNotPrivate(level, options.account);
      if (why !== null) return unknown(`${level}: ${why}`);
    }
    return known(true);
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return absentOrDangling(path.toString());
    if (fault instanceof UserError) return unknown(fault.message);
    return unknown(sayFault(fault));
  }
}

function levelsOf(path: string, options: PrivateDirOptions): readonly string[] {
  const from = options.from ?? path;
  for (const named of [path, from]) {
    if (!isAbsolute(named) || normalize(named) !== named || (named.endsWith(sep) && named !== sep)) {
      throw unsafe(named, 'its path is not absolute and plain');
    }
  }
  const below = relative(from, path);
  if (below === '..' || below.startsWith(`..${sep}`)) throw unsafe(path, `it is not below ${from}`);
  proveSurroundings(from);
  const levels = [from];
  for (const name of below === '' ? [] : below.split(sep)) levels.push(join(levels.at(-1) ?? from, name));
  return levels;
}

/** In a folder that is open to everybody and not sticky, anyone could put another one in the place of ours. */
function proveSurroundings(from: string): void {
  let open: string | null = null;
  try {
    for (let at = realpathSync(dirname(from)); ; at = dirname(at)) {
      const { mode } = statSync(at);
      if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) open = at;
      if (dirname(at) === at) break;
    }
  } catch (fault) {
    throw unsafe(from, `the folder above it, ${dirname(from)}: ${sayFault(fault)}`, fault);
  }
  if (open !== null) throw unsafe(from, `everybody may rename what lies in ${open}`);
}

/** Throws the system's fault when there is nothing to look at. */
function whyNotPrivate(level: string, account: number): string | null {
  const stats = lstatSync(level);
  if (!stats.isDirectory()) return `it is ${kindOf(stats)}, not a folder`;
  if (stats.uid !== account) return `it belongs to user ${stats.uid}, not to ${account}`;
  if ((stats.mode & 0o022) !== 0) return 'others may write it';
  return null;
}

function unsafe(path: string, why: string, cause?: unknown): UserError {
  return new UserError('unsafe-folder', `${path} is not used: ${why}`, { cause });
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFile()) return 'a file';
  if (stats.isFIFO()) return 'a FIFO';
  return stats.isSocket() ? 'a socket' : 'a device';
}

const FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left',
  ENOENT: 'not there',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ENXIO: 'it is a socket or a device without a reader',
  EIO: 'input/output error',
};

export function isFaultOf(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}

/** The system's fault in words. What is no fault of the system is a bug, and goes on up. */
export function sayFault(fault: unknown): string {
  if (!(fault instanceof Error && 'errno' in fault && 'code' in fault)) throw fault;
  const code = String(fault.code);
  return `${FAULTS[code] ?? 'failed'} (${code})`;
}
