/** What tools, editors and people leave in a worktree without committing it. All of it is ignored. */
import { copyFileSync, lstatSync, lutimesSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { put } from './worktree-project.mjs';

const TAG = 'Signature: 8a477f597d28d172789f06886806bc55\n# made by a tool\n';
const DAY = 86_400;

/** How often each is found, and what makes it. */
const PARTS = {
  node_modules: [0.85, (tree, random) => nodeModules(tree, random.between(150, 300))],
  'node_modules of a workspace': [0.4, (tree) => nodeModules(join(tree, 'packages/web'), 20)],
  dist: [0.6, (tree, random) => files(tree, 'dist', ['js', 'js.map', 'd.ts'], random.between(5, 40))],
  '.next': [0.4, (tree) => files(tree, 'packages/web/.next', ['js', 'json', 'rsc', 'pack'], 60)],
  coverage: [0.4, (tree) => files(tree, 'coverage/lcov-report', ['html'], 30)],
  target: [0.35, (tree) => target(tree)],
  '.venv': [0.4, (tree) => virtualEnvironment(join(tree, 'services/api/.venv'))],
  __pycache__: [0.5, (tree) => pythonCaches(join(tree, 'services/api'))],
  '.env': [0.8, (tree, _random, main) => copies(tree, main)],
  editor: [0.7, (tree) => editor(tree)],
  'tool state': [0.6, (tree) => toolState(tree)],
  logs: [0.5, (tree, random) => logs(tree, random)],
  agent: [
    0.4,
    (tree) => put(tree, '.claude/settings.local.json', '{ "permissions": { "allow": ["Bash(npm test:*)"] } }\n'),
  ],
};

/** @param main the main checkout, for files that are copied from it. Returns the names of the parts. */
export function litter(tree, random, main) {
  const made = Object.entries(PARTS).filter(([, [share]]) => random.chance(share));
  for (const [, [, make]] of made) make(tree, random, main);
  return made.map(([name]) => name);
}

function nodeModules(folder, count) {
  const top = join(folder, 'node_modules');
  for (let at = 0; at < count; at += 1) {
    const name = at % 6 === 0 ? `@scope/part-${at % 30}` : `part-${at % 30}`;
    put(top, `${name}/lib/file-${at}.js`, `exports.at = ${at};\n`);
    if (at < 30) put(top, `${name}/package.json`, '{}\n');
  }
  put(top, '.package-lock.json', '{}\n');
  for (const file of ['babel-loader/a1.json', 'terser/content-v2/sha512/00/aa']) put(top, `.cache/${file}`, '{}\n');
  put(top, '.vite/deps/_metadata.json', '{}\n');
  put(top, 'part-1/node_modules/part-2/index.js', '\n');
  mkdirSync(join(top, '.bin'), { recursive: true });
  for (let at = 1; at < 6; at += 1) link(`../part-${at}/lib/file-${at}.js`, join(top, '.bin', `part-${at}`));
}

function files(tree, folder, suffixes, count) {
  for (let at = 0; at < count; at += 1) {
    put(tree, `${folder}/chunk-${at % 4}/out-${at}.${suffixes[at % suffixes.length]}`, `// ${at}\n`);
  }
}

function target(tree) {
  put(tree, 'target/CACHEDIR.TAG', TAG);
  put(tree, 'target/.rustc_info.json', '{}\n');
  for (const folder of ['deps', 'incremental/core-1x2y', '.fingerprint/core-77']) {
    files(tree, `target/debug/${folder}`, ['d', 'rlib', 'rmeta', 'o'], 12);
  }
}

function virtualEnvironment(venv) {
  put(venv, 'pyvenv.cfg', 'home = /usr/bin\nversion = 3.12.3\n');
  put(venv, 'bin/activate', '# shell\n');
  link('/usr/bin/python3', join(venv, 'bin/python'));
  link('lib', join(venv, 'lib64'));
  for (let at = 0; at < 60; at += 1) {
    const package_ = `lib/python3.12/site-packages/package_${at % 10}`;
    put(venv, `${package_}/mod_${at}.py`, 'x = 1\n');
    put(venv, `${package_}/__pycache__/mod_${at}.cpython-312.pyc`, 'pyc');
  }
}

function pythonCaches(api) {
  for (const file of ['app/__pycache__/main', 'app/__pycache__/store', 'tests/__pycache__/test_main']) {
    put(api, `${file}.cpython-312.pyc`, 'pyc');
  }
  for (const name of ['.pytest_cache', '.mypy_cache', '.ruff_cache']) {
    put(api, `${name}/CACHEDIR.TAG`, TAG);
    put(api, `${name}/.gitignore`, '*\n');
    put(api, `${name}/v/cache/lastfailed`, '{}\n');
  }
}

function copies(tree, main) {
  for (const file of ['.env', '.env.local']) copyFileSync(join(main, file), join(tree, file));
}

function editor(tree) {
  for (const file of ['.DS_Store', 'src/.DS_Store']) put(tree, file, 'Bud1');
  put(tree, '.idea/workspace.xml', '<project version="4"/>\n');
  put(tree, 'src/.module-1.ts.swp', 'b0VIM');
}

function toolState(tree) {
  for (const file of ['tsconfig.tsbuildinfo', 'packages/web/tsconfig.tsbuildinfo', '.eslintcache'])
    put(tree, file, '{}\n');
}

function logs(tree, random) {
  for (const file of ['npm-debug.log', 'logs/dev.log', 'logs/test.log']) {
    put(tree, file, 'GET / 200\n'.repeat(random.between(100, 20_000)));
  }
}

function link(to, path) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
}

