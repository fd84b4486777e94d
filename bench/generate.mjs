/**
 * Makes a repository whose branches are known to be merged or not.
 *
 * By hand: `node bench/generate.mjs DIR [--profile mixed|realistic] [--branches N] [--commits K] [--seed S] [--gone PERCENT]`
 *
 * DIR/origin.git  the remote, through one `git fast-import`
 * DIR/work        a clone with all topic branches local, their upstreams configured, most of the merged ones gone
 * DIR/truth.tsv   branch, kind, merged|keep, upstream gone|tracked, proof, landed as (first..last commit on main)
 *
 * The proof says what content can tell of a merged branch: `content`; `none`, a fast-forward, which in a clone without
 * the reflog of its making looks like a branch without commits; `unclean`, where git's own merge of the branch (or one of
 * the rebased commits) into the commit before the landing conflicts or gives another tree; `unknown` with a git that has
 * no `merge-tree --stdin`.
 *
 * The same arguments give the same commits, on every machine.
 */
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gitEnv, gitIn, readMarks } from './git.mjs';
import { history } from './history.mjs';
import { mixed, realistic } from './profiles.mjs';
import { prove } from './proofs.mjs';
import { randomFrom } from './random.mjs';
import { ImportStream } from './stream.mjs';
import { wordsFrom } from './words.mjs';

/** Returns the folder of the clone and one entry a branch. `dir` must not exist. */
export async function generate({ dir, profile, seed = 1, gone = 70, env = gitEnv() }) {
  if (existsSync(dir)) throw new Error(`${dir} exists`);
  mkdirSync(dir, { recursive: true });
  const git = gitIn(env);
  const origin = join(dir, 'origin.git');
  const work = join(dir, 'work');
  const truth = await importHistory({ git, origin, profile, seed, gone });
  await git(['clone', '--quiet', origin, work]);
  await configure({ git, origin, work, truth });
  await prove({ git, scratch: join(dir, 'scratch.git'), objects: join(origin, 'objects'), truth });
  writeFileSync(join(dir, 'truth.tsv'), truth.map((branch) => `${columns(branch).join('\t')}\n`).join(''));
  return { work, truth };
}

async function importHistory({ git, origin, profile, seed, gone }) {
  const random = randomFrom(seed);
  const words = wordsFrom(random);
  const stream = new ImportStream(random, words);
  const truth = [];
  const marks = join(origin, 'bench-marks');
  await git(['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  await git(['-c', 'pack.compression=1', 'fast-import', '--quiet', '--done', `--export-marks=${marks}`], {
    cwd: origin,
    input: history({ profile, random, words, stream, truth }),
  });
  const oids = readMarks(marks);
  rmSync(marks);
  for (const branch of truth) {
    for (const key of ['tip', 'first', 'last']) branch[key] = branch[key] === null ? null : oids.get(branch[key]);
    branch.replays = branch.replays.map((pair) => pair.map((mark) => oids.get(mark)));
    branch.isGone = branch.merged && random.below(100) < gone;
  }
  await git(['update-ref', '--no-deref', '-d', 'refs/bench/side'], { cwd: origin });
  await git(['repack', '-a', '-d', '-q', '--window=8'], { cwd: origin });
  return truth;
}

async function configure({ git, origin, work, truth }) {
  const cwd = work;
  const created = truth.map(({ name, tip }) => `create refs/heads/${name} ${tip}`);
  await git(['update-ref', '-m', 'branch: Created from origin', '--stdin'], { cwd, input: created });
  const goneNames = truth.filter(({ isGone }) => isGone).map(({ name }) => name);
  const deletions = (prefix) => goneNames.map((name) => `delete ${prefix}/${name}`);
  await git(['update-ref', '--stdin'], { cwd, input: deletions('refs/remotes/origin') });
  await git(['update-ref', '--stdin'], { cwd: origin, input: deletions('refs/heads') });
  const sections = truth.map(({ name }) => `[branch "${name}"]\n\tremote = origin\n\tmerge = refs/heads/${name}\n`);
  const settings =
    '[user]\n\tname = Bench\n\temail = bench@example.org\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n';
  appendFileSync(join(work, '.git', 'config'), settings + sections.join(''));
  await git(['pack-refs', '--all'], { cwd });
  await git(['commit-graph', 'write', '--reachable', '--no-progress'], { cwd });
}

function columns({ name, kind, merged, isGone, proof, first, last }) {
  return [
    name,
    kind,
    merged ? 'merged' : 'keep',
    isGone ? 'gone' : 'tracked',
    proof ?? '-',
    first ? `${first}..${last}` : '-',
  ];
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', default: 'mixed' },
      branches: { type: 'string' },
      commits: { type: 'string' },
      seed: { type: 'string', default: '1' },
      gone: { type: 'string', default: '70' },
    },
  });
  const make = { mixed, realistic }[values.profile];
  if (positionals.length !== 1 || make === undefined) {
    process.stderr.write('node bench/generate.mjs DIR [--profile mixed|realistic] [--branches N] [--commits K] …\n');
    process.exitCode = 64;
    return;
  }
  const number = (value) => (value === undefined ? undefined : Number(value));
  const profile = make(
    number(values.branches) ?? (values.profile === 'mixed' ? 200 : undefined),
    number(values.commits),
  );
  const dir = resolve(positionals[0]);
  const { truth } = await generate({ dir, profile, seed: Number(values.seed), gone: Number(values.gone) });
  process.stderr.write(`${dir}: ${truth.length} branches\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) await main();
