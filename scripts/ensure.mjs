/**
 * Makes the project ready before one of its scripts runs: the right Node, installed packages, a fresh build.
 *
 * Only Node's own modules are imported here, because the packages may not be there yet. Everything said goes to stderr:
 * stdout belongs to the program that is started afterwards.
 *
 * By hand: `node scripts/ensure.mjs` installs and builds, `node scripts/ensure.mjs --install` only installs.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const dist = join(root, 'dist');
const buildStamp = join(dist, '.stamp');
const modules = join(root, 'node_modules');
const installStamp = join(modules, '.coppice-stamp');
const lockFile = join(root, '.ensure.lock');
const LOCK_WAIT_MS = 10 * 60_000;
const FOREIGN_LOCK_MS = 15 * 60_000;

/** Says why in one line and ends the process; never with 1, which is an answer of coppice's own. */
export function fail(message) {
  process.stderr.write(`coppice: ${message}\n`);
  process.exit(2);
}

/** Installs what is missing. */
export async function ensureInstalled() {
  checkNode();
  if (isInstalled()) return;
  await withLock(() => {
    if (!isInstalled()) install();
  });
}

/** Installs what is missing and builds when any input changed since the last build. */
export async function ensureBuilt() {
  await ensureInstalled();
  if (isBuilt(inputsHash())) return;
  await withLock(() => buildUntilStable({ prune: false }));
}

/** Builds whatever the stamp says, and leaves nothing of earlier builds. */
export async function rebuild() {
  await ensureInstalled();
  await withLock(() => {
    rmSync(buildStamp, { force: true });
    return buildUntilStable({ prune: true });
  });
}

/**
 * The caller's environment without what `npm run` and git put into it: `npm_*`, the `node_modules/.bin` folders in
 * front of PATH (a package there could answer to the name of any program), and `GIT_*`, which would lead git elsewhere.
 */
export function callersEnv() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|GIT_)/.test(name)));
  if (process.env.npm_lifecycle_event !== undefined && env.PATH !== undefined) {
    const folders = env.PATH.split(':');
    const last = folders.findIndex((folder) => basename(folder) === 'node-gyp-bin');
    if (last !== -1) env.PATH = folders.slice(last + 1).join(':');
  }
  return env;
}

function checkNode() {
  const wanted = /(\d+)\.(\d+)/.exec(readJson(join(root, 'package.json')).engines.node);
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = [Number(wanted[1]), Number(wanted[2])];
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`Node ${wantedMajor}.${wantedMinor} or newer is needed, this is ${process.versions.node} (${process.execPath})`);
}

function isInstalled() {
  const key = installKey();
  if (readText(installStamp) === key) return true;
  if (!matchesLock()) return false;
  writeFileSync(installStamp, key);
  return true;
}

function installKey() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

/** Whether somebody's own `npm ci` or `npm install` already brought exactly what package-lock.json names. */
function matchesLock() {
  const hidden = readText(join(modules, '.package-lock.json'));
  if (hidden === null) return false;
  let present;
  try {
    present = JSON.parse(hidden).packages;
  } catch {
    return false; // Cut off while it was written: install again.
  }
  const { '': _project, ...wanted } = readJson(join(root, 'package-lock.json')).packages;
  if (Object.keys(present).some((path) => wanted[path] === undefined)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const found = present[path];
    if (found === undefined) return entry.optional === true && !isForThisMachine(entry);
    return (
      found.version === entry.version &&
      found.integrity === entry.integrity &&
      existsSync(join(root, path, 'package.json'))
    );
  });
}

/** An optional package for one kind of machine. Those for a C library are left to npm, which knows which one this is. */
function isForThisMachine({ os, cpu, libc }) {
  return libc === undefined && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true;
}

function install() {
  process.stderr.write('coppice: installing packages\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
  const execpath = process.env.npm_execpath ?? '';
  const [command, first] = execpath.endsWith('npm-cli.js') ? [process.execPath, [execpath]] : ['npm', []];
  const result = spawnSync(command, [...first, 'ci', ...options], {
    cwd: root,
    env: installEnv(),
    stdio: ['ignore', 2, 2],
  });
  if (result.error !== undefined) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) fail(`npm ci failed (${result.signal ?? `exit ${result.status}`})`);
  writeFileSync(installStamp, installKey());
}

