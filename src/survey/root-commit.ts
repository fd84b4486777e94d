import { readRootCommit } from '../git/read/root-commit.ts';
import type { Git } from '../git/run.ts';
import { type Oid, parseOid } from '../judge/facts/names.ts';
import { readBounded } from '../system/files.ts';
import type { CachePlace } from './cache-place.ts';
import { keep } from './cache.ts';

/** The first commit of the base's first-parent line, remembered for the base that it was last read for. */
export async function rootCommitOf(git: Git, base: Oid, place: CachePlace | null): Promise<Oid | null> {
  const kept = place === null ? null : remembered(place, base);
  if (kept !== null) return kept;
  const root = await readRootCommit(git, base);
  if (root !== null && place !== null) keep(place.rootFile, `${base} ${root}\n`);
  return root;
}

function remembered(place: CachePlace, base: Oid): Oid | null {
  const contents = readBounded(place.rootFile, 256, place.account === null ? {} : { owner: place.account });
  if (contents.kind !== 'known') return null;
  const match = /^(\S+) (\S+)\n$/.exec(contents.value.toString('latin1'));
  return match?.[1] === base ? parseOid(match[2] ?? '') : null;
}
