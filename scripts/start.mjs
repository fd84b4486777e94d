/** `npm start -- ARGS`: coppice from these sources, in the folder the caller is in. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { callersEnv, ensureBuilt, fail, root } from './ensure.mjs';

await ensureBuilt();

const args = process.argv.length > 2 ? process.argv.slice(2) : ['demo'];
const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), ...args], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: callersEnv(),
  stdio: 'inherit',
});
child.on('error', (error) => fail(`the program could not be started: ${error.message}`));

// A terminal sends its own signals to the child as well; every other one is handed on. The child decides, and this
// process ends as it did.
const terminal = process.stdin.isTTY ? ['SIGINT', 'SIGQUIT'] : [];
const handlers = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'].map((name) => {
  return [name, () => terminal.includes(name) || child.kill(name)];
});
for (const [name, handler] of handlers) process.on(name, handler);
child.on('exit', (code, signal) => {
  for (const [name, handler] of handlers) process.off(name, handler);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
