/**
 * `npm run bench -- [options]`: how quickly and how well coppice tells merged branches, beside the other tools.
 *
 *   --quick              50 and 200 branches, three runs, no other tools unless asked for: under a minute
 *   --sizes 50,200,1000  these numbers of branches, and no others
 *   --profile realistic  one repository with the life of a real project in place of the mixed sizes
 *   --peers, --no-peers  the other tools as well (up to 1,000 branches); on unless --quick
 *   --peers-only         only the other tools: works without a build of coppice
 *   --worktrees          finished worktrees, and the time to look at many, in place of branches; also with --quick
 *   --retire             the time to put a worktree aside and to bring it back, by its size; also with --quick
 *   --processes          the time to look at who is in worktrees, among thousands of processes; also with --quick
 *   --cli FILE           this build of coppice in place of dist/cli.js
 *   --runs N, --seed N   runs of each tool (5), seed of the repositories (1)
 *
 * Markdown on stdout, progress on stderr. Ends with 1 when coppice calls a branch merged that is not or
 * would let a worktree go that holds something, with 2 when it fails or judges otherwise from its cache, and never
 * differently because of a time. Everything is made in a temporary folder that goes at the end.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Comparison, pairs } from '../bench/compare.mjs';
import { generate } from '../bench/generate.mjs';
import { gitEnv } from '../bench/git.mjs';
import { instruments, stopAll } from '../bench/measure.mjs';
import { mixed, realistic } from '../bench/profiles.mjs';
import { disagreeing, goalReport, growthReport, sizeReport, startReport } from '../bench/report.mjs';
import { benchProcesses } from '../bench/processes.mjs';
import { coppice, floors, peers } from '../bench/tools.mjs';
import { benchRetire } from '../bench/retire.mjs';
import { benchWorktrees } from '../bench/worktrees.mjs';
import { callersEnv, ensureBuilt, root } from './ensure.mjs';

const PEERS_UP_TO = 1000;
/** One run of coppice alone, for its memory. */
const ONCE_FROM = 10_000;

const options = readOptions();
const temp = mkdtempSync(join(realpathSync(tmpdir()), 'coppice-bench-'));
process.on('exit', () => {
  stopAll();
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
});
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => process.exit(code));
}

const home = join(temp, 'home');
mkdirSync(home);
const env = { ...gitEnv(home, callersEnv().PATH), TMPDIR: temp };
const cli = options.peersOnly ? null : await findCli();
const tools = { floors: floors(), coppice: cli === null ? [] : coppice({ cli, temp }) };
const others = options.peers ? peers({ env, callersEnv: callersEnv(), temp }) : { found: [], missing: [] };
const measuring = instruments({ env });

try {
  const surroundings = { ...options, cli, temp, root, env, instruments: measuring, say, print };
  process.exitCode = options.worktrees
    ? await benchWorktrees(surroundings)
    : options.processes
      ? await benchProcesses(surroundings)
      : options.retire
        ? await benchRetire(surroundings)
        : await bench();
} catch (error) {
  say(error.stack);
  process.exitCode = 2;
}

async function bench() {
  print(header());
  const sizes = [];
  for (const repository of options.repositories) sizes.push(await measure(repository));
  print(growthReport(sizes));
  const start = cli === null ? null : await startUp();
  print(start && startReport(start));
  print(goalReport({ sizes, start }));
  return verdict(sizes);
}

async function measure({ profile, label, runs }) {
  say(`${label}: making the repository`);
  const dir = join(temp, 'repository');
  const isOnce = profile.branches >= ONCE_FROM;
  const { work, truth } = await generate({ dir, profile, seed: options.seed, env });
  const repository = { work, truth };
  const comparison = new Comparison({ repository, label, temp, env, instruments: measuring, say });
  const compared = isOnce
    ? tools.coppice.slice(0, 1)
    : [...tools.floors, ...tools.coppice, ...(profile.branches <= PEERS_UP_TO ? others.found : [])];
  const results = await comparison.of(compared, { runs: isOnce ? 1 : runs, budgetMs: options.budgetMs });
  const commits = Number(git(['rev-list', '--count', '--first-parent', 'main'], work));
  const all = Number(git(['rev-list', '--count', '--all'], work));
  rmSync(dir, { recursive: true });
  const title = `${label}: ${truth.length} branches, ${commits} commits on main's first-parent line, ${all} in all`;
  print(sizeReport({ title, results, truth }));
  return { label, branches: truth.length, commits, results };
}

