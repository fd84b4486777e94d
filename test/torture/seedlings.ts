/** Random repositories to begin with. Each is built once, and copied for every round that begins with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/history/random.ts';
import { Repository } from '../support/repository.ts';

export interface Seedling {
  readonly repository: Repository;
  readonly spent: readonly string[];
  readonly names: readonly string[];
}

/** How many different ones there are. */
const KINDS = 40;

const NAMES = [
  'a',
  'topic',
  'feature/x',
  'feature/y/z',
  'fix-1.2',
  "it's",
  'say"so"',
  'ünïcödé/ß',
  '漢字',
  '$(touch_x)',
  'a;b&c',
  'origin/main',
  'refs/heads/x',
  'Topic',
  '%41',
  '#7',
  '=x',
  'tags/v1',
  `long-${'n'.repeat(180)}`,
  'x{y}',
  '!bang',
  'lock.d',
];

const built = new Map<number, Seedling>();

/** Copied by whoever wants to change it. */
export function seedlingOf(seed: number): Seedling {
  const kind = seed % KINDS;
  const known = built.get(kind) ?? grow(new Random(1000 + kind));
  built.set(kind, known);
  return known;
}

export function forgetSeedlings(): void {
  for (const { repository } of built.values()) repository.remove();
  built.clear();
}

function grow(random: Random): Seedling {
  const r = new Repository({ objectFormat: random.chance(10) ? 'sha256' : 'sha1' });
  const names = [...NAMES];
  r.write('.git/info/exclude', ['node_modules', '.env', '*.log']);
  if (random.chance(30)) withSubmodule(r);
  const spent = new Set<string>();
  const used: string[] = [];
  for (let count = 4 + random.below(4); count > 0; count -= 1) {
    const name = random.take(names);
    used.push(name);
    random.pick(HISTORIES)(r, name, random, spent);
    dress(r, name, random);
  }
  r.publish();
  if (random.chance(30)) r.git('pack-refs', '--all', ...(random.chance(50) ? ['--no-prune'] : []));
  if (random.chance(20)) r.git('gc', '--quiet');
  if (random.chance(30)) r.append('.git/config', '# a note at the end\n');
  return { repository: r, spent: [...spent], names: used };
}

/** What it is cloned from lies beside, by a path that a copy of all has too. */
function withSubmodule(r: Repository): void {
  const source = join(r.places.root, 'source.git');
  r.git('clone', '--quiet', '--bare', r.work, source);
  r.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../source.git', 'sub');
  r.commitStaged('a submodule');
}

type History = (r: Repository, name: string, random: Random, spent: Set<string>) => void;

const squashed: History = (r, name, random, spent) => {
  branch(r, name, random);
  r.squash(`refs/heads/${name}`);
  spend(r, name, spent);
};

const HISTORIES: readonly History[] = [
  squashed,
  squashed,
  (r, name, random, spent) => {
    branch(r, name, random);
    r.merge(`refs/heads/${name}`);
    spend(r, name, spent);
  },
  (r, name, random, spent) => {
    branch(r, name, random);
    r.write(`${random.below(1e9)}.txt`, ['main goes on']);
    r.commit('main goes on');
    r.rebaseMerge(`refs/heads/${name}`);
    spend(r, name, spent);
  },
  // Not merged.
  (r, name, random) => branch(r, name, random),
  // Stacked on one that is merged.
  (r, name, random, spent) => {
    squashed(r, `${name}-base`, random, spent);
    r.branch(name, `refs/heads/${name}-base`);
    grown(r, name, random);
    r.toMain();
  },
  // Nothing of its own.
  (r, name) => r.git('branch', '--no-track', name),
];

function branch(r: Repository, name: string, random: Random): void {
  r.toMain();
  r.branch(name);
  grown(r, name, random);
  r.toMain();
}

function grown(r: Repository, name: string, random: Random): void {
  const file = `${Buffer.from(name).toString('hex').slice(0, 40)}-${random.below(1e6)}.txt`;
  const lines: string[] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    lines.push(`${name} ${count}`);
    r.write(file, lines);
    r.commit(`${name} ${count}`);
    if (random.chance(30)) {
      lines.push('amended');
      r.write(file, lines);
      r.amend();
    }
  }
}

/** All that the branch has, not only its tip: whoever resets it has one of them. */
function spend(r: Repository, name: string, spent: Set<string>): void {
  for (const oid of r.git('rev-list', `refs/heads/${name}`, '^main~1').split('\n')) spent.add(oid);
  spent.add(r.id(`refs/heads/${name}`));
}

/** What people set for a branch. */
function dress(r: Repository, name: string, random: Random): void {
  if (random.chance(40)) r.track(name);
  if (random.chance(30)) r.git('config', `branch.${name}.description`, `what ${name} is for\nin two lines`);
  if (random.chance(20)) r.git('config', `branch.${name}.pushRemote`, 'origin');
  if (random.chance(20)) {
    const quoted = name.replace(/["\\]/g, '\\$&');
    r.append('.git/config', `[Branch "${quoted}"] ; again\n\trebase =   true # by hand\n  mergeOptions = --no-ff\n\n`);
  }
  if (random.chance(10)) {
    const reflog = `.git/logs/refs/heads/${name}`;
    if (existsSync(r.path(reflog))) r.delete(reflog);
  }
}
