/** Taking a lease. */
import { resolve } from 'node:path';
import { type LeaseRecord, leaseStanding } from '../../judge/facts/claims.ts';
import type { Fact } from '../../judge/facts/fact.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { toByteString } from '../../system/bytes.ts';
import type { Self } from '../../system/self.ts';
import { beginAct, type Recording } from '../journal.ts';
import { ensureKey } from '../key.ts';
import { withLifecycleLock } from '../lifecycle-lock.ts';
import { requireShort } from '../parts.ts';
import { ensureFolder, type StateFolder } from '../place.ts';
import { writeState } from '../store.ts';
import type { StateWorld } from '../world.ts';
import { type Asking, findMeant, type Meant, proveIdentity, requireHere } from '../worktree.ts';
import { leaseFile, readLease } from './read.ts';
import { LEASE_FORM, LONGEST_LEASE } from './record.ts';
import { dropToken, hashOf, keepToken, newToken, readToken, TOKEN_VARIABLE, writeToken } from './token.ts';
import { endOf, expired, GRACE, held, inGrace, unreadable } from './words.ts';

export interface AcquireRequest extends Asking {
  /** Milliseconds from now, or a time. */
  readonly term: { readonly ttl: number } | { readonly until: number };
  /** What is said of it, as byte strings; null: nothing, or what was said before when it is renewed. */
  readonly about: Pick<LeaseRecord, 'task' | 'pullRequest' | 'gate' | 'owner' | 'purpose'>;
  /** Where the token is written, native; null: where coppice keeps it. */
  readonly tokenFile: string | null;
  /** Why an expired lease of somebody else is taken; null: it is not. */
  readonly steal: string | null;
}

export interface Acquired {
  readonly how: 'acquired' | 'renewed' | 'stolen';
  readonly commonDir: string;
  readonly key: string;
  readonly lease: LeaseRecord;
  readonly token: string;
  /** As a byte string; null: it is in no file. */
  readonly tokenFile: string | null;
}

/** Who is told to hold it, and whether its token goes into a file where none is named. */
export interface Holding {
  readonly holder: Self;
  readonly keepsToken: boolean;
}

/**
 * Takes the lease of a worktree, or renews it for who has its token.
 *
 * Throws `UserError`: `lease-held` (exit code 3), `lease-expired`, `lease-unreadable`, `token-unreadable`,
 * `file-exists`, and those of the lock, the worktree and the files.
 */
export async function acquireLease(world: StateWorld, request: AcquireRequest, holding: Holding): Promise<Acquired> {
  const { pullRequest: _, ...texts } = request.about;
  requireShort({ ...texts, because: request.steal });
  const target = requireHere(await findMeant(request, world.env));
  proveIdentity(target);
  // Before anything is made: a wish that cannot be granted leaves nothing behind.
  endOf(request.term, world.now());
  const place = { commonDir: target.commonDir, account: world.account };
  return withLifecycleLock(place, world, (folder) => {
    const key = ensureKey(target.gitDir, folder.account, world.random);
    const now = world.now();
    const file = request.tokenFile === null ? null : resolve(request.directory, request.tokenFile);
    const inFile = file === null ? null : readToken(file, folder.account);
    const before = readLease(place, key);
    const token = [inFile, world.env[TOKEN_VARIABLE]].find((one) => opens(before, one)) ?? null;
    const steal = () =>
      beginAct(folder, target.commonDir, world, target.path, {
        verb: 'lease',
        subject: target.path,
        why: request.steal ?? '',
        detail: before.kind === 'known' ? { key, epoch: before.value.epoch, from: before.value.owner } : { key },
      });
    const way = wayOf(before, { isOwn: token !== null, wantsSteal: request.steal !== null, now });
    if (way instanceof UserError) {
      if (request.steal !== null) steal().step('refused');
      throw way.code === 'lease-unreadable' ? unreadable(target.path, way.message, leaseFile(place, key)) : way;
    }
    const lease = leaseFor(way, { before, target, request, holder: holding.holder, now });
    if (token !== null && way === 'renewed') {
      if (file !== null && inFile !== token) writeToken(file, token);
      writeLease(folder, key, lease);
      return { how: way, commonDir: target.commonDir, key, lease, token, tokenFile: file && toByteString(file) };
    }
    const fresh = { token: newToken(world.random), file, keep: holding.keepsToken };
    const written = publish(folder, key, lease, fresh, way === 'stolen' ? steal() : null);
    return { how: way, commonDir: target.commonDir, key, ...written, token: fresh.token };
  });
}

