/** Keeping a lease alive, and giving it back: for who has its token, from anywhere. */
import { resolve } from 'node:path';
import { type LeaseRecord, type LeaseStanding, leaseStanding } from '../../judge/facts/claims.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { toByteString } from '../../system/bytes.ts';
import { withLifecycleLock } from '../lifecycle-lock.ts';
import { findState, type StateFolder, type StatePlace } from '../place.ts';
import { touchRuns } from '../runs/touch.ts';
import type { StateWorld } from '../world.ts';
import { type Asking, findMeant, type Meant } from '../worktree.ts';
import { writeLease } from './acquire.ts';
import { type FoundLease, findLease } from './find.ts';
import { leaseFile, readLease } from './read.ts';
import { dropToken, hashOf, keptTokenPath, readToken, TOKEN_VARIABLE } from './token.ts';
import { endOf, expiredOwn, noLease, tokenMissing, unreadable, wrongToken } from './words.ts';

export interface KeepRequest extends Asking {
  /** Where the token is read from, native; null: only the environment counts. */
  readonly tokenFile: string | null;
}

/** A lease, and what it stands for. */
export interface Kept {
  readonly key: string;
  readonly lease: LeaseRecord;
  /** Ids of the runs that were told that a lane of theirs is alive. */
  readonly runs: readonly string[];
}

/**
 * @param extend milliseconds from now that it is to last at least; null: its end stays.
 * @throws UserError `no-lease`, `lease-expired`, `token-missing`, `wrong-token`, `lease-unreadable`, …
 */
export async function keepLease(
  world: StateWorld,
  request: KeepRequest & { readonly extend: number | null },
): Promise<Kept> {
  const { meant, place, presented } = await prepare(world, request);
  if (request.extend !== null) endOf({ ttl: request.extend }, world.now());
  if (findState(place).kind === 'absent') throw noLease(meant.path);
  return withLifecycleLock(place, world, (folder) => {
    const now = world.now();
    const found = findLease(place, meant, presented.hash, now);
    if (found === null || found.lease.released !== null) throw noLease(meant.path);
    presented.require(found.lease);
    const where = found.isOwn && meant.kind === 'here' ? meant : null;
    return beat(folder, place, { ...found, where, extend: request.extend, now });
  });
}

/** The same for a lease that this process took itself, wherever its worktree is by now. */
export async function keepOwnLease(
  world: StateWorld,
  own: { readonly commonDir: string; readonly key: string; readonly token: string; readonly extend: number | null },
): Promise<Kept> {
  const place = { commonDir: own.commonDir, account: world.account };
  return withLifecycleLock(place, world, (folder) => {
    const lease = requireLease(place, own.key);
    if (lease.released !== null) throw noLease(lease.worktree);
    requireToken(lease, own.token);
    return beat(folder, place, { key: own.key, lease, where: null, extend: own.extend, now: world.now() });
  });
}

interface Beat {
  readonly key: string;
  readonly lease: LeaseRecord;
  readonly where: Extract<Meant, { kind: 'here' }> | null;
  readonly extend: number | null;
  readonly now: number;
}

function beat(folder: StateFolder, place: StatePlace, { key, lease, where, extend, now }: Beat): Kept {
  if (extend === null && leaseStanding(lease, now) === 'expired') throw expiredOwn(lease);
  const kept: LeaseRecord = {
    ...lease,
    // A clock that was set back neither ends a lease nor makes it longer than one may be.
    heartbeat: Math.max(lease.heartbeat, now),
    expires: extend === null ? lease.expires : Math.max(lease.expires, now + extend),
    ...(where && { worktree: where.path, branch: where.branch, head: where.head }),
  };
  writeLease(folder, key, kept);
  return { key, lease: kept, runs: touchRuns(folder, place, { key, path: kept.worktree }, now) };
}

/** What was given back. */
export interface GivenBack {
  readonly path: AbsPath;
  /** Null: there was nothing to give back. */
  readonly kept: Kept | null;
}

