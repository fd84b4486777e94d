/** The object id that git gives a file's bytes as they are. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { nativePath } from './bytes.ts';

export type HashFormat = 'sha1' | 'sha256';

const CHUNK = 256 * 1024;

/**
 * The id of a regular file's bytes, or of a link's target. `plain` is the SHA-256 of the bytes alone.
 * @param stats what `lstat` said of it.
 */
export function hashFile(
  path: string,
  stats: Stats,
  format: HashFormat,
): Fact<{ readonly oid: string; readonly plain: string }> {
  try {
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(nativePath(path), { encoding: 'buffer' });
      return known(finish([target], target.length, format));
    }
    if (!stats.isFile()) return unknown('it is neither a file nor a link');
    const descriptor = openSync(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(descriptor);
      return known(finish(chunksOf(descriptor), size, format));
    } finally {
      closeSync(descriptor);
    }
  } catch (fault) {
    return unknown((fault as Error).message);
  }
}

function finish(chunks: Iterable<Uint8Array>, size: number, format: HashFormat) {
  const object = createHash(format).update(`blob ${size}\0`);
  const plain = createHash('sha256');
  let length = 0;
  for (const chunk of chunks) {
    object.update(chunk);
    plain.update(chunk);
    length += chunk.length;
  }
  if (length !== size) throw new Error('it changed while it was read');
  return { oid: object.digest('hex'), plain: plain.digest('hex') };
}

function* chunksOf(descriptor: number): Generator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let count = readSync(descriptor, chunk); count > 0; count = readSync(descriptor, chunk)) {
    yield chunk.subarray(0, count);
  }
}
