/** `npm run torture`: every step of every act is cut off once, and every call of git goes wrong once. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callersEnv, ensureBuilt, fail, root } from './ensure.mjs';

await ensureBuilt();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const tests = ['test/act/crash.test.ts', 'test/act/failing.test.ts'];
const child = spawn(process.execPath, [vitest, 'run', '--testTimeout=3600000', ...tests, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...callersEnv(), COPPICE_TORTURE: 'all' },
  stdio: 'inherit',
});
child.on('error', (error) => fail(`vitest could not be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
