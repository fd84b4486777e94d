/** State of a repository as a test looks at it and spoils it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeaseDocument, RunDocument } from '../../src/contract/claims.ts';
import type { AcquireRequest } from '../../src/state/leases/acquire.ts';
import type { StateWorld } from '../../src/state/world.ts';
import { describeProcess } from '../../src/system/self.ts';
import { type CliOptions, type CliResult, runCli } from './cli.ts';
import type { Repository } from './repository.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const ACCOUNT = process.getuid?.() ?? 0;

/** The world of a test, with a clock that it sets. */
export interface TestWorld extends StateWorld {
  time: number;
  env: Record<string, string>;
}

export function worldOf(repository: Repository, time = Date.UTC(2026, 10, 30, 12)): TestWorld {
  const self = describeProcess(process.pid);
  const world: TestWorld = {
    time,
    env: { ...repository.env },
    account: ACCOUNT,
    lockWait: 0,
    self,
    caller: self,
    now: () => world.time,
    random: randomBytes,
  };
  return world;
}

/** A wish for a lease of two hours. */
export function wish(directory: string, change: Partial<AcquireRequest> = {}): AcquireRequest {
  return {
    directory,
    worktree: null,
    term: { ttl: 2 * HOUR },
    about: { task: null, pullRequest: null, gate: null, owner: null, purpose: null },
    tokenFile: null,
    steal: null,
    ...change,
  };
}

/** A file or folder of the repository's state. */
export function stateOf(repository: Repository, ...names: readonly string[]): string {
  return join(repository.work, '.git', 'coppice', ...names);
}

/** Makes a folder as coppice makes its own, so that a test can put something into it. */
export function makeState(repository: Repository, ...names: readonly string[]): string {
  for (let at = 0; at <= names.length; at++) {
    mkdirSync(stateOf(repository, ...names.slice(0, at)), { recursive: true, mode: 0o700 });
  }
  return stateOf(repository, ...names);
}

/** The one lease file there is. */
export function leaseFile(repository: Repository): string {
  const [name, ...more] = readdirSync(stateOf(repository, 'leases'));
  if (name === undefined || more.length > 0) throw new Error(`not one lease: ${[name, ...more].join(', ')}`);
  return stateOf(repository, 'leases', name);
}

/** Changes fields of a state file. */
export function editState(path: string, change: Readonly<Record<string, unknown>>): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
}

/** Moves all times of a lease into the past. */
export function ageLease(path: string, by: number): void {
  const lease = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const earlier = ['acquired', 'heartbeat', 'expires'].map((name) => {
    return [name, new Date(Date.parse(lease[name] ?? '') - by).toISOString()];
  });
  editState(path, Object.fromEntries(earlier));
}

/** Settings of the account that runs coppice. */
export function settings(repository: Repository, text: string): void {
  const folder = join(repository.places.home, '.config', 'coppice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), text);
}

export type Told<Document> = CliResult & { readonly json: Document };

/** Runs a verb on a repository, with --json. */
export function ask(repository: Repository, args: readonly string[], options: Partial<CliOptions> = {}) {
  return runCli([...args.slice(0, 1), '--json', ...args.slice(1)], {
    cwd: repository.work,
    env: repository.env,
    ...options,
  });
}

/** A run of `lease` that is no error. */
export async function lease(repository: Repository, args: readonly string[], options: Partial<CliOptions> = {}) {
  const result = await ask(repository, ['lease', ...args], options);
  if (result.json?.schema !== 'coppice.lease.v1') throw new Error(`exit ${result.code}: ${result.stdout}`);
  return result as Told<LeaseDocument>;
}

/** A run of `run` that is no error. */
export async function runs(repository: Repository, args: readonly string[], options: Partial<CliOptions> = {}) {
  const result = await ask(repository, ['run', ...args], options);
  if (result.json?.schema !== 'coppice.run.v1') throw new Error(`exit ${result.code}: ${result.stdout}`);
  return result as Told<RunDocument>;
}
