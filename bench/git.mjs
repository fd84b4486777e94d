import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** Nothing of the user's configuration, and no identity but the one that the generator writes. */
export function gitEnv(home = '/dev/null', path = process.env.PATH) {
  return { PATH: path, HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', TZ: 'UTC' };
}

export function gitIn(env) {
  /** Runs git and returns its output; `input` is text, a list of lines, or yields bytes. Nothing here is worth an fsync. */
  return async function git(args, { input = '', cwd, extra = {} } = {}) {
    const options = { cwd, env: { ...env, ...extra }, stdio: ['pipe', 'pipe', 'inherit'] };
    const child = spawn('git', ['-c', 'core.fsync=none', ...args], options);
    const ended = once(child, 'close');
    const bytes = Array.isArray(input) ? [input.map((line) => `${line}\n`).join('')] : input;
    const sending = pipeline(Readable.from(bytes, { objectMode: false }), child.stdin).then(
      () => null,
      (error) => error,
    );
    const [output, failure, [code]] = await Promise.all([text(child.stdout), sending, ended]);
    if (code !== 0) throw new Error(`git ${args.slice(0, 3).join(' ')} ended with ${code}`);
    if (failure !== null) throw failure;
    return output;
  };
}

/** The object ids by mark, of a file that `git fast-import --export-marks` wrote. */
export function readMarks(file) {
  const lines = readFileSync(file, 'latin1').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split(' ')).map(([mark, oid]) => [Number(mark.slice(1)), oid]));
}
