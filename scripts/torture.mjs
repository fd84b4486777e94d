/**
 * `npm run torture`: a thousand random rounds, every step of every act cut off once, and every call of git gone wrong
 * once. `--rounds N`: so many rounds and nothing else, `--from N`: beginning with that seed; `--seed N`: the round of
 * that seed. docs/torture.md tells more.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callersEnv, ensureBuilt, fail, root } from './ensure.mjs';
import { quickFolder } from './quick-folder.mjs';

const words = process.argv.slice(2);
const rounds = take('--rounds');
const from = take('--from');
const seed = take('--seed') ?? process.env.COPPICE_TEST_SEED;

await ensureBuilt();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const acts = [
  'test/act/hanging.test.ts',
  'test/act/failing.test.ts',
  'test/act/crash.test.ts',
  'test/act/crash-worktrees.test.ts',
];
const whole = rounds === undefined && seed === undefined ? acts : [];
const tests = ['test/torture/rounds.test.ts', ...whole];
const child = spawn(process.execPath, [vitest, 'run', '--testTimeout=3600000', ...tests, ...words], {
  cwd: root,
  env: {
    ...callersEnv(),
    TMPDIR: quickFolder(),
    COPPICE_TORTURE: 'all',
    ...(rounds === undefined ? {} : { COPPICE_TORTURE_ROUNDS: rounds }),
    ...(from === undefined ? {} : { COPPICE_TORTURE_FIRST: from }),
    ...(seed === undefined ? {} : { COPPICE_TEST_SEED: seed }),
  },
  stdio: 'inherit',
});
child.on('error', (error) => fail(`vitest could not be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});

/** Takes a flag and its number out of the words. */
function take(flag) {
  const at = words.indexOf(flag);
  if (at < 0) return undefined;
  const [, value = ''] = words.splice(at, 2);
  if (!/^\d+$/.test(value)) fail(`${flag} needs a number`);
  return value;
}
