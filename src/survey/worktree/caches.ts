/** Folders that tools make again, read a second time where they were moved to. */
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { CacheFolder } from '../../judge/facts/worktree.ts';
import { sayFault } from '../../system/files.ts';
import { type Mount, mountsBelow, placeOf } from '../../system/mounts.ts';
import { realPathOr } from '../../system/paths.ts';
import { type CacheWalk, walkCache, WalkCut } from './walk.ts';

export interface Moved extends Pick<CacheWalk, 'watched' | 'deadline' | 'now'> {
  /** The folder in which they are, each by its number; a byte string. */
  readonly shelf: string;
  readonly mounts: Fact<readonly Mount[]>;
}

export interface ReadAgain {
  /** By the places that they had. */
  readonly caches: Fact<readonly CacheFolder[]>;
  /** What of `watched` is in them. */
  readonly watched: ReadonlySet<string>;
}

export function again(before: readonly CacheFolder[], { shelf, mounts, ...asked }: Moved): ReadAgain {
  const watched = new Set<string>();
  const nobody = (reason: string): ReadAgain => ({ caches: unknown(reason), watched });
  const top = realPathOr(shelf);
  if (mounts.kind !== 'known') return nobody('what is mounted cannot be told');
  if (mountsBelow(mounts.value, top).length > 0) return nobody('something is mounted in it');
  const device = placeOf(mounts.value, top)?.device ?? '';
  try {
    const caches = before.map(({ path, why }, at) => {
      const walked = walkCache({ ...asked, top, name: String(at), why, device });
      for (const key of walked.watched) watched.add(key);
      if (walked.repositories.length > 0) throw new Other();
      return { ...walked.cache, path };
    });
    return { caches: known(caches), watched };
  } catch (fault) {
    if (fault instanceof Other) return nobody('a repository is in it');
    return nobody(fault instanceof WalkCut ? 'it took too long to read it' : sayFault(fault));
  }
}

class Other extends Error {}
