/** What is said of a lease, and what is refused because of one. Texts are byte strings. */
import { formatDuration } from '../../config/duration.ts';
import type { LeaseRecord } from '../../judge/facts/claims.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { formatTime } from '../time.ts';
import { LONGEST_LEASE, SHORTEST_LEASE } from './record.ts';

/** After its end a lease is not stolen for so long: its holder may be a laptop that sleeps. */
export const GRACE = 5 * 60_000;

/** `Ash for #12`, `process 4711 on oak`. */
export function holderWords({ owner, task, pid, host }: LeaseRecord): string {
  const nameless = pid === null ? 'somebody' : `process ${pid}${host === null ? '' : ` on ${host}`}`;
  return `${owner ?? nameless}${task === null ? '' : ` for ${task}`}`;
}

export function held(lease: LeaseRecord): UserError {
  return new UserError(
    'lease-held',
    `${lease.worktree} is leased by ${holderWords(lease)} until ${formatTime(lease.expires)}`,
    { hint: 'try again when it is over, or take another worktree', exit: 3 },
  );
}

export function inGrace(lease: LeaseRecord): UserError {
  const text = `the lease of ${holderWords(lease)} on ${lease.worktree} ended only at ${formatTime(lease.expires)}`;
  return new UserError('lease-held', text, {
    hint: `its holder has until ${formatTime(lease.expires + GRACE)} to come back; try again then`,
    exit: 3,
  });
}

export function expired(lease: LeaseRecord): UserError {
  const text = `the lease of ${holderWords(lease)} on ${lease.worktree} ended at ${formatTime(lease.expires)} and was not given back`;
  return new UserError('lease-expired', text, {
    hint: 'if nobody works there any more: coppice lease acquire --steal --because TEXT',
  });
}

export function expiredOwn(lease: LeaseRecord): UserError {
  return new UserError('lease-expired', `this lease on ${lease.worktree} ended at ${formatTime(lease.expires)}`, {
    hint: 'coppice lease heartbeat --extend 2h revives it',
  });
}

/** @param file what is to be looked at. */
export function unreadable(path: string, reason: string, file: string): UserError {
  return new UserError('lease-unreadable', `${path}: the lease cannot be read: ${reason}`, {
    hint: `have a look at ${file}; coppice changes no lease that it cannot read`,
  });
}

export function noLease(path: string): UserError {
  return new UserError('no-lease', `there is no lease on ${path}`, { hint: 'coppice lease acquire takes one' });
}

export function wrongToken(lease: LeaseRecord): UserError {
  return new UserError(
    'wrong-token',
    `the lease on ${lease.worktree} is of ${holderWords(lease)}: the token is another`,
  );
}

export function tokenMissing(path: string): UserError {
  return new UserError('token-missing', `the lease on ${path} needs its token`, {
    hint: 'name its file with --token-file FILE, or put it into COPPICE_LEASE_TOKEN',
  });
}

/** When a lease taken now ends. @throws UserError wrong usage */
export function endOf(term: { readonly ttl: number } | { readonly until: number }, now: number): number {
  const length = 'ttl' in term ? term.ttl : term.until - now;
  if (length >= SHORTEST_LEASE && length <= LONGEST_LEASE) return now + length;
  const most = `${formatDuration(SHORTEST_LEASE)} to ${formatDuration(LONGEST_LEASE)}`;
  throw new UserError('bad-value', `a lease lasts ${most} from now`, {
    hint: 'coppice lease --help shows how it is used',
    exit: 64,
  });
}
