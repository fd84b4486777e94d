/**
 * Commands run in the test's own process: the same code over the same state and real git, without the fifth of a second
 * that a program takes to start. For what is asked many times, and for what only prepares or checks.
 */
import { run } from '../../src/app.ts';
import type { LeaseDocument, RunDocument } from '../../src/contract/claims.ts';
import { openState } from '../../src/state/open.ts';
import { leasePort, runPort } from '../../src/state/ports.ts';
import { recordingContext } from '../render/samples.ts';
import { type CliOptions, type CliResult, parseDocument } from './cli.ts';
import type { Repository } from './repository.ts';
import { ACCOUNT, type Told } from './state.ts';

type Options = Pick<Partial<CliOptions>, 'cwd' | 'env'>;

/** What a call prints, and how it ends. */
export async function say(r: Repository, args: readonly string[], { cwd = r.work, env = r.env }: Options = {}) {
  const home = env['HOME'] ?? null;
  const { pid, platform, ppid: parent } = process;
  // As src/wire.ts does it.
  const state = () => openState({ env, home, platform, account: ACCOUNT, pid, parent, now: () => Date.now() });
  const { context, stdout, stderr } = recordingContext(() => Promise.reject(new Error('a sweep was asked for')), {
    env,
    cwd,
    home,
    now: () => Date.now(),
    leases: async () => leasePort(state()),
    runs: async () => runPort(state()),
  });
  const code = await run(context, args);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** As `ask` of the built program. */
export async function askInside(r: Repository, args: readonly string[], options: Options = {}): Promise<CliResult> {
  const told = await say(r, [...args.slice(0, 1), '--json', ...args.slice(1)], options);
  return { ...told, signal: null, json: parseDocument(told.stdout, told.stderr) };
}

/** As `lease` of the built program. */
export async function leaseInside(r: Repository, args: readonly string[], options: Options = {}) {
  const result = await askInside(r, ['lease', ...args], options);
  if (result.json?.schema !== 'coppice.lease.v1') throw new Error(`exit ${result.code}: ${result.stdout}`);
  return result as Told<LeaseDocument>;
}

/** As `runs` of the built program. */
export async function runsInside(r: Repository, args: readonly string[], options: Options = {}) {
  const result = await askInside(r, ['run', ...args], options);
  if (result.json?.schema !== 'coppice.run.v1') throw new Error(`exit ${result.code}: ${result.stdout}`);
  return result as Told<RunDocument>;
}
