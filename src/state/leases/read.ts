/** Reading leases: what the files say, and nothing of what follows from it. */
import { readdirSync } from 'node:fs';
import type { LeaseRecord } from '../../judge/facts/claims.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { sayFault } from '../../system/files.ts';
import { KEY } from '../key.ts';
import { findFolder, type StatePlace } from '../place.ts';
import { readState } from '../store.ts';
import { LEASE_FORM } from './record.ts';

/** All leases of a repository. */
export interface Leases {
  /** By working-copy key, released and expired ones too. */
  readonly byKey: ReadonlyMap<string, Fact<LeaseRecord>>;
  /** Names, as byte strings, of what lies among the leases and is none: nobody can tell which worktree it means. */
  readonly strays: readonly string[];
}

/**
 * Absent: nothing was ever leased here; that costs one look. Unknown: the folder cannot be read or is not to be
 * believed, so that nothing is known of any worktree.
 */
export function readLeases(place: StatePlace): Fact<Leases> {
  const folder = findFolder(place, 'leases');
  if (folder.kind !== 'known') return folder;
  const { path, account } = folder.value;
  let names: readonly string[];
  try {
    names = readdirSync(path, 'latin1').sort();
  } catch (fault) {
    return unknown(`the leases cannot be listed: ${sayFault(fault)}`);
  }
  const byKey = new Map<string, Fact<LeaseRecord>>();
  const strays: string[] = [];
  for (const name of names) {
    const key = name.replace(/\.json$/, '');
    if (name === `${key}.json` && KEY.test(key)) {
      const lease = readState(`${path}/${name}`, LEASE_FORM, account);
      // One that went away while it was read is none.
      if (lease.kind !== 'absent') byKey.set(key, lease);
    } else if (!isLeftover(name)) {
      strays.push(name);
    }
  }
  return known({ byKey, strays });
}

/** Where the lease of a working copy lies, as a byte string. */
export function leaseFile({ commonDir }: StatePlace, key: string): string {
  return `${commonDir}/coppice/leases/${key}.json`;
}

/** The lease of one working copy. */
export function readLease(place: StatePlace, key: string): Fact<LeaseRecord> {
  const folder = findFolder(place, 'leases');
  if (folder.kind !== 'known') return folder;
  return readState(`${folder.value.path}/${key}.json`, LEASE_FORM, folder.value.account);
}

/** A file that a writer left when its machine stopped, before it got its name. */
export function isLeftover(name: string): boolean {
  return /^\.coppice-[0-9a-f]{16}\.tmp$/.test(name);
}
