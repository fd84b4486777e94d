/**
 * `npm run bench -- --worktrees`: how many finished worktrees would go, whether one that holds something would, and how
 * long it takes to look at many, beside `git status` in each.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countGit, run } from './measure.mjs';
import { randomFrom } from './random.mjs';
import { forest, rounds } from './worktree-forest.mjs';
import { age, litter, MORE_LITTER } from './worktree-litter.mjs';
import { OWN } from './worktree-own.mjs';
import { Project } from './worktree-project.mjs';
import { goals, moreReport, ownReport, shareReport, timesReport } from './worktree-report.mjs';
import { AFTER, finish } from './worktree-stories.mjs';
import { wordsFrom } from './words.mjs';

/** Worktrees that are worked on at the same time. */
const AT_ONCE = 5;
/** A submodule is checked out in one of so many. */
const SUBMODULE_IN = 5;

const FULL = {
  finished: 50,
  times: [
    { label: 'clean', count: 50, files: 3000, ignored: 0, goal: 1.5 },
    { label: 'with node_modules', count: 50, files: 3000, ignored: 30_000 },
    { label: 'many', count: 300, files: 20, ignored: 0 },
  ],
};
const QUICK = {
  finished: 12,
  times: [
    { label: 'clean', count: 8, files: 500, ignored: 0 },
    { label: 'with node_modules', count: 8, files: 500, ignored: 3000 },
    { label: 'many', count: 30, files: 20, ignored: 0 },
  ],
};

/** Prints its tables; the exit code: 1 when a worktree that holds something would go. */
export async function benchWorktrees({ cli, temp, env, instruments, quick, runs, seed, say, print }) {
  const size = quick ? QUICK : FULL;
  const sweep = async (work, ...flags) => {
    const result = await run([process.execPath, cli, 'sweep', '--no-fetch', '--json', '--exit-zero', ...flags], {
      cwd: work,
      env: { ...env, COPPICE_CACHE: 'off' },
    });
    if (result.code !== 0) throw new Error(`coppice ended with ${result.code}: ${result.stderr || result.stdout}`);
    return JSON.parse(result.stdout).rows.filter(({ kind }) => kind === 'worktree');
  };
  const dir = join(temp, 'worktrees');
  mkdirSync(dir);
  const shares = await measureShares({ dir, env, size, seed, sweep, say });
  print(shareReport(shares.finished));
  print(moreReport(shares.more));
  print(ownReport(shares.own));
  rmSync(dir, { recursive: true, force: true });
  const times = [];
  for (const one of size.times) times.push(await measureTimes(one, { cli, temp, env, instruments, runs, seed, say }));
  print(timesReport(times));
  print(goals({ ...shares, times }));
  return shares.own.some(({ isFree }) => isFree) ? 1 : 0;
}

async function measureShares({ dir, env, size, seed, sweep, say }) {
  say(`${size.finished} finished worktrees: making them`);
  const random = randomFrom(seed);
  const project = new Project({ dir, env, random, words: wordsFrom(random) });
  const trees = makeTrees(project, random, size.finished);
  const more = makeMore(project, random, size.finished);
  project.mainMoves();
  project.end();
  for (const tree of [...trees, ...more]) age(project, tree.path, random);
  say('sweep of them');
  const judged = judge([...trees, ...more], await sweep(project.work));
  say('the same, each with something of its own');
  for (const [index, tree] of trees.entries()) addOwn(project, tree, index, trees.length);
  // What they hold was written just now, which would keep all of them by itself.
  const own = judge(trees, await sweep(project.work, '--idle', '0s'));
  return { finished: judged.slice(0, trees.length), more: judged.slice(trees.length), own };
}

function makeTrees(project, random, count) {
  project.start();
  const trees = [];
  while (trees.length < count) {
    const first = trees.length;
    const batch = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) =>
      project.open(`topic/task-${String(first + index + 1).padStart(2, '0')}`),
    );
    finish(project, batch, { random, first });
    trees.push(...batch);
  }
  for (const [index, tree] of trees.entries()) {
    tree.parts = litter(tree.path, random, project.work);
    if (index % SUBMODULE_IN !== 0) continue;
    project.git(tree.path, ['submodule', '--quiet', 'update', '--init']);
    tree.parts.push('submodule');
  }
  return trees;
}

/** Worktrees beyond the goal: what else is found, and what else people do. */
function makeMore(project, random, first) {
  const made = [];
  const open = (title) => {
    const tree = { ...project.open(`more/${made.length + 1}`), title, owner: first + made.length, parts: [] };
    project.addCommit(tree.path, tree.owner);
    made.push(tree);
    return tree;
  };
  for (const [title, make] of Object.entries(MORE_LITTER)) {
    const tree = open(title);
    make(tree.path, project.work, project);
    project.land(tree, 'squash');
    project.fetch();
  }
  for (const [title, { before, after }] of Object.entries(AFTER)) {
    const tree = open(title);
    before?.(project, tree, tree.owner);
    project.mainMoves();
    project.land(tree, 'squash');
    project.fetch();
    after?.(project, tree, random);
  }
  return made;
}

function addOwn(project, tree, index, count) {
  const stride = Math.max(1, Math.floor(OWN.length / count));
  const [title, code, make] = OWN[(index * stride) % OWN.length];
  const git = (...args) => project.git(tree.path, args);
  git.input = (input, ...args) => project.git(tree.path, args, { input });
  make(tree.path, git);
  Object.assign(tree, { title, code });
}

/** Joins each worktree with its row. Free is what would be removed without a flag. */
function judge(trees, rows) {
  return trees.map((tree) => {
    const row = rows.find(({ path }) => path === tree.path);
    if (row === undefined) throw new Error(`no row for ${tree.path}`);
    const holds = row.evidence.filter(({ effect }) => effect === 'holds');
    return { ...tree, row, holds, isFree: row.action === 'remove' };
  });
}

async function measureTimes(one, { cli, temp, env, instruments, runs, seed, say }) {
  const title = `${one.label}: ${one.count} worktrees of ${one.files} files`;
  say(`${title}: making them`);
  const dir = join(temp, 'forest');
  const { work, list } = await forest({ dir, ...one, seed, env });
  const status = (flags) => ['sh', '-c', `xargs -0 -P 2 -I % git -C % status ${flags} < "$0"`, list];
  const cache = join(dir, 'cache');
  mkdirSync(cache);
  const place = { cwd: work, env: { ...env, COPPICE_CACHE: cache } };
  const coppice = [process.execPath, cli, 'sweep', '--no-fetch', '--only', 'worktree', '--exit-zero'];
  const commands = [
    ['`git status --porcelain`, two at a time', status('--porcelain')],
    ['the same with `-uall --ignored=matching`', status('--porcelain -uall --ignored=matching')],
    ['`coppice sweep --no-fetch --only worktree`', coppice],
  ];
  const times = await rounds(commands, { ...place, count: runs, say: (what) => say(`${title}: ${what}`) });
  let processes = null;
  if (instruments.strace.command !== null) {
    const trace = join(temp, 'trace');
    await run([...instruments.strace.command(trace), ...coppice], place);
    processes = countGit(trace);
  }
  rmSync(dir, { recursive: true, force: true });
  return { ...one, title, times, processes, runs };
}
