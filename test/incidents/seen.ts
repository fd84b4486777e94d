/** All of a repository and what lies beside it, to compare: before coppice acted, after it, and after the way back. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { filesBelow, missing, standing, undo } from '../support/acts.ts';
import { realGit } from '../support/environment.ts';
import { run } from '../support/processes.ts';
import type { Repository } from '../support/repository.ts';
import { wholeOf } from '../support/retired.ts';

type Lines = ReadonlyMap<string, string>;

export interface Seen {
  /** Every file below the folder of all, but git's own and coppice's. */
  readonly files: Lines;
  /** What git has on each worktree. */
  readonly held: Lines;
  /** Refs, reflogs of branches, the configuration. */
  readonly standing: Lines;
}

/** git's own files have their own lines; the cache and the notes are coppice's, a stand-in of git and what it leaves are the test's. */
const OWN = /^(?:work\/\.git(?:\/|$)|(?:home|coppice-home|cache|bin-|once)[^/]*(?:\/|$)|\.$)/;

export function seen(r: Repository): Seen {
  const admin = r.path('.git/worktrees');
  const held = [...(existsSync(admin) ? wholeOf(admin) : [])]
    .filter(([path]) => path.includes('/'))
    // A copy of it comes back: other inodes, other times.
    .map(([path, line]) => [path, line.split(' ').toSpliced(3, 3).join(' ')] as const);
  const files = [...wholeOf(r.places.root)].filter(([path]) => !OWN.test(path));
  return { files: new Map(files), held: new Map(held), standing: standing(r) };
}

/** What is not as it was, but for what `may`. */
export function changes(before: Seen, now: Seen, may: (key: string) => boolean = () => false): string[] {
  return (['files', 'held', 'standing'] as const).flatMap((part) =>
    [...new Set([...before[part].keys(), ...now[part].keys()])]
      .filter((key) => before[part].get(key) !== now[part].get(key) && !may(key))
      .map((key) => `${part} ${key}: was ${before[part].get(key)}, is ${now[part].get(key)}`),
  );
}

/** Every object that stays when git forgets all it may, and nobody does anything else. */
export function firm(r: Repository): ReadonlySet<string> {
  return objects(r, ['--all', '--indexed-objects']);
}

/** Every object that is there. */
export function stored(r: Repository): ReadonlySet<string> {
  return new Set(r.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n'));
}

/** Every object that a file below `folder` names: heads, reflogs, private refs, half-done operations. */
export function namedBelow(r: Repository, folder: string): ReadonlySet<string> {
  const ids = filesBelow(folder)
    .filter((path) => basename(path) !== 'index')
    .flatMap((path) => readFileSync(path, 'latin1').match(/\b[0-9a-f]{40}\b/g) ?? []);
  const roots = new Set(ids.filter((id) => !/^0+$/.test(id)));
  // Some name what was not there before.
  const gone = new Set(missing(r, roots).map((line) => line.split(' ')[0]));
  return objects(
    r,
    [...roots].filter((id) => !gone.has(id)),
  );
}

function objects(r: Repository, roots: readonly string[]): ReadonlySet<string> {
  if (roots.length === 0) return new Set();
  const asked = ['rev-list', '--objects', '--no-object-names', '--stdin'];
  // Words that begin with a dash are none of --stdin in older versions of git.
  const [words, ids] = [roots.filter((one) => one.startsWith('-')), roots.filter((one) => !one.startsWith('-'))];
  const input = ids.map((id) => `${id}\n`).join('');
  const { code, stdout, stderr } = run(realGit, [...asked, ...words], { cwd: r.work, env: r.env, input });
  if (code !== 0) throw new Error(`rev-list: ${stderr}`);
  return new Set(stdout.toString('utf8').split('\n').filter(Boolean));
}

/** Brings back all that coppice put aside. */
export async function bringBack(r: Repository): Promise<void> {
  for (let times = 0; times < 40; times += 1) {
    const { code, json } = await undo(r, '--last');
    if (json?.schema === 'coppice.error.v1' && json.code === 'nothing-to-undo') return;
    expect([code, JSON.stringify(json)]).toEqual([0, expect.any(String)]);
  }
  throw new Error('undo has no end');
}
