/**
 * The programs that are measured side by side. Each is `{ id, title, command, env, place, needsFirstRun, verdict }`:
 *
 * place    `shared`: it changes nothing, and runs in the generated clone; `own`: in one copy that belongs to it;
 *          `fresh`: it deletes, and runs in a new copy each time
 * needsFirstRun  it runs once before anything is measured
 * verdict  from a finished run to `{ merged: Set of branch names, rows }`; null for one that judges nothing
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const NPM_PEER = 'git-delete-squashed';
const NPM_PEER_VERSION = '1.0.4';

/** Start-up of node and of git: what nobody can be quicker than. */
export function floors() {
  const format = '--format=%(refname)%00%(objectname)%00%(upstream)';
  return [
    { id: 'node', title: '`node -e 0`', command: [process.execPath, '-e', '0'], place: 'shared', verdict: null },
    {
      id: 'refs',
      title: '`git for-each-ref`',
      command: ['git', 'for-each-ref', format],
      place: 'shared',
      verdict: null,
    },
    {
      id: 'merged',
      title: '`git branch --merged`',
      command: ['git', 'branch', '--merged', 'main', '--format=%(refname:lstrip=2)'],
      place: 'shared',
      verdict: ({ stdout }) => namesOf(stdout.split('\n')),
    },
  ];
}

export function coppice({ cli, temp }) {
  const command = [process.execPath, cli, 'sweep', '--json', '--no-fetch', '--offline'];
  const caches = join(temp, 'caches');
  let serial = 0;
  const cacheFor = (name) => {
    const folder = join(caches, name);
    mkdirSync(folder, { recursive: true });
    return { COPPICE_CACHE: folder };
  };
  const base = { command, place: 'shared', verdict: coppiceVerdict, isCoppice: true };
  return [
    { ...base, id: 'coppice', title: 'coppice, no cache', env: () => ({ COPPICE_CACHE: 'off' }) },
    {
      ...base,
      id: 'coppice-first',
      title: 'coppice, empty cache',
      env() {
        serial += 1;
        return cacheFor(`first-${serial}`);
      },
    },
    {
      ...base,
      id: 'coppice-cached',
      title: 'coppice, cached',
      env: ({ label }) => cacheFor(`again-${label}`),
      needsFirstRun: true,
    },
  ];
}

function coppiceVerdict({ code, signal, stdout, stderr }) {
  const fault = () => new Error(`coppice ended with ${signal ?? code}: ${(stderr || stdout).slice(0, 500)}`);
  if (code !== 0 && code !== 1) throw fault();
  let document;
  try {
    document = JSON.parse(stdout);
  } catch {
    throw fault();
  }
  const rows = new Map(document.rows.filter(({ kind }) => kind === 'branch').map((row) => [row.name, row]));
  const merged = new Set([...rows.values()].filter(({ action }) => action === 'delete').map(({ name }) => name));
  return { merged, rows };
}

/** The other tools that are here, and a line for each that is not. */
export function peers({ env, callersEnv, temp }) {
  const found = [];
  const missing = [];
  const dmb = versionOf(['git-dmb', '--version'], env);
  if (dmb === null) missing.push('git-delete-merged-branches is not installed (`git-dmb`)');
  else for (const effort of [1, 2, 3]) found.push(dmbTool(dmb, effort));

  if (isInPath('git-delete-squashed-branches', env)) {
    found.push({
      id: 'extras',
      title: 'git-extras delete-squashed',
      command: ['git-delete-squashed-branches', 'main'],
      place: 'fresh',
      verdict: deletedBranches,
    });
  } else missing.push('git-extras is not installed (`git-delete-squashed-branches`)');

  const program = installNpmPeer(temp, callersEnv);
  if (program === null) missing.push(`npm install ${NPM_PEER}@${NPM_PEER_VERSION} failed`);
  else {
    found.push({
      id: 'npm',
      title: `${NPM_PEER} ${NPM_PEER_VERSION} (npm)`,
      command: [process.execPath, program, 'main'],
      place: 'fresh',
      verdict: deletedBranches,
    });
  }
  return { found, missing };
}

/** It asks for the required branches at its first use, unless its settings say that it has. They are given for one run. */
function dmbTool(version, effort) {
  const settings = { 'delete-merged-branches.configured': '5.0.0+', 'branch.main.dmb-required': 'true' };
  const env = { NO_COLOR: '1', GIT_CONFIG_COUNT: String(Object.keys(settings).length) };
  for (const [index, [key, value]] of Object.entries(settings).entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return {
    id: `dmb${effort}`,
    title: `git-delete-merged-branches ${version}, effort ${effort}`,
    command: ['git-dmb', '--dry-run', '--yes', '--verbose', '--effort', String(effort)],
    env: () => env,
    place: 'own', // Effort 3 writes commits, also in a dry run.
    verdict({ code, stderr }) {
      if (code !== 0) throw new Error(`git-dmb ended with ${code}: ${stderr.slice(-500)}`);
      const deletions = stderr.split('\n').filter((line) => line.startsWith('# git branch --delete '));
      const words = deletions.flatMap((line) => line.slice(2).split('  # ')[0].split(' ').slice(3));
      return namesOf(words.filter((word) => !word.startsWith('-')));
    },
  };
}

function deletedBranches({ code, stderr, before, after }) {
  const left = new Set(after);
  const deleted = before.filter((name) => !left.has(name));
  // The one from npm ends with 0 also when it fails.
  if (code !== 0 || (deleted.length === 0 && stderr !== ''))
    throw new Error(`ended with ${code}: ${stderr.slice(-500)}`);
  return namesOf(deleted);
}

function namesOf(names) {
  return { merged: new Set(names.filter((name) => name !== '' && name !== 'main')) };
}

function versionOf([program, ...args], env) {
  const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
  return status === 0 ? (/\d+(\.\d+)+/.exec(stdout)?.[0] ?? '?') : null;
}

function isInPath(program, env) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { env, stdio: 'ignore' }).status === 0;
}

/** Installed with the user's own settings of npm, which may name a registry. */
function installNpmPeer(temp, callersEnv) {
  const folder = join(temp, 'npm');
  mkdirSync(folder);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  const { status } = spawnSync('npm', [...args, '--prefix', folder, `${NPM_PEER}@${NPM_PEER_VERSION}`], {
    cwd: folder,
    env: callersEnv,
    stdio: 'ignore',
  });
  return status === 0 ? join(folder, 'node_modules', NPM_PEER, 'bin', `${NPM_PEER}.js`) : null;
}
