/** Runs test files of a copy, up to the first failure. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callersEnv } from '../ensure.mjs';

const WARM = fileURLToPath(new URL('warm.mjs', import.meta.url));
const running = new Set();

/** Ends everything that runs; for when the person does not want to wait. */
export function stopAll() {
  for (const child of running) stop(child);
}

export class Tests {
  #folder;
  #temp;
  #child = null;

  /** @param folder of the copy. */
  constructor(folder, temp) {
    this.#folder = folder;
    this.#temp = temp;
  }

  /**
   * @returns whether all `passed`, which file `failed`, its `errors` and the `milliseconds`. What takes longer than
   *   `most` milliseconds has failed, and was `late`: a mutant may well run for ever.
   */
  async run(files, most) {
    this.#child ??= await this.#start();
    const started = Date.now();
    const answer = await this.#ask(this.#child, files, most);
    if (answer.late || answer.ended) {
      stop(this.#child);
      this.#child = null;
    }
    return { ...answer, milliseconds: Date.now() - started };
  }

  async #start() {
    const child = fork(WARM, {
      cwd: this.#folder,
      env: { ...callersEnv(), TMPDIR: this.#temp },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A group of its own, to be ended with all that it started.
      detached: true,
    });
    running.add(child);
    child.on('exit', () => running.delete(child));
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`vitest did not start (${code})`)));
    });
    return child;
  }

  #ask(child, files, most) {
    return new Promise((resolve) => {
      const end = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners('message');
        child.off('exit', onExit);
        resolve({ passed: false, failed: null, errors: [], late: false, ended: false, ...answer });
      };
      const timer = setTimeout(() => end({ late: true }), most);
      const onExit = () => end({ ended: true });
      child.on('message', end);
      child.on('exit', onExit);
      child.send(files);
    });
  }
}

function stop(child) {
  running.delete(child);
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
