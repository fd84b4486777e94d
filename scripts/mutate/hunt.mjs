/** Looks for a test that notices each mutant. */
import { dirname } from 'node:path';
import { filesBelow, hashOf } from './memory.mjs';

/** Tests of the judgement alone: they take a second. */
const QUICK = ['test/judge'];
/** Where else tests may notice what src/judge does. */
const SLOW = ['test/scenarios', 'test/act', 'test/commands'];
/** So many files are run by themselves, and the rest so many at once. */
const ALONE = 4;
const TOGETHER = 4;
const SLOWEST_MS = 15 * 60_000;

export class Hunt {
  #copies;
  #memory;
  #say;
  #all;
  /** For each test file: which mutants it meets, by name, and its milliseconds. */
  #tests = new Map();
  #failing = [];
  /** How often a test file noticed a mutant of a source, by both. */
  #kills = new Map();

  /** @param all the mutants that are in the copies. */
  constructor({ copies, memory, say, all }) {
    this.#copies = copies;
    this.#memory = memory;
    this.#say = say;
    this.#all = all;
  }

  /**
   * @param isQuick true: no test is asked but the quick ones.
   * @returns the `survivors` among `mutants`, and the test files `failing` without any mutant.
   */
  async run(mutants, isQuick) {
    await this.#listen(QUICK);
    const known = isQuick
      ? []
      : new Set(mutants.map(({ name }) => this.#memory.killer(name)).filter((file) => file !== null));
    await this.#listen([], known);
    const left = await this.#hunt(mutants, (mutant) => this.#first(mutant));
    if (left.length === 0 || isQuick) return { survivors: left, failing: this.#failing };
    this.#say(`${left.length} are left for the slow tests`);
    await this.#listen(SLOW);
    const survivors = await this.#hunt(left, (mutant) => this.#rest(mutant));
    return { survivors, failing: this.#failing };
  }

  /** @returns those that no test of `filesFor` noticed. */
  async #hunt(mutants, filesFor) {
    const left = [];
    await this.#each(mutants, async (copy, mutant) => {
      copy.choose(mutant.id);
      const { by, late } = await this.#killerOf(copy, mutant, filesFor(mutant));
      if (by === null) left.push(mutant);
      else this.#say(`${mutant.place} ${mutant.what}: ${late ? 'endless in' : 'killed by'} ${by}`);
    });
    return left.sort((a, b) => a.id - b.id);
  }

  /** Runs test files once with all mutants off: which does each meet? */
  async #listen(folders, more = []) {
    const names = new Map(this.#all.map(({ id, name }) => [id, name]));
    const shared = hashOf('src', 'test/support', 'package-lock.json') + [...names.values()].join('\n').length;
    const files = folders.flatMap(filesBelow).filter((file) => file.endsWith('.test.ts'));
    const open = [...files, ...more].filter((file) => !this.#tests.has(file));
    await this.#each(open, async (copy, file) => {
      const helpers = filesBelow(dirname(file)).filter((name) => !name.endsWith('.test.ts'));
      const hash = shared + hashOf(...helpers, file);
      const found = this.#memory.listened(file, hash) ?? (await this.#listenTo(copy, file, hash, names));
      if (found !== null) this.#tests.set(file, { met: new Set(found.met), milliseconds: found.milliseconds });
    });
  }

  async #listenTo(copy, file, hash, names) {
    copy.listen();
    const { passed, milliseconds, errors } = await copy.tests.run([file], SLOWEST_MS);
    const met = copy.heard().map((id) => names.get(id));
    this.#say(`${file} meets ${met.length}, in ${(milliseconds / 1000).toFixed(1)} s${passed ? '' : ', and FAILS'}`);
    if (passed) {
      const found = { hash, milliseconds, met };
      this.#memory.setListened(file, found);
      return found;
    }
    for (const error of errors) this.#say(error);
    this.#failing.push(file);
    return null;
  }

  async #killerOf(copy, mutant, files) {
    for (let at = 0; at < files.length; ) {
      const some = files.slice(at, at + (at < ALONE ? 1 : TOGETHER));
      at += some.length;
      const usual = some.reduce((sum, file) => sum + this.#tests.get(file).milliseconds, 0);
      const most = 10_000 + 4 * usual;
      const { passed, failed, late } = await copy.tests.run(some, most);
      if (passed) continue;
      const by = failed ?? some[0];
      this.#memory.setKiller(mutant.name, by);
      const key = `${mutant.file} ${by}`;
      this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
      return { by, late };
    }
    return { by: null, late: false };
  }

  /** What noticed it last time, and the quick ones. */
  #first(mutant) {
    const last = this.#memory.killer(mutant.name);
    const quick = this.#meeting(mutant).filter((file) => QUICK.includes(dirname(file)) && file !== last);
    return last !== null && this.#tests.has(last) ? [last, ...quick] : quick;
  }

  #rest(mutant) {
    const tried = new Set(this.#first(mutant));
    return this.#meeting(mutant).filter((file) => !tried.has(file));
  }

  /** The test files that meet it: those first that noticed much of its source, or are quick. */
  #meeting(mutant) {
    const worth = (file) => this.#tests.get(file).milliseconds / (1 + (this.#kills.get(`${mutant.file} ${file}`) ?? 0));
    const files = [...this.#tests.keys()].filter((file) => this.#tests.get(file).met.has(mutant.name));
    const worths = new Map(files.map((file) => [file, worth(file)]));
    return files.sort((a, b) => worths.get(a) - worths.get(b));
  }

  /** Gives each copy the next of `items` when it is done with one. */
  async #each(items, work) {
    const left = [...items];
    await Promise.all(
      this.#copies.map(async (copy) => {
        for (let item = left.shift(); item !== undefined; item = left.shift()) await work(copy, item);
      }),
    );
  }
}
