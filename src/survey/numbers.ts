import type { RawEntry } from '../git/parse/raw-diff.ts';
import { type Oid, parseOid } from '../judge/facts/names.ts';
import type { BlobNumber, Entry, PathNumber } from '../judge/merged/change.ts';

/** Numbers for paths and blobs, so that the ladder compares numbers instead of texts. */
export class Numbers {
  private readonly pathNumbers = new Map<string, PathNumber>();
  private readonly paths: string[] = [];
  private readonly blobNumbers = new Map<string, BlobNumber>();
  private readonly blobs: (Oid | null)[] = [null];

  /** The entry in numbers; a path that is new gets one. */
  entry(raw: RawEntry): Entry {
    let path = this.pathNumbers.get(raw.path);
    if (path === undefined) {
      const text = ownCopy(raw.path);
      path = this.paths.length;
      this.pathNumbers.set(text, path);
      this.paths.push(text);
    }
    return this.numbered(path, raw);
  }

  /** The entry in numbers, or null when no branch touches its path. */
  knownEntry(raw: RawEntry): Entry | null {
    const path = this.pathNumbers.get(raw.path);
    return path === undefined ? null : this.numbered(path, raw);
  }

  path(number: PathNumber): string {
    return this.paths[number] ?? '';
  }

  blob(number: BlobNumber): Oid | null {
    return this.blobs[number] ?? null;
  }

  blobNumber(id: string): BlobNumber {
    const known = this.blobNumbers.get(id);
    if (known !== undefined) return known;
    const text = ownCopy(id);
    this.blobNumbers.set(text, this.blobs.length);
    this.blobs.push(parseOid(text));
    return this.blobs.length - 1;
  }

  private numbered(path: PathNumber, raw: RawEntry): Entry {
    return {
      path,
      beforeMode: raw.beforeMode,
      before: raw.beforeMode === 0 ? 0 : this.blobNumber(raw.before),
      afterMode: raw.afterMode,
      after: raw.afterMode === 0 ? 0 : this.blobNumber(raw.after),
    };
  }
}

/** A part of a longer text keeps all of it in memory; what is kept for long is copied out. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
