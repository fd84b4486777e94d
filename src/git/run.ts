/**
 * The one way to run git: an array of arguments, an environment of our own, bytes in and out, bounds on time and
 * size. How a command ends is data; only a git that cannot be started is thrown.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from '../system/bytes.ts';
import { beforeWeEnd, killGroup } from '../system/process-group.ts';
import { type Environment, gitEnvironment } from './environment.ts';
import { findGit } from './program.ts';

/** git, and the folder it is asked about. */
export interface Git {
  readonly program: string;
  readonly directory: string;
  readonly env: Environment;
  readonly networkEnv: Environment;
  /** Only for `src/git/write.ts`. */
  readonly writeEnv: Environment;
}

/** How a command ended. */
export interface GitResult {
  /** The exit status; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: Buffer;
  /** At most 64 KiB, as a byte string. */
  readonly stderr: string;
  /** Why coppice ended it, or null: `deadline` or `too-large`. */
  readonly cut: 'deadline' | 'too-large' | null;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  /** Milliseconds without a byte of output after which the command is ended. */
  readonly silence?: number;
  /** Milliseconds for the whole command. */
  readonly deadline?: number;
  /** Bytes of output. */
  readonly most?: number;
  /** True for the commands that talk to a remote. */
  readonly network?: boolean;
  /** True: it is asked to end, so that it takes its lock files away; by itself it may go on for a moment. */
  readonly gently?: boolean;
}

const SILENCE = 30_000;
const MOST = 512 * 1024 * 1024;
const MOST_STDERR = 64 * 1024;

/** git for questions about `directory`. */
export function gitFor(directory: string, caller: Readonly<Record<string, string | undefined>>): Git {
  const program = findGit(caller.PATH, directory);
  return {
    program,
    directory,
    env: gitEnvironment(caller, 'look'),
    networkEnv: gitEnvironment(caller, 'network'),
    writeEnv: gitEnvironment(caller, 'write'),
  };
}

/** Runs a command to its end. */
export async function runGit(git: Git, args: readonly string[], options: RunOptions = {}): Promise<GitResult> {
  const running = startGit(git, args, options);
  running.end(options.input ?? '');
  const chunks: Buffer[] = [];
  let size = 0;
  let tooLarge = false;
  for await (const chunk of running.output()) {
    size += chunk.length;
    if (size > (options.most ?? MOST)) {
      tooLarge = true;
      break;
    }
    chunks.push(chunk);
  }
  if (tooLarge) running.stop();
  const ended = await running.ended;
  return { ...ended, stdout: Buffer.concat(chunks), cut: tooLarge ? 'too-large' : ended.cut };
}

/** A command whose output is read as it comes. */
export interface RunningGit {
  /** Output in the order in which it comes. To be read once. */
  output(): AsyncIterable<Buffer>;
  /** Writes to its input; resolves when more may be written. */
  write(text: string | Buffer): Promise<void>;
  end(text?: string | Buffer): void;
  /** Ends it; what it printed so far stays valid. */
  stop(): void;
  readonly ended: Promise<Omit<GitResult, 'stdout'>>;
}

export function startGit(git: Git, args: readonly string[], options: RunOptions = {}): RunningGit {
  const network = options.network === true;
  const env = network ? git.networkEnv : git.env;
  // The helpers that talk to a remote outlive git; in a process group of their own they can be ended with it.
  const child = spawn(git.program, [...args], { cwd: git.directory, env, stdio: 'pipe', detached: network });
  let cut: GitResult['cut'] = null;
  let stopped = false;
  const stop = () => {
    stopped = true;
    if (network && child.pid !== undefined && child.exitCode === null) killGroup(child.pid);
    else child.kill(options.gently === true ? 'SIGTERM' : 'SIGKILL');
    // Whatever git started may hold the other end.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const expire = () => {
    cut = 'deadline';
    stop();
  };
  const forget = network ? beforeWeEnd(stop) : () => undefined;
  const silence = setTimeout(expire, options.silence ?? SILENCE);
  const deadline = options.deadline === undefined ? null : setTimeout(expire, options.deadline);
  child.stdout.on('data', () => silence.refresh());
  child.stdout.pause();
  const stderr = collectStderr(child);
  // A command that ends before it has read all of its input is judged by its exit status, not by the broken pipe.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Omit<GitResult, 'stdout'>>((resolve, reject) => {
    child.on('error', (cause) => {
      clear();
      reject(
        new UserError(
          'git-not-started',
          `git could not be started in ${toByteString(git.directory)}: ${toByteString(cause.message)}`,
          { cause },
        ),
      );
    });
    child.on('close', (code) => {
      clear();
      resolve({ code, stderr: stderr(), cut });
    });
  });
  const clear = () => {
    forget();
    clearTimeout(silence);
    if (deadline !== null) clearTimeout(deadline);
  };
  ended.catch(() => undefined);
  return {
    output: () => untilStopped(child.stdout, () => stopped),
    write: (text) => writeTo(child.stdin, text),
    end: (text = '') => child.stdin.end(text),
    stop,
    ended,
  };
}

/** A stream that is destroyed on purpose just ends. */
async function* untilStopped(stream: Readable, isStopped: () => boolean): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (fault) {
    if (!isStopped()) throw fault;
  }
}

function collectStderr(child: ChildProcessByStdio<Writable, Readable, Readable>): () => string {
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (text.length < MOST_STDERR) text += chunk.toString('latin1', 0, MOST_STDERR - text.length);
  });
  return () => text;
}

function writeTo(stream: Writable, text: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.write(text)) resolve();
    else {
      const go = () => {
        stream.off('drain', go);
        stream.off('close', go);
        resolve();
      };
      stream.on('drain', go);
      stream.on('close', go);
    }
  });
}

/** The first line of what git complained of, without its prefix; for messages. */
export function complaint(result: Pick<GitResult, 'stderr' | 'code' | 'cut'>): string {
  if (result.cut === 'deadline') return 'git did not answer in time';
  if (result.cut === 'too-large') return 'git printed more than is read';
  const line =
    result.stderr.split('\n').find((text) => /^(?:fatal|error): /.test(text)) ?? result.stderr.split('\n')[0] ?? '';
  return line.replace(/^(?:fatal|error): /, '').trim() || `git ended with status ${result.code ?? 'none (a signal)'}`;
}
