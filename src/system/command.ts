/** Running a program for the person who named it: with our own input, output and signals. */
import { spawn } from 'node:child_process';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from './bytes.ts';
import { passSignals } from './process-group.ts';

export interface CommandCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How it ended: one of both is null. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs it to its end; what ends us meanwhile is passed on to it.
 * @throws UserError `command-not-started`
 */
export function runCommand({ program, args, cwd, env }: CommandCall): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env: { ...env }, stdio: 'inherit' });
    const forget = passSignals((signal) => child.kill(signal));
    child.on('error', (cause: NodeJS.ErrnoException) => {
      // A signal that could not be passed on comes here, too.
      if (child.pid !== undefined) return;
      forget();
      const why = cause.code === 'ENOENT' ? 'there is no such program' : (cause.code ?? cause.message);
      reject(
        new UserError('command-not-started', `${toByteString(program)} could not be started: ${why}`, { cause }),
      );
    });
    child.on('exit', (code, signal) => {
      forget();
      resolve({ code, signal });
    });
  });
}
