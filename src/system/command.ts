/** Running a program for the person who named it: with our own input, output and signals. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from './bytes.ts';
import { endBy } from './process-group.ts';

export interface CommandCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets the way to send it a signal. */
  started(send: (signal: NodeJS.Signals) => void): void;
}

/** How it ended: one of both is null. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs it to its end. @throws UserError `command-not-started` */
export function runCommand({ program, args, cwd, env, started }: CommandCall): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env: { ...env }, stdio: 'inherit' });
    started((signal) => void child.kill(signal));
    child.on('error', (cause: NodeJS.ErrnoException) => {
      // A signal that could not be passed on comes here, too.
      if (child.pid !== undefined) return;
      const why = cause.code === 'ENOENT' ? 'there is no such program' : (cause.code ?? cause.message);
      reject(new UserError('command-not-started', `${toByteString(program)} could not be started: ${why}`, { cause }));
    });
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** The signals by which a shell tells that somebody ended a program, and ends its script. */
const TOLD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];

/** What to end with in the place of the command: its status, or the signal that ended it. */
export function endAs({ code, signal }: CommandEnd): number {
  if (signal === null) return code ?? 2;
  if (TOLD.includes(signal)) endBy(signal);
  // As a shell gives it.
  return 128 + constants.signals[signal];
}