/** Flags of an outer `npm --prefix X --omit=dev start` must not reach the inner `npm ci`. */
function installEnv() {
  const outer = /^npm_config_(prefix|local_prefix|omit|only|include|production|dry_run|workspaces?|global|location)$/i;
  const kept = Object.entries(process.env).filter(([name]) => !outer.test(name) && name !== 'NODE_ENV');
  return Object.fromEntries(kept);
}

/** One hash over everything that goes into dist. */
function inputsHash() {
  const hash = createHash('sha256');
  const single = ['scripts/build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
  for (const file of [...single, ...filesBelow('src')]) {
    const content = readBytes(join(root, file));
    hash.update(`${file}\0${content?.length ?? 'gone'}\0`).update(content ?? '');
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function isBuilt(hash) {
  const stamp = readStamp();
  return stamp?.hash === hash && stamp.files.every((file) => existsSync(join(dist, file)));
}

function readStamp() {
  const text = readText(buildStamp);
  if (text === null) return null;
  const [hash, ...files] = text.trimEnd().split('\n');
  return { hash, files };
}

/** Builds again when an input changed meanwhile, so that the stamp never speaks for more than was built. */
async function buildUntilStable(options) {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const hash = inputsHash();
    if (isBuilt(hash)) return;
    await build(hash, options);
    if (inputsHash() === hash) return;
  }
  fail('the sources change faster than they can be built');
}

async function build(hash, options) {
  // Not before: build.mjs needs the packages. What a killed build left behind goes, since its lock is ours now.
  const { bundle, publish } = await import('./build.mjs');
  for (const name of readdirSync(root)) {
    if (name.startsWith('dist.tmp-')) rmSync(join(root, name), { recursive: true });
  }
  const folder = `${dist}.tmp-${process.pid}`;
  let files;
  try {
    files = await bundle(folder, hash);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const [first] = String(error).split('\n');
    fail(`the build failed: ${first.replace(/:$/, '')}`);
  }
  publish({ from: folder, to: dist, files, hash, before: readStamp()?.files ?? [], prune: options.prune });
  rmSync(folder, { recursive: true });
}

/**
 * Runs `work` while no other process of this project installs or builds. The lock is a file that names its holder; one
 * whose holder is dead is taken over.
 */
async function withLock(work) {
  const mark = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}\n`;
  const started = Date.now();
  let told = false;
  while (!takeLock(mark)) {
    breakDeadLock();
    const waited = Date.now() - started;
    if (waited > LOCK_WAIT_MS) fail(`${lockFile} is held by another process (${readText(lockFile)?.trim()})`);
    if (waited > 2000 && !told) {
      process.stderr.write('coppice: waiting for another install or build\n');
      told = true;
    }
    await sleep(50);
  }
  const release = () => {
    if (readText(lockFile) === mark) unlinkSync(lockFile);
  };
  process.once('exit', release); // `fail` ends the process while it holds the lock.
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** A link appears with its content or not at all, so nobody ever reads a lock without its holder. */
function takeLock(mark) {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, mark);
  try {
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes a lock whose holder is dead. Only one process at a time may do so, and only the very lock that it judged. */
function breakDeadLock() {
  const content = readText(lockFile);
  if (content === null || isHeld(content)) return;
  const breaker = `${lockFile}.breaking`;
  try {
    writeFileSync(breaker, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (ageOf(breaker) > 10_000) rmSync(breaker, { force: true });
    return;
  }
  try {
    if (readText(lockFile) === content) unlinkSync(lockFile);
  } finally {
    rmSync(breaker, { force: true });
  }
}

function isHeld(content) {
  const [pid, host] = content.split(' ');
  if (host !== hostname()) return ageOf(lockFile) < FOREIGN_LOCK_MS;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function ageOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

function readBytes(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function readText(path) {
  return readBytes(path)?.toString('utf8') ?? null;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Whether a module of this folder is the one that node was started with. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

// Never awaited here: build.mjs imports this module, and would wait for it for ever.
if (isMain(import.meta.url)) void (process.argv.includes('--install') ? ensureInstalled() : ensureBuilt());
