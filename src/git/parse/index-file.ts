/** An index as git writes it, for what `ls-files -v -s` prints of it. */
import { createHash } from 'node:crypto';
import type { Oid } from '../../judge/facts/names.ts';
import type { TrackedFile } from './tracked.ts';

const HEADER = 12;
/** Times, inode, mode, owner and size, before an entry's object id. */
const STATS = 40;
const MODE_AT = 24;
const [ASSUMED, EXTENDED, STAGE, LENGTH] = [0x8000, 0x4000, 0x3000, 0x0fff];
const SKIPPED = 0x4000;

/**
 * Null for all but the plain forms (versions 2 and 3, whole and not sparse, no file skipped, with a checksum that is
 * right): git is asked about those.
 */
export function parseIndex(bytes: Buffer, format: 'sha1' | 'sha256'): TrackedFile[] | null {
  const hash = format === 'sha1' ? 20 : 32;
  const end = bytes.length - hash;
  if (end < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  if (!createHash(format).update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) return null;
  const files: TrackedFile[] = [];
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + STATS + hash;
    if (flagsAt + 4 > end) return null;
    const flags = bytes.readUInt16BE(flagsAt);
    const isExtended = (flags & EXTENDED) !== 0;
    if (isExtended && version < 3) return null;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    const nameEnd = (flags & LENGTH) < LENGTH ? nameAt + (flags & LENGTH) : bytes.indexOf(0, nameAt);
    if (nameEnd <= nameAt || nameEnd >= end || bytes[nameEnd] !== 0) return null;
    // Whether that flag counts depends on settings and on what is there.
    if (isExtended && (bytes.readUInt16BE(flagsAt + 2) & SKIPPED) !== 0) return null;
    const tag = (flags & STAGE) !== 0 ? 'M' : 'H';
    files.push(
      new IndexEntry(
        bytes,
        at,
        hash,
        bytes.toString('latin1', nameAt, nameEnd),
        flags & ASSUMED ? tag.toLowerCase() : tag,
      ),
    );
    // Up to eight zero bytes make an entry's length a multiple of eight.
    at += (nameEnd - at + 8) & ~7;
  }
  return isPlain(bytes, at, end) ? files : null;
}

/** True when only extensions follow that may be passed over: those are named with a capital. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    const first = bytes[at] ?? 0;
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}

/** Few are asked for their ids. */
class IndexEntry implements TrackedFile {
  readonly path: string;
  readonly tag: string;
  private readonly bytes: Buffer;
  private readonly at: number;
  private readonly hash: number;

  constructor(bytes: Buffer, at: number, hash: number, path: string, tag: string) {
    this.bytes = bytes;
    this.at = at;
    this.hash = hash;
    this.path = path;
    this.tag = tag;
  }

  get mode(): string {
    return this.bytes
      .readUInt32BE(this.at + MODE_AT)
      .toString(8)
      .padStart(6, '0');
  }

  get oid(): Oid {
    return this.bytes.toString('hex', this.at + STATS, this.at + STATS + this.hash) as Oid;
  }
}
