/** Running a command under a lease: taken before, kept alive meanwhile, given back afterwards. */
import type { LeaseRecord } from '../../judge/facts/claims.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { toNative } from '../../system/bytes.ts';
import { type CommandEnd, runCommand } from '../../system/command.ts';
import { passSignals } from '../../system/process-group.ts';
import type { StateWorld } from '../world.ts';
import { type Acquired, type AcquireRequest, acquireLease } from './acquire.ts';
import { keepOwnLease, releaseOwnLease } from './keep.ts';
import { TOKEN_VARIABLE } from './token.ts';

export interface RunUnder {
  readonly program: string;
  readonly args: readonly string[];
  /** Told of the lease before the command starts. */
  started(acquired: Acquired): void;
  /** Told when the lease could not be kept alive or given back; the command goes on all the same. */
  trouble(error: UserError): void;
}

const CONTENTION = 3;
const LONGEST_PAUSE = 5 * 60_000;

/** How the command ended. @throws UserError those of acquiring, and `command-not-started` */
export async function runUnderLease(world: StateWorld, request: AcquireRequest, run: RunUnder): Promise<CommandEnd> {
  const acquired = await acquireLease(world, request, { holder: world.self, keepsToken: false });
  const { commonDir, key, token, lease } = acquired;
  const own = { commonDir, key, token };
  // Nothing ends this process before the lease is given back; until then the command is told in its place.
  let send: (signal: NodeJS.Signals) => void = () => undefined;
  const forget = passSignals((signal) => send(signal));
  const extend = 'ttl' in request.term ? request.term.ttl : null;
  const alive = keepAlive(pauseOf(lease), () => attempt(() => keepOwnLease(world, { ...own, extend }), run));
  try {
    run.started(acquired);
    return await runCommand({
      program: run.program,
      args: run.args,
      cwd: request.directory,
      env: { ...world.env, [TOKEN_VARIABLE]: token, COPPICE_WORKTREE: toNative(lease.worktree) },
      started: (way) => {
        send = way;
      },
    });
  } finally {
    await alive.end();
    // Who had it before keeps it: a command under a lease may run others under the same one.
    if (acquired.how !== 'renewed') await attempt(() => releaseOwnLease(world, own), run);
    forget();
  }
}

/** Several beats within the lease, so that one that has to wait for a lock loses nothing. */
function pauseOf({ expires, heartbeat }: LeaseRecord): number {
  return Math.min((expires - heartbeat) / 4, LONGEST_PAUSE);
}

/** False: it failed in a way that another attempt will not mend; the person is told. */
async function attempt(work: () => Promise<unknown>, { trouble }: RunUnder): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (fault) {
    if (!(fault instanceof UserError)) throw fault;
    trouble(fault);
    return fault.exit === CONTENTION;
  }
}

/**
 * Does `beat` again and again, one at a time, with `pause` milliseconds between, until it gives false.
 * `end` waits for one that is under way, and throws what a beat threw.
 */
export function keepAlive(pause: number, beat: () => Promise<boolean>): { end(): Promise<void> } {
  let isOver = false;
  let beating: Promise<void> = Promise.resolve();
  let fault: { readonly thrown: unknown } | null = null;
  const go = async () => {
    try {
      if (!(await beat())) isOver = true;
    } catch (thrown) {
      fault = { thrown };
      isOver = true;
    }
    if (!isOver) timer = next();
  };
  const next = () =>
    setTimeout(() => {
      beating = go();
    }, pause);
  let timer = next();
  return {
    async end() {
      isOver = true;
      clearTimeout(timer);
      await beating;
      if (fault !== null) throw fault.thrown;
    },
  };
}
