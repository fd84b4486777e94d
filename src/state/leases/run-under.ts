/** Running a command under a lease: taken before, kept alive meanwhile, given back afterwards. */
import { UserError } from '../../judge/facts/user-error.ts';
import { toNative } from '../../system/bytes.ts';
import { type CommandEnd, runCommand } from '../../system/command.ts';
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

const LONGEST_PAUSE = 5 * 60_000;

/** How the command ended. @throws UserError those of acquiring, and `command-not-started` */
export async function runUnderLease(world: StateWorld, request: AcquireRequest, run: RunUnder): Promise<CommandEnd> {
  const acquired = await acquireLease(world, request, { holder: world.self, keepsToken: false });
  const { commonDir, key, token, lease } = acquired;
  const tell = (error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    run.trouble(error);
  };
  const extend = 'ttl' in request.term ? request.term.ttl : null;
  const pause = Math.min((lease.expires - lease.heartbeat) / 4, LONGEST_PAUSE);
  const alive = keepAlive(pause, () => keepOwnLease(world, { commonDir, key, token, extend }).then(nothing, tell));
  try {
    run.started(acquired);
    return await runCommand({
      program: run.program,
      args: run.args,
      cwd: request.directory,
      env: { ...world.env, [TOKEN_VARIABLE]: token, COPPICE_WORKTREE: toNative(lease.worktree) },
    });
  } finally {
    await alive.end();
    // Who had it before keeps it: a command under a lease may run others under the same one.
    if (acquired.how !== 'renewed') await releaseOwnLease(world, { commonDir, key, token }).catch(tell);
  }
}

/** Does `beat` again and again, one at a time, with `pause` milliseconds between. */
export function keepAlive(pause: number, beat: () => Promise<void>): { end(): Promise<void> } {
  let beating: Promise<void> = Promise.resolve();
  let timer = setTimeout(go, pause);
  let isOver = false;
  function go() {
    beating = beat().finally(() => {
      if (!isOver) timer = setTimeout(go, pause);
    });
  }
  return {
    end() {
      isOver = true;
      clearTimeout(timer);
      return beating;
    },
  };
}

function nothing(): void {}
