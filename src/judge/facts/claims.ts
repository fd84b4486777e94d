/** Who says that they use a worktree: leases and runs. Texts are byte strings, times milliseconds since 1970. */
import type { AbsPath, Oid, RefName } from './names.ts';

/** Who uses a working copy on this machine, and until when. */
export interface LeaseRecord {
  /** Where the worktree was when this was written: a claim, and never a target. */
  readonly worktree: AbsPath;
  /** Null: detached. */
  readonly branch: RefName | null;
  readonly head: Oid | null;
  readonly task: string | null;
  readonly pullRequest: number | null;
  readonly gate: string | null;
  readonly owner: string | null;
  readonly purpose: string | null;
  /** The sha256 of the token, in lower-case hex. */
  readonly tokenHash: string;
  /** Grows with each lease of the same working copy. */
  readonly epoch: number;
  readonly acquired: number;
  readonly heartbeat: number;
  readonly expires: number;
  /** Null: not given back. */
  readonly released: number | null;
  /** The process that acquired it; only to be told, it may long have ended. */
  readonly pid: number | null;
  readonly start: number | null;
  readonly host: string | null;
  readonly bootId: string | null;
}

export type LeaseStanding = 'live' | 'expired' | 'released';

/** Where a lease stands at the time `now`. */
export function leaseStanding(lease: Pick<LeaseRecord, 'expires' | 'released'>, now: number): LeaseStanding {
  if (lease.released !== null) return 'released';
  return now < lease.expires ? 'live' : 'expired';
}

/** One worktree of a run. */
export interface Lane {
  readonly task: string;
  /** A claim, and never a target. */
  readonly worktree: AbsPath;
  /** The working-copy key; null: there was no worktree yet. */
  readonly key: string | null;
  readonly branch: RefName | null;
}

/** The work that an orchestrator has spread over worktrees. */
export interface RunRecord {
  readonly id: string;
  readonly title: string;
  readonly lanes: readonly Lane[];
  readonly started: number;
  readonly updated: number;
  readonly finished: number | null;
  /** Milliseconds since `updated` for which it counts. */
  readonly lease: number;
}

/** All runs of a repository. */
export interface Runs {
  /** Finished and expired ones too; in the order in which they were started. */
  readonly runs: readonly RunRecord[];
  /** What lies there and is not understood: it may be a run that names any worktree. Names are byte strings. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

/** All leases of a repository, also those that are over. */
export interface Leases {
  readonly leases: readonly LeaseRecord[];
  /** Why some cannot be read that may name any branch, in words; null: all that matter were. */
  readonly unreadable: string | null;
}

export type RunStanding = 'active' | 'expired' | 'finished';

/** Where a run stands at the time `now`. */
export function runStanding(run: Pick<RunRecord, 'updated' | 'finished' | 'lease'>, now: number): RunStanding {
  if (run.finished !== null) return 'finished';
  return now < run.updated + run.lease ? 'active' : 'expired';
}

/** A working copy, and where it is: as it is registered, and without links on the way. */
export interface WorkingCopy {
  readonly key: string | null;
  readonly path: AbsPath;
  readonly realPath: string;
}

/** True when the run names that working copy, by its key or by its path: it may have been made or made again since. */
export function isLaneOf(lane: Lane, { key, path, realPath }: WorkingCopy): boolean {
  return (lane.key !== null && lane.key === key) || lane.worktree === path || lane.worktree === realPath;
}
