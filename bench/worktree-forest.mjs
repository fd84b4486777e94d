/** Many worktrees of one size, and the time that programs take on them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn } from './git.mjs';
import { median, run } from './measure.mjs';
import { randomFrom } from './random.mjs';
import { ImportStream } from './stream.mjs';
import { wordsFrom } from './words.mjs';
import { put } from './worktree-project.mjs';

const LINES = 30;
const IN_A_FOLDER = 25;

/**
 * A clone with `count` worktrees of `files` files each, on branches that were squashed onto main, and with `ignored`
 * files each in a node_modules folder (links to the same files, as pnpm makes them). `list` is a file of their folders.
 */
export async function forest({ dir, count, files, ignored, seed, env }) {
  const git = gitIn(env);
  const origin = join(dir, 'origin.git');
  const work = join(dir, 'work');
  mkdirSync(dir);
  await git(['init', '-q', '--bare', '-b', 'main', origin]);
  const input = history({ count, files, random: randomFrom(seed) });
  await git(['-c', 'pack.compression=1', 'fast-import', '--quiet', '--done'], { cwd: origin, input });
  await git(['clone', '-q', origin, work]);
  const stock = join(dir, 'stock');
  for (let at = 0; at < ignored; at += 1) put(stock, `part-${at >> 5}/${at % 3 ? 'lib' : 'src'}/file-${at}.js`);
  const paths = [];
  for (let at = 0; at < count; at += 1) {
    const path = join(dir, 'trees', `task-${at}`);
    await git(['worktree', 'add', '-q', path, `task-${at}`], { cwd: work });
    if (ignored > 0) copyLinks(stock, join(path, 'node_modules'), env);
    paths.push(path);
  }
  const list = join(dir, 'list');
  writeFileSync(list, paths.map((path) => `${path}\0`).join(''));
  return { work, list };
}

function* history({ count, files, random }) {
  const words = wordsFrom(random);
  const stream = new ImportStream(random, words);
  const text = () => ({
    mode: '100644',
    lines: Array.from({ length: LINES }, () => ({ text: words.line() })),
  });
  const first = new Map([
    ['.gitignore', { mode: '100644', lines: [{ text: 'node_modules' }] }],
    ['package-lock.json', { mode: '100644', lines: [{ text: '{}' }] }],
  ]);
  for (let at = 0; at < files; at += 1) {
    const folder = Math.floor(at / IN_A_FOLDER);
    first.set(`src/area-${folder % 12}/part-${folder}/file-${at}.ts`, text());
  }
  let main = stream.commit({ ref: 'refs/heads/main', message: 'Begin', parents: [], changes: first });
  const begin = main;
  yield stream.take();
  for (let at = 0; at < count; at += 1) {
    const own = new Map([[`topics/topic-${at}.ts`, text()]]);
    const message = words.subject();
    stream.commit({ ref: `refs/heads/task-${at}`, message, parents: [begin], changes: own });
    main = stream.commit({ ref: 'refs/heads/main', message: `${message} (#${at})`, parents: [main], changes: own });
  }
  stream.done();
  yield stream.take();
}

function copyLinks(from, to, env) {
  const { status, stderr } = spawnSync('cp', ['-al', from, to], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

/**
 * Commands in turn: of each the median time, and the median of its ratios to the first in the same round. A first round
 * only warms up; each round begins with another command.
 */
export async function rounds(commands, { count, cwd, env, say }) {
  const times = [];
  for (let round = -1; round < count; round += 1) {
    say(round < 0 ? 'warming up' : `run ${round + 1} of ${count}`);
    const ms = commands.map(() => 0);
    for (let turn = 0; turn < commands.length; turn += 1) {
      const index = (turn + Math.max(round, 0)) % commands.length;
      const [title, command] = commands[index];
      const result = await run(command, { cwd, env });
      if (result.code !== 0) throw new Error(`${title} ended with ${result.code}: ${result.stderr}`);
      ms[index] = result.ms;
    }
    if (round >= 0) times.push(ms);
  }
  return commands.map(([title], index) => ({
    title,
    ms: median(times.map((ms) => ms[index])),
    ratio: median(times.map((ms) => ms[index] / ms[0])),
  }));
}
