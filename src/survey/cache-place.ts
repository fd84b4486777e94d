import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { AbsPath, Oid } from '../judge/facts/names.ts';
import { coppiceBuild } from '../version.ts';
import type { World } from './world.ts';

/** Where answers about object ids are kept, and what they depend on besides the ids asked about. */
export interface CachePlace {
  readonly file: string;
  /** Where the base's first commit is kept. */
  readonly rootFile: string;
  readonly key: string;
  /** The account that must own the file; null where there is no such thing. */
  readonly account: number | null;
}

/** Null: nothing is kept (`COPPICE_CACHE=off`, or no folder for it is known). */
export function cachePlace(
  world: World,
  commonDir: AbsPath,
  gitVersion: string,
  shallow: ReadonlySet<Oid>,
): CachePlace | null {
  const folder = cacheFolder(world);
  if (folder === null) return null;
  const name = createHash('sha256').update(commonDir, 'latin1').digest('hex').slice(0, 32);
  return {
    file: join(folder, `merged-${name}.json`),
    rootFile: join(folder, `root-${name}`),
    // What an earlier build took for merged, a later one may know better.
    key: JSON.stringify([coppiceBuild, gitVersion, commonDir, [...shallow].sort()]),
    account: world.account,
  };
}

function cacheFolder({ env, home, platform }: World): string | null {
  const named = env.COPPICE_CACHE;
  if (named === 'off') return null;
  if (named !== undefined && named !== '') return isAbsolute(named) ? named : null;
  const shared = env.XDG_CACHE_HOME;
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'coppice');
  if (home === null || !isAbsolute(home)) return null;
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'coppice') : join(home, '.cache', 'coppice');
}
