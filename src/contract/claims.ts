import * as v from 'valibot';
import { count, oid, path, refName, text, time } from './parts.ts';

const key = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{32}$/),
  v.description('Names one working copy: it moves with the worktree, and a new one at its place has another.'),
);

const lease = v.strictObject({
  id: key,
  standing: v.pipe(
    v.picklist(['live', 'expired', 'released']),
    v.description('expired: its time is over, and it was not given back.'),
  ),
  worktree: v.pipe(path, v.description('Where the worktree was when this was written.')),
  branch: v.nullable(refName),
  head: v.nullable(oid),
  task: v.nullable(text),
  pullRequest: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
  gate: v.nullable(text),
  owner: v.nullable(text),
  purpose: v.nullable(text),
  epoch: v.pipe(count, v.description('Grows with each lease of the same working copy.')),
  acquired: time,
  heartbeat: time,
  expires: time,
  released: v.nullable(time),
  holder: v.pipe(
    v.strictObject({ pid: v.nullable(count), start: v.nullable(count), host: v.nullable(text) }),
    v.description('The process that took it; it may long have ended.'),
  ),
});

/** What `lease --json` prints. */
export const leaseSchema = v.strictObject({
  schema: v.literal('coppice.lease.v1'),
  action: v.picklist(['acquire', 'heartbeat', 'release', 'show', 'run']),
  outcome: v.pipe(
    v.picklist(['acquired', 'renewed', 'stolen', 'kept', 'released', 'live', 'expired', 'none']),
    v.description('What was done, or for show what there is; none: there was no lease, or it had been given back.'),
  ),
  worktree: path,
  lease: v.nullable(lease),
  tokenFile: v.pipe(v.nullable(path), v.description('Where the token was written; it is never printed.')),
  runs: v.pipe(v.array(v.string()), v.description('The runs that a heartbeat kept alive as well.')),
});

const run = v.strictObject({
  id: v.string(),
  title: text,
  standing: v.pipe(
    v.picklist(['active', 'expired', 'finished']),
    v.description('expired: not finished, and not heard of within its time.'),
  ),
  lanes: v.array(v.strictObject({ task: text, worktree: path, key: v.nullable(key), branch: v.nullable(refName) })),
  started: time,
  updated: time,
  until: v.pipe(time, v.description('It counts up to then, unless it is heard of again or finished.')),
  finished: v.nullable(time),
});

/** What `run --json` prints. */
export const runSchema = v.strictObject({
  schema: v.literal('coppice.run.v1'),
  action: v.picklist(['start', 'heartbeat', 'finish', 'list']),
  runs: v.pipe(v.array(run), v.description('For list all there are, else the one.')),
  unreadable: v.pipe(
    v.array(v.strictObject({ file: text, reason: text })),
    v.description('What lies among the runs and cannot be read: it may name any worktree.'),
  ),
});

export type LeaseDocument = v.InferOutput<typeof leaseSchema>;
export type RunDocument = v.InferOutput<typeof runSchema>;