function startUp() {
  say('start-up');
  const commands = [
    [process.execPath, '-e', '0'],
    [process.execPath, cli, '--version'],
  ];
  return pairs(commands, { count: options.quick ? 10 : 30, cwd: home, env });
}

function verdict(sizes) {
  const own = sizes.flatMap(({ results }) => results).filter(({ tool }) => tool.isCoppice);
  if (own.some(({ quality }) => (quality?.falselyMerged.length ?? 0) > 0)) return 1;
  const isFaulty =
    own.some(({ error }) => error !== null) || sizes.some(({ results }) => disagreeing(results).length > 0);
  return isFaulty ? 2 : 0;
}

async function findCli() {
  if (options.cli !== undefined) return resolve(process.env.INIT_CWD ?? process.cwd(), options.cli);
  await ensureBuilt();
  return join(root, 'dist', 'cli.js');
}

function header() {
  const [cpu] = cpus();
  const strace = 'git processes: successful starts of git or of one of its programs, by strace, in a run of their own.';
  const memory =
    'Peak MB: largest sum of resident sizes over the tool and all below it, sampled every 10 ms in that same run.';
  return [
    '# coppice bench',
    [
      `Node ${process.versions.node}, ${git(['version']).trim()}, ${cpus().length} × ${cpu?.model.trim() ?? 'cpu'}, seed ${options.seed}.`,
      `Wall ms: median; slow tools run fewer times (${options.budgetMs / 1000} s each at most, but once).`,
      'Missed: merged, and content can prove it. Unprovable: merged, but a fast-forward without a reflog of its commits,',
      "or git's own merge of it conflicts. Falsely merged: not on main, taken back since, or without a commit of its own.",
      measuring.strace.why ?? strace,
      measuring.memory.why ?? memory,
    ].join('\n'),
    ...others.missing.map((line) => `Left out: ${line}.`),
  ].join('\n\n');
}

function git(args, cwd = home) {
  return spawnSync('git', args, { cwd, env, encoding: 'utf8' }).stdout;
}

function say(message) {
  process.stderr.write(`bench: ${message}\n`);
}

function print(part) {
  if (part !== null) process.stdout.write(`${part}\n\n`);
}

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        sizes: { type: 'string' },
        profile: { type: 'string', default: 'mixed' },
        peers: { type: 'boolean' },
        'no-peers': { type: 'boolean', default: false },
        'peers-only': { type: 'boolean', default: false },
        worktrees: { type: 'boolean', default: false },
        processes: { type: 'boolean', default: false },
        retire: { type: 'boolean', default: false },
        cli: { type: 'string' },
        runs: { type: 'string' },
        seed: { type: 'string', default: '1' },
      },
    }));
  } catch (error) {
    usage(error.message);
  }
  const { quick, profile, worktrees, processes, retire } = values;
  const whole = (name, text) => {
    if (!/^[1-9]\d*$/.test(text)) usage(`${name} is a whole number, not ${text}`);
    return Number(text);
  };
  const runs = values.runs === undefined ? (quick ? 3 : 5) : whole('--runs', values.runs);
  const list = values.sizes ?? (quick ? '50,200' : '50,200,1000,5000,10000');
  const numbers = list.split(',').map((text) => whole('a size', text));
  if (profile !== 'mixed' && profile !== 'realistic') usage(`no profile ${profile}`);
  const repositories =
    profile === 'realistic'
      ? [{ label: 'realistic', profile: realistic(), runs }]
      : numbers.sort((a, b) => a - b).map((count) => ({ label: `mixed ${count}`, profile: mixed(count), runs }));
  return {
    quick,
    worktrees,
    processes,
    retire,
    runs,
    cli: values.cli,
    seed: whole('--seed', values.seed),
    peersOnly: values['peers-only'],
    peers:
      !worktrees &&
      !processes &&
      !retire &&
      (values['peers-only'] || (!values['no-peers'] && (values.peers ?? !quick))),
    budgetMs: quick ? 3000 : 30_000,
    repositories,
  };
}

function usage(message) {
  process.stderr.write(`bench: ${message}; the head of scripts/bench.mjs says what there is\n`);
  process.exit(64);
}
