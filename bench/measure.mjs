import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const TIMEOUT_MS = 20 * 60_000;
const SAMPLE_MS = 10;
const running = new Set();

/** Runs a program to its end and says how long that took, what it printed, and, with `sample`, its peak memory. */
export function run([program, ...args], { cwd, env, sample = null }) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    // A process group of its own, so that all of it can be stopped.
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const output = { stdout: [], stderr: [] };
    let peakKb = 0;
    const timeout = setTimeout(() => stop(child), TIMEOUT_MS);
    const sampler =
      sample === null ? null : setInterval(() => (peakKb = Math.max(peakKb, sample(child.pid))), SAMPLE_MS);
    const end = () => {
      running.delete(child);
      clearTimeout(timeout);
      clearInterval(sampler);
    };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (bytes) => output[name].push(bytes));
    child.on('spawn', () => running.add(child));
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('close', (code, signal) => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      end();
      const [stdout, stderr] = ['stdout', 'stderr'].map((name) => Buffer.concat(output[name]).toString('utf8'));
      resolve({ ms, code, signal, stdout, stderr, peakKb });
    });
  });
}

/** Stops what is still running. */
export function stopAll() {
  for (const child of running) stop(child);
}

function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // It ended by itself.
  }
}

/** What can be measured here besides time; null, with the reason `why`, where that cannot be. */
export function instruments({ env }) {
  return { strace: findStrace(env), memory: findMemory() };
}

function findStrace(env) {
  const base = ['-f', '-qq', '-e', 'trace=execve', '-e', 'signal=none'];
  // Newer ones stop a process only where it starts a program, which keeps them quick.
  for (const options of [['--seccomp-bpf', ...base], base]) {
    const result = spawnSync('strace', [...options, 'true'], { env, stdio: 'ignore' });
    if (result.status === 0) return { command: (file) => ['strace', ...options, '-o', file], why: null };
  }
  return { command: null, why: 'git processes were not counted: no working strace here' };
}

/** How many git programs were started. The first program of all counts only if it is git itself, not a tool named git-x. */
export function countGit(traceFile) {
  const pending = new Map();
  let [count, isFirst] = [0, true];
  for (const line of readFileSync(traceFile, 'latin1').split('\n')) {
    const [, pid, rest] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest === undefined) continue;
    const call = /^execve\("([^"]*)"/.exec(rest);
    if (call !== null) pending.set(pid, call[1]);
    if (!/\) += 0$/.test(rest) || !pending.has(pid)) continue;
    const name = basename(pending.get(pid));
    pending.delete(pid);
    if (name === 'git' || (name.startsWith('git-') && !isFirst)) count += 1;
    isFirst = false;
  }
  return count;
}

function findMemory() {
  const why = 'memory was not measured: no /proc with lists of children here';
  try {
    readFileSync(`/proc/self/task/${process.pid}/children`);
  } catch {
    return { tree: null, below: null, why };
  }
  return { tree: (pid) => residentOf([pid]), below: (pid) => residentOf(childrenOf(pid)), why: null };
}

/** The resident sizes of processes and of all below them, summed, in kB. Pages that they share count for each. */
function residentOf(pids) {
  let sum = 0;
  const open = [...pids];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const found = /^VmRSS:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`));
    if (found !== null) sum += Number(found[1]);
    open.push(...childrenOf(pid));
  }
  return sum;
}

function childrenOf(pid) {
  let threads;
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended meanwhile.
  }
  const lists = threads.map((thread) => readProc(`/proc/${pid}/task/${thread}/children`));
  return lists.flatMap((list) => list.split(' ').filter((child) => child !== ''));
}

function readProc(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
