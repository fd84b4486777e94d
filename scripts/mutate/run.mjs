/** Runs test files of a copy, up to the first failure. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callersEnv } from '../ensure.mjs';

const running = new Set();

/** Ends everything that runs; for when the person does not want to wait. */
export function stopAll() {
  for (const child of running) stop(child);
}

/**
 * @param folder of the copy.
 * @returns `passed`, `milliseconds` and, of what failed, the last of what was `said`. What takes longer than `most`
 *   milliseconds has failed: a mutant may well run for ever.
 */
export function runTests(folder, files, { temp, most }) {
  const started = Date.now();
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['--bail=1', '--maxWorkers=1', '--reporter=dot', '--no-color'];
  const child = spawn(process.execPath, [vitest, 'run', `--root=${folder}`, ...options, ...files], {
    cwd: folder,
    env: { ...callersEnv(), TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, to be ended with all that it started.
    detached: true,
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
  }
  const timer = setTimeout(() => stop(child), most);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      running.delete(child);
      stop(child);
      resolve({ passed: code === 0, milliseconds: Date.now() - started, said });
    });
  });
}

function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
