/**
 * `npm run bench -- --processes`: how long it takes to look at who is in worktrees, with thousands of sleeping processes
 * and without, and what that adds to a sweep.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, run } from './measure.mjs';
import { processReport } from './worktree-report.mjs';
import { forest } from './worktree-forest.mjs';

const FULL = { processes: [0, 500, 2000], worktrees: [1, 40] };
const QUICK = { processes: [0, 200], worktrees: [1, 10] };
const ACCOUNT = process.getuid?.() ?? null;

/** Prints its table; the exit code. */
export async function benchProcesses({ cli, temp, root, env, quick, runs, seed, say, print }) {
  if (process.platform !== 'linux') throw new Error('only Linux has /proc to be looked at');
  const size = quick ? QUICK : FULL;
  const { scanProc, readMounts } = await load(root, temp);
  const most = Math.max(...size.worktrees);
  say(`${most} worktrees: making them`);
  const dir = join(temp, 'processes');
  const { work } = await forest({ dir, count: most, files: 20, ignored: 0, seed, env });
  const places = Array.from({ length: most }, (_, at) => ({
    folders: [join(dir, 'trees', `task-${at}`), join(work, '.git', 'worktrees', `task-${at}`)],
  }));
  const scan = (count) => {
    const mounts = readMounts('linux').value;
    const before = performance.now();
    const now = () => performance.now();
    const options = { self: process.pid, account: ACCOUNT, mounts, time: 60_000, now };
    const found = scanProc(places.slice(0, count), options);
    if (found.kind !== 'known') throw new Error(found.reason);
    return performance.now() - before;
  };
  const sweep = async () => {
    const command = [process.execPath, cli, 'sweep', '--no-fetch', '--json', '--exit-zero', '--only', 'worktree'];
    const result = await run(command, { cwd: work, env });
    if (result.code !== 0) throw new Error(`coppice ended with ${result.code}: ${result.stderr || result.stdout}`);
    return result.ms;
  };
  const rows = [];
  for (const sleeping of size.processes) {
    say(`${sleeping} sleeping processes`);
    const end = await sleepers(sleeping, env);
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;
    for (const worktrees of size.worktrees) {
      scan(worktrees);
      const times = Array.from({ length: runs }, () => scan(worktrees));
      rows.push({ sleeping, all, worktrees, scan: median(times), sweep: null });
    }
    await sweep();
    const times = [];
    for (let at = 0; at < runs; at += 1) times.push(await sweep());
    rows.at(-1).sweep = median(times);
    await end();
  }
  print(processReport(rows, runs));
  return 0;
}

/** What looks at the processes, without the start of a program. */
async function load(root, temp) {
  const outfile = join(temp, 'scan.mjs');
  mkdirSync(temp, { recursive: true });
  const contents = ['processes/proc.ts', 'mounts.ts'].map((file) => `export * from './src/system/${file}';`).join('\n');
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(outfile));
}

/** Starts so many processes that sleep; returns what ends them. */
async function sleepers(count, env) {
  if (count === 0) return async () => {};
  // They lose their parent: what the looking process started itself does not count.
  const script = `{ i=0; while [ $i -lt ${count} ]; do sleep 3600 & i=$((i + 1)); done; echo ready; wait; } &`;
  // A process group of its own, which is ended as a whole.
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('/bin/sh cannot be started');
  const stop = () => process.kill(-pid, 'SIGKILL');
  process.on('exit', stop);
  await once(child.stdout, 'data');
  return async () => {
    process.off('exit', stop);
    stop();
    while (isThere(-pid)) await sleep(20);
  };
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