function opens(lease: Fact<LeaseRecord>, token: string | null | undefined): token is string {
  return lease.kind === 'known' && typeof token === 'string' && hashOf(token) === lease.value.tokenHash;
}

type Way = Acquired['how'];

/** What may be done, by what is there. An error is a refusal. */
function wayOf(
  before: Fact<LeaseRecord>,
  { isOwn, wantsSteal, now }: { isOwn: boolean; wantsSteal: boolean; now: number },
): Way | UserError {
  if (before.kind === 'absent') return 'acquired';
  if (before.kind === 'unknown') return new UserError('lease-unreadable', before.reason);
  const lease = before.value;
  const standing = leaseStanding(lease, now);
  if (standing === 'released') return 'acquired';
  if (isOwn) return 'renewed';
  if (standing === 'live') return held(lease);
  if (now < lease.expires + GRACE) return inGrace(lease);
  return wantsSteal ? 'stolen' : expired(lease);
}

interface Making {
  readonly before: Fact<LeaseRecord>;
  readonly target: Extract<Meant, { kind: 'here' }>;
  readonly request: AcquireRequest;
  readonly holder: Self;
  readonly now: number;
}

/** The new record; the hash of a new token is put in later. */
function leaseFor(way: Way, { before, target, request, holder, now }: Making): LeaseRecord {
  const { path, branch, head } = target;
  const here = { worktree: path, branch, head, heartbeat: now, expires: endOf(request.term, now), released: null };
  const old = before.kind === 'known' ? before.value : null;
  if (old === null || way !== 'renewed') {
    return { ...request.about, ...here, tokenHash: '', epoch: (old?.epoch ?? 0) + 1, acquired: now, ...holder };
  }
  const said = Object.entries(request.about).filter(([, value]) => value !== null);
  // A clock that was set back does not make a lease that begins later than it ends.
  // A wish for less is not one to give back what is left; what no lease can have left is a clock's mistake.
  const isSound = old.expires - now <= LONGEST_LEASE;
  const expires = isSound ? Math.max(old.expires, here.expires) : here.expires;
  return { ...old, ...Object.fromEntries(said), ...here, expires, acquired: Math.min(old.acquired, now), ...holder };
}

interface Fresh {
  readonly token: string;
  readonly file: string | null;
  readonly keep: boolean;
}

/** The token first, so that no lease is left whose token nobody has. */
function publish(
  folder: StateFolder,
  key: string,
  draft: LeaseRecord,
  { token, file, keep }: Fresh,
  recording: Recording | null,
): Pick<Acquired, 'lease' | 'tokenFile'> {
  const lease = { ...draft, tokenHash: hashOf(token) };
  recording?.step('intent');
  if (file !== null) writeToken(file, token);
  const kept = file === null && keep ? keepToken(folder, key, token) : null;
  const written = file ?? kept;
  try {
    writeLease(folder, key, lease);
  } catch (fault) {
    if (written !== null) dropToken(written);
    throw fault;
  }
  recording?.step('done');
  return { lease, tokenFile: written === null ? null : toByteString(written) };
}

export function writeLease(folder: StateFolder, key: string, lease: LeaseRecord): void {
  writeState(`${ensureFolder(folder, 'leases')}/${key}.json`, LEASE_FORM, lease);
}
