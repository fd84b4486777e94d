/** Leases and runs as commands ask for them. */
import type { RunRecord, Runs } from '../judge/facts/claims.ts';
import { endAs } from '../system/command.ts';
import { type Acquired, type AcquireRequest, acquireLease } from './leases/acquire.ts';
import {
  type GivenBack,
  type Kept,
  type KeepRequest,
  keepLease,
  releaseLease,
  type Shown,
  showLease,
} from './leases/keep.ts';
import { type RunUnder, runUnderLease } from './leases/run-under.ts';
import { finishRun, keepRun, listRuns, type StartRequest, startRun } from './runs/write.ts';
import type { StateWorld } from './world.ts';
import type { Asking } from './worktree.ts';

export interface LeasePort {
  acquire(request: AcquireRequest): Promise<Acquired>;
  keep(request: KeepRequest & { readonly extend: number | null }): Promise<Kept>;
  release(request: KeepRequest): Promise<GivenBack>;
  show(asking: Asking): Promise<Shown>;
  /** Runs a command under a lease, and gives the status to end with. */
  runUnder(request: AcquireRequest, run: RunUnder): Promise<number>;
}

export interface RunPort {
  start(request: StartRequest): Promise<RunRecord>;
  keep(directory: string, id: string): Promise<RunRecord>;
  finish(directory: string, id: string): Promise<RunRecord>;
  list(directory: string): Promise<Runs>;
}

export function leasePort(world: StateWorld): LeasePort {
  return {
    acquire: (request) => acquireLease(world, request, { holder: world.caller, keepsToken: true }),
    keep: (request) => keepLease(world, request),
    release: (request) => releaseLease(world, request),
    show: (asking) => showLease(world, asking),
    runUnder: async (request, run) => endAs(await runUnderLease(world, request, run)),
  };
}

export function runPort(world: StateWorld): RunPort {
  return {
    start: (request) => startRun(world, request),
    keep: (directory, id) => keepRun(world, directory, id),
    finish: (directory, id) => finishRun(world, directory, id),
    list: (directory) => listRuns(world, directory),
  };
}
