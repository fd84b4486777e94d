/** A copy of the project in a temporary folder, with every mutant in its sources and its own build, for one worker. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bundle } from '../build.mjs';
import { root } from '../ensure.mjs';
import { Tests } from './run.mjs';
import { switchSource, withSwitches } from './write.mjs';

const TAKEN = ['src', 'test', 'docs', 'schema', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

export class Copy {
  /**
   * @param sources what is mutated: `file`, relative to the project, `text` and numbered `mutants`.
   * @param temp the folder for what tests make.
   */
  static async make(folder, sources, temp) {
    mkdirSync(folder);
    for (const name of TAKEN) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const copy = new Copy(folder, temp);
    writeFileSync(copy.#switch, switchSource(copy.#chosen, copy.#met));
    for (const { file, text, mutants } of sources) {
      const place = join(folder, file);
      writeFileSync(place, withSwitches(text, mutants, relative(dirname(place), copy.#switch)));
    }
    await bundle(join(folder, 'dist'), 'mutants', folder);
    return copy;
  }

  #chosen;
  #met;
  #switch;

  constructor(folder, temp) {
    this.tests = new Tests(folder, temp);
    this.#chosen = join(folder, 'chosen');
    this.#met = join(folder, 'met');
    this.#switch = join(folder, 'switch.mjs');
  }

  /** Turns one mutant on, in everything that starts from now on. */
  choose(id) {
    writeFileSync(this.#chosen, String(id));
  }

  /** Turns all off, and has those written down that are met. */
  listen() {
    rmSync(this.#met, { force: true });
    writeFileSync(this.#met, '');
    this.choose(-1);
  }

  /** The numbers of those that were met since. */
  heard() {
    return [...new Set(readFileSync(this.#met, 'utf8').split('\n').filter(Boolean).map(Number))];
  }
}
