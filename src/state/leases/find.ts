/** The lease that is meant by a worktree, or by a path where one was. */
import { type LeaseRecord, leaseStanding } from '../../judge/facts/claims.ts';
import type { Fact } from '../../judge/facts/fact.ts';
import { keyUnreadable, readKey } from '../key.ts';
import type { StatePlace } from '../place.ts';
import type { Meant } from '../worktree.ts';
import { leaseFile, type Leases, readLease, readLeases } from './read.ts';
import { unreadable } from './words.ts';

export interface FoundLease {
  readonly key: string;
  readonly lease: LeaseRecord;
  /** True when it is the lease of the working copy that is there now. */
  readonly isOwn: boolean;
}

/**
 * Null: there is none. A worktree that is gone has taken its key with it; its lease is found by the path that was
 * recorded, and so is that of an earlier worktree in the place of a new one, for whoever has its token.
 *
 * @throws UserError `key-unreadable`, `lease-unreadable`
 */
export function findLease(place: StatePlace, meant: Meant, tokenHash: string | null, now: number): FoundLease | null {
  const folder = `${place.commonDir}/coppice/leases`;
  const own = meant.kind === 'here' ? ownLease(place, meant) : null;
  if (own !== null && own.lease.tokenHash === tokenHash) return own;
  const leases = required(readLeases(place), meant.path, folder);
  if (leases === null) return own;
  const there = recordedAt(leases, meant.path);
  const byToken = there.find(({ lease }) => lease.tokenHash === tokenHash);
  if (byToken !== undefined) return byToken;
  if (meant.kind === 'here') return own;
  for (const [key, lease] of leases.byKey) {
    if (lease.kind === 'unknown') throw unreadable(meant.path, lease.reason, leaseFile(place, key));
  }
  return there.toSorted((a, b) => rank(b.lease, now) - rank(a.lease, now))[0] ?? null;
}

function ownLease(place: StatePlace, { gitDir, path }: Extract<Meant, { kind: 'here' }>): FoundLease | null {
  const key = readKey(gitDir, place.account);
  if (key.kind === 'unknown') throw keyUnreadable(gitDir, key.reason);
  if (key.kind === 'absent') return null;
  const lease = required(readLease(place, key.value), path, leaseFile(place, key.value));
  return lease === null ? null : { key: key.value, lease, isOwn: true };
}

function recordedAt(leases: Leases, path: string): FoundLease[] {
  return [...leases.byKey].flatMap(([key, lease]) =>
    lease.kind === 'known' && lease.value.worktree === path ? [{ key, lease: lease.value, isOwn: false }] : [],
  );
}

/** Live ones first, then the latest. */
function rank(lease: LeaseRecord, now: number): number {
  return lease.heartbeat + (leaseStanding(lease, now) === 'live' ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

function required<T>(fact: Fact<T>, path: string, file: string): T | null {
  if (fact.kind === 'unknown') throw unreadable(path, fact.reason, file);
  return fact.kind === 'known' ? fact.value : null;
}
