/** Copies one file whole, or says that it could not be. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  writeSync,
} from 'node:fs';
import { posix } from 'node:path';
import { nativePath } from './bytes.ts';
import { realPath } from './paths.ts';

/** What was copied. */
export interface CopiedFile {
  readonly size: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  /** Its permissions, without the kind of file. */
  readonly mode: number;
  /** When it was last written, in nanoseconds since 1970. */
  readonly modified: bigint;
}

/** It is no regular file, or was written to while it was copied. */
export class NotCopied extends Error {}

const CHUNK = 256 * 1024;

/**
 * Both are byte strings. Nothing may be at `to`, which is made for this account alone and synced; null: nothing is
 * written, and the file is only read to its end.
 * @throws NotCopied, and the system's own fault; then what was written of `to` stays.
 */
export function copyFile(from: string, to: string | null): CopiedFile {
  const source = openSync(nativePath(from), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = fstatSync(source, { bigint: true });
    if (!before.isFile()) throw new NotCopied('it is no file any more');
    const target = to === null ? null : openSync(nativePath(to), 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      const chunk = Buffer.allocUnsafe(CHUNK);
      let size = 0;
      for (let count = readSync(source, chunk); count > 0; count = readSync(source, chunk)) {
        hash.update(chunk.subarray(0, count));
        for (let at = 0; target !== null && at < count; ) at += writeSync(target, chunk, at, count - at);
        size += count;
      }
      const after = fstatSync(source, { bigint: true });
      if (BigInt(size) !== after.size || after.mtimeNs !== before.mtimeNs || after.ctimeNs !== before.ctimeNs)
        throw new NotCopied('it was written to meanwhile');
      if (target !== null) fsyncSync(target);
      return { size, sha256: hash.digest('hex'), mode: Number(before.mode & 0o7777n), modified: before.mtimeNs };
    } finally {
      if (target !== null) closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** A file, a link or something else of which nothing but the name can be kept. */
export interface CopiedEntry {
  readonly kind: 'file' | 'link' | 'other';
  readonly mode: number;
  readonly size: number;
  /** Of the bytes, or of the link's target; null: there is nothing to read. */
  readonly sha256: string | null;
  /** In nanoseconds since 1970, as digits. */
  readonly modified: string;
  /** Where a link leads to, as a byte string. */
  readonly target: string | null;
}

/**
 * Copies what lies at `path` below `top`. Of a link, which is never followed, only what it says is read.
 * @param to where a file's bytes go; null: nowhere. All are byte strings.
 * @throws NotCopied, and the system's own fault
 */
export function copyEntry(top: string, path: string, to: string | null): CopiedEntry {
  const from = `${top}/${path}`;
  // A link on the way would lead to somebody else's files.
  if (realPath(posix.dirname(from)) !== posix.dirname(`${realPath(top)}/${path}`))
    throw new NotCopied('there is a link on the way to it');
  const stats = lstatSync(nativePath(from), { bigint: true });
  const about = { mode: Number(stats.mode & 0o7777n), modified: String(stats.mtimeNs) };
  if (stats.isSymbolicLink()) {
    const target = readlinkSync(nativePath(from), { encoding: 'buffer' });
    const sha256 = createHash('sha256').update(target).digest('hex');
    return { ...about, kind: 'link', size: target.length, sha256, target: target.toString('latin1') };
  }
  if (!stats.isFile()) return { ...about, kind: 'other', size: 0, sha256: null, target: null };
  const { size, sha256, mode, modified } = copyFile(from, to);
  return { mode, modified: String(modified), kind: 'file', size, sha256, target: null };
}
