/** `npm test -- ARGS`: builds, then runs vitest once with the arguments given. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callersEnv, ensureBuilt, fail, root } from './ensure.mjs';
import { quickFolder } from './quick-folder.mjs';

await ensureBuilt();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...callersEnv(), TMPDIR: quickFolder() },
  stdio: 'inherit',
});
child.on('error', (error) => fail(`vitest could not be started: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
