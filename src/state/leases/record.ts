/** The lease file: `<common git dir>/coppice/leases/<working-copy key>.json`. */
import * as v from 'valibot';
import type { LeaseRecord } from '../../judge/facts/claims.ts';
import { absPath, DAY, detail, oid, refName } from '../parts.ts';
import type { Form } from '../store.ts';
import { formatTime, time } from '../time.ts';

export const SHORTEST_LEASE = 60_000;
export const LONGEST_LEASE = 30 * DAY;
export const DEFAULT_LEASE = 2 * 60 * 60_000;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const ordinal = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

export const LEASE_FORM: Form<LeaseRecord> = {
  schema: 'coppice.state.lease.v1',
  shape: v.pipe(
    v.strictObject({
      worktree: absPath,
      branch: v.nullable(refName),
      head: v.nullable(oid),
      task: v.nullable(detail),
      pullRequest: v.nullable(ordinal),
      gate: v.nullable(detail),
      owner: v.nullable(detail),
      purpose: v.nullable(detail),
      tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      epoch: ordinal,
      acquired: time,
      heartbeat: time,
      expires: time,
      released: v.nullable(time),
      pid: v.nullable(ordinal),
      start: v.nullable(count),
      host: v.nullable(detail),
      bootId: v.nullable(detail),
    }),
    v.check(({ acquired, heartbeat }) => heartbeat >= acquired, 'its heartbeat is before it was acquired'),
    v.check(({ acquired, expires }) => expires > acquired, 'it expires before it was acquired'),
    v.check(({ heartbeat, expires }) => expires - heartbeat <= LONGEST_LEASE, 'it lasts longer than 30 days'),
    v.check(({ acquired, released }) => released === null || released >= acquired, 'it was released before it began'),
  ),
  write: (lease) => ({
    worktree: lease.worktree,
    branch: lease.branch,
    head: lease.head,
    task: lease.task,
    pullRequest: lease.pullRequest,
    gate: lease.gate,
    owner: lease.owner,
    purpose: lease.purpose,
    tokenHash: lease.tokenHash,
    epoch: lease.epoch,
    acquired: formatTime(lease.acquired),
    heartbeat: formatTime(lease.heartbeat),
    expires: formatTime(lease.expires),
    released: lease.released === null ? null : formatTime(lease.released),
    pid: lease.pid,
    start: lease.start,
    host: lease.host,
    bootId: lease.bootId,
  }),
};
