/** What earlier runs found: it only puts tests into an order, and saves asking again what nothing changed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../ensure.mjs';

const FILE = join(root, 'node_modules', '.cache', 'coppice-mutate.json');

export class Memory {
  #found = { listened: {}, killers: {} };

  constructor() {
    try {
      this.#found = { ...this.#found, ...JSON.parse(readFileSync(FILE, 'utf8')) };
    } catch {
      // None yet, or a damaged one: everything is asked anew.
    }
  }

  /** Which mutants a test file meets, by their names, and how long it takes; null: not known for these contents. */
  listened(file, hash) {
    const found = this.#found.listened[file];
    return found?.hash === hash ? found : null;
  }

  setListened(file, found) {
    this.#found.listened[file] = found;
    this.#save();
  }

  /** The test file that last noticed a mutant. */
  killer(name) {
    return this.#found.killers[name] ?? null;
  }

  setKiller(name, file) {
    this.#found.killers[name] = file;
    this.#save();
  }

  #save() {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(`${FILE}.${process.pid}`, JSON.stringify(this.#found));
    renameSync(`${FILE}.${process.pid}`, FILE);
  }
}

/** One hash of all the files below some folders of the project, and of single files. */
export function hashOf(...names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap(filesBelow)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** The files below a folder of the project, relative to the project, in order; a file is its own list. */
export function filesBelow(name) {
  if (/\.\w+$/.test(name)) return [name];
  const entries = readdirSync(join(root, name), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