/** A large file without blocks. */
export function large(tree, path, megabytes = 20) {
  truncateSync(put(tree, path), megabytes * 2 ** 20);
}

/** More that is found in real worktrees, in the size it has there, each alone in a worktree. */
export const MORE_LITTER = {
  'node_modules linked to that of main': (tree, main) => link(join(main, 'node_modules'), join(tree, 'node_modules')),
  'test-results of Playwright': (tree) => beside(tree, 'playwright.config.ts', 'test-results/login/trace.zip'),
  '.nx cache beside nx.json': (tree) => beside(tree, 'nx.json', '.nx/cache/1/out'),
  '.terraform beside its lock file': (tree) => beside(tree, '.terraform.lock.hcl', '.terraform/providers/aws'),
  'Pods beside Podfile.lock': (tree) => beside(tree, 'Podfile.lock', 'Pods/Big/big.a'),
  'vendor of Go, with modules.txt': (tree) => {
    beside(tree, 'go.mod', 'vendor/example.org/big/big.go');
    put(tree, 'local/vendor/modules.txt', '# example.org/big v1.0.0\n');
  },
  'vendor/bundle beside Gemfile.lock': (tree) => beside(tree, 'Gemfile.lock', 'vendor/bundle/ruby/3.3.0/big.so'),
  '.yarn/cache beside yarn.lock': (tree) => beside(tree, 'yarn.lock', '.yarn/cache/big.zip'),
  '.pixi/envs beside pixi.lock': (tree) => beside(tree, 'pixi.lock', '.pixi/envs/default/conda-meta/history'),
  '.vercel/output beside package.json': (tree) => beside(tree, 'package.json', '.vercel/output/functions/a.func'),
  '.expo beside package.json': (tree) => beside(tree, 'package.json', '.expo/web/cache/big'),
  '.cxx beside build.gradle': (tree) => beside(tree, 'build.gradle', '.cxx/Debug/big.o'),
  'elm-stuff beside elm.json': (tree) => beside(tree, 'elm.json', 'elm-stuff/0.19.1/d.dat'),
  '.pytest_cache without a manifest': (tree) => tagged(tree, '.pytest_cache'),
  'a large cache folder with an old CACHEDIR.TAG': (tree) => {
    tagged(tree, '.tool_cache');
    large(tree, 'local/.tool_cache/v/big');
  },
  'a build folder of CMake with fetched sources': (tree, _main, project) => {
    beside(tree, 'CMakeLists.txt', 'build/lib.a');
    put(tree, 'local/build/CMakeCache.txt', '# CMake\n');
    project.git(tree, ['clone', '-q', join(project.dir, 'library.git'), 'local/build/_deps/library-src']);
  },
  'a log of 40 MB': (tree) => large(tree, 'logs/worker.log', 40),
  'a database of 30 MB': (tree) => large(tree, 'local/dev.sqlite3', 30),
  '1200 small screenshots': (tree) => files(tree, 'local/shots', ['png'], 1200),
};

/** In a folder that is ignored as a whole, so that only the rules for names decide. */
function beside(tree, mark, path) {
  put(tree, `local/${mark}`, '{}\n');
  large(tree, `local/${path}`);
}

function tagged(tree, name) {
  put(tree, `local/${name}/CACHEDIR.TAG`, TAG);
  put(tree, `local/${name}/v/lastfailed`, '{}\n');
}

/** Moves all times of a worktree into the past, and lets git see them. A tag is older than the rest of its cache. */
export function age(project, tree, random) {
  const start = Date.now() / 1000 - random.between(9, 40) * DAY;
  const gitDir = project.git(tree, ['rev-parse', '--absolute-git-dir']);
  const set = (path, isTag) => {
    const time = start + (isTag ? 0 : random.between(60, 3 * DAY));
    lutimesSync(path, time, time);
  };
  each(tree, (path, name) => set(path, name === 'CACHEDIR.TAG'));
  project.git(tree, ['update-index', '-q', '--refresh'], { mayFail: true });
  const end = start + 4 * DAY;
  each(gitDir, (path) => lutimesSync(path, end, end));
}

function each(folder, visit) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (lstatSync(path).isDirectory()) each(path, visit);
    visit(path, entry.name);
  }
}