/** @throws UserError `token-missing`, `wrong-token`, `lease-unreadable`, … */
export async function releaseLease(world: StateWorld, request: KeepRequest): Promise<GivenBack> {
  const { meant, place, presented } = await prepare(world, request);
  const { path } = meant;
  if (findState(place).kind === 'absent') return { path, kept: null };
  return withLifecycleLock(place, world, (folder) => {
    const now = world.now();
    const found = findLease(place, meant, presented.hash, now);
    if (found === null || found.lease.released !== null) return { path, kept: null };
    presented.require(found.lease);
    return { path, kept: giveBack(folder, found, now) };
  });
}

/** The same for a lease that this process took itself. */
export async function releaseOwnLease(
  world: StateWorld,
  own: { readonly commonDir: string; readonly key: string; readonly token: string },
): Promise<void> {
  const place = { commonDir: own.commonDir, account: world.account };
  await withLifecycleLock(place, world, (folder) => {
    const lease = requireLease(place, own.key);
    if (lease.released !== null) return;
    requireToken(lease, own.token);
    giveBack(folder, { key: own.key, lease }, world.now());
  });
}

function giveBack(folder: StateFolder, { key, lease }: Pick<FoundLease, 'key' | 'lease'>, now: number): Kept {
  const released = { ...lease, released: Math.max(now, lease.acquired) };
  writeLease(folder, key, released);
  dropToken(keptTokenPath(folder, key));
  return { key, lease: released, runs: [] };
}

/** What there is of a lease. */
export interface Shown {
  readonly path: AbsPath;
  /** Null: none. */
  readonly found: FoundLease | null;
  readonly standing: LeaseStanding | 'none';
}

/** Writes nothing. @throws UserError `lease-unreadable`, `key-unreadable` */
export async function showLease(world: StateWorld, asking: Asking): Promise<Shown> {
  const meant = await findMeant(asking, world.env);
  const [place, now] = [{ commonDir: meant.commonDir, account: world.account }, world.now()];
  const found = findLease(place, meant, null, now);
  return { path: meant.path, found, standing: found === null ? 'none' : leaseStanding(found.lease, now) };
}

async function prepare(world: StateWorld, request: KeepRequest) {
  const meant = await findMeant(request, world.env);
  return { meant, place: { commonDir: meant.commonDir, account: world.account }, presented: present(world, request) };
}

interface Presented {
  /** Null: no token is given, or none that can be read. */
  readonly hash: string | null;
  /** Throws when it does not open the lease. Asked only then: where nothing is leased no token is missed. */
  require(lease: LeaseRecord): void;
}

function present(world: StateWorld, request: KeepRequest): Presented {
  try {
    const token = tokenOf(world, request);
    return { hash: token === null ? null : hashOf(token), require: (lease) => requireToken(lease, token) };
  } catch (fault) {
    if (!(fault instanceof UserError)) throw fault;
    return {
      hash: null,
      require() {
        throw fault;
      },
    };
  }
}

/** Null: none is given. */
function tokenOf({ env, account }: StateWorld, { tokenFile, directory }: KeepRequest): string | null {
  if (tokenFile === null) return env[TOKEN_VARIABLE] || null;
  const path = resolve(directory, tokenFile);
  const token = account === null ? null : readToken(path, account);
  if (token !== null) return token;
  throw new UserError('token-unreadable', `no token can be read from ${toByteString(path)}: there is no such file`);
}

function requireToken(lease: LeaseRecord, token: string | null): void {
  if (token === null) throw tokenMissing(lease.worktree);
  if (hashOf(token) !== lease.tokenHash) throw wrongToken(lease);
}

function requireLease(place: StatePlace, key: string): LeaseRecord {
  const lease = readLease(place, key);
  if (lease.kind === 'known') return lease.value;
  if (lease.kind === 'unknown') throw unreadable(key, lease.reason, leaseFile(place, key));
  throw noLease(key);
}
