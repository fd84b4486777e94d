import * as v from 'valibot';
import { code, count, oid, path, refName, text, time } from './parts.ts';

const maybeCount = v.nullable(count);

/** What was read of a worktree; null is unknown or not read. */
export const worktreeState = v.strictObject({
  branch: v.nullable(refName),
  head: v.nullable(oid),
  detached: v.boolean(),
  upstream: v.nullable(refName),
  ahead: maybeCount,
  behind: maybeCount,
  changes: v.strictObject({
    staged: maybeCount,
    unstaged: maybeCount,
    untracked: maybeCount,
    conflicted: maybeCount,
    ignored: v.strictObject({ rebuildable: maybeCount, duplicate: maybeCount, precious: maybeCount }),
  }),
  operation: v.nullable(code),
  lock: v.nullable(
    v.strictObject({ reason: v.nullable(text), owner: v.nullable(text), alive: v.nullable(v.boolean()) }),
  ),
  lease: v.pipe(
    v.nullable(
      v.strictObject({
        owner: v.nullable(text),
        task: v.nullable(text),
        acquired: time,
        expires: time,
        released: v.nullable(time),
      }),
    ),
    v.description('The last one, also when it is over.'),
  ),
  lastCommit: v.nullable(time),
  lastWrite: v.nullable(time),
  bytes: v.strictObject({ value: maybeCount, atLeast: v.boolean() }),
});

/** What was read of a local branch; null is unknown, or none. */
export const branchState = v.strictObject({
  head: v.nullable(oid),
  upstream: v.nullable(refName),
  ahead: maybeCount,
  behind: maybeCount,
  worktree: v.pipe(v.nullable(path), v.description('A worktree that uses the branch.')),
  lastCommit: v.nullable(time),
});

/** What was read of a branch on the remote. */
export const remoteBranchState = v.strictObject({
  head: v.nullable(oid),
  pullRequests: v.array(v.looseObject({})),
});

/** What tools make again in one worktree. */
export const cacheState = v.strictObject({
  folders: v.array(
    v.strictObject({
      path: v.pipe(text, v.description('Relative to the worktree.')),
      bytes: count,
      why: v.pipe(text, v.description('What shows that it is made again.')),
    }),
  ),
  bytes: count,
  lastWrite: v.pipe(v.nullable(time), v.description('The newest write to one of them.')),
});
