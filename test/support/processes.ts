/** Starting programs: arguments as a list, an explicit environment, bytes in and out. */
import { spawn, spawnSync } from 'node:child_process';
import type { Environment } from './environment.ts';

export interface RunOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string | Uint8Array;
  /** Milliseconds after which the program is killed, which fails the test. */
  readonly timeout?: number;
}

interface AlongsideOptions extends RunOptions {
  /** Gets the process id. */
  readonly onStart?: (pid: number) => void;
  /** True: in a process group of its own. */
  readonly isApart?: boolean;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const ENOUGH_BYTES = 1 << 28;

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], options: RunOptions): Finished {
  const result = spawnSync(program, args, {
    cwd: options.cwd,
    env: options.env,
    input: options.input ?? '',
    timeout: options.timeout ?? 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: ENOUGH_BYTES,
  });
  if (result.error !== undefined) throw result.error;
  return { code: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr.toString('utf8') };
}

/** Runs a program to its end while this one goes on. */
export function runAlongside(program: string, args: readonly string[], options: AlongsideOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, detached: options.isApart === true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const deadline = setTimeout(() => child.kill('SIGKILL'), options.timeout ?? 60_000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(deadline);
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') });
    });
    // A program that ends without reading its input is no fault of the test.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    if (child.pid !== undefined) options.onStart?.(child.pid);
  });
}
