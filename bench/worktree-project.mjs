/**
 * A project with a remote, whose finished branches lie in linked worktrees: main moves on meanwhile, and what becomes of
 * a branch (its story) and how it lands are chosen for each. The same seed gives the same commits.
 *
 * DIR/origin.git, DIR/library.git  the remotes of the project and of its submodule
 * DIR/forge                       a clone in which branches are landed, as a forge does
 * DIR/work                        the main checkout
 * DIR/trees                       the linked worktrees
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MODULES = 64;
const IGNORED = `node_modules dist .next coverage target .vite .turbo .venv __pycache__ .*_cache .env* !.env.example
  .DS_Store .idea/workspace.xml *.swp *.tsbuildinfo .eslintcache *.log logs/ /local/ .claude/settings.local.json`
  .trim()
  .split(/\s+/);
const IDENTITY = { name: 'Bench', email: 'bench@example.org' };

export function put(folder, path, text = '') {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

export class Project {
  #env;
  #random;
  #words;
  #clock = 1_700_000_000;
  #serial = 0;

  constructor({ dir, env, random, words }) {
    this.dir = dir;
    this.work = join(dir, 'work');
    this.forge = join(dir, 'forge');
    this.#env = env;
    this.#random = random;
    this.#words = words;
  }

  /** Runs git in a folder; each command is a while later than the one before. `mayFail`: its status does not matter. */
  git(cwd, args, { mayFail = false, input } = {}) {
    this.#clock += 97;
    const date = `${this.#clock} +0000`;
    const env = { ...this.#env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_EDITOR: 'true' };
    for (const role of ['AUTHOR', 'COMMITTER']) {
      env[`GIT_${role}_NAME`] = IDENTITY.name;
      env[`GIT_${role}_EMAIL`] = IDENTITY.email;
    }
    const settings = ['-c', 'core.fsync=none', '-c', 'protocol.file.allow=always', '-c', 'gc.auto=0'];
    const result = spawnSync('git', [...settings, ...args], { cwd, env, input, encoding: 'utf8' });
    if (result.status !== 0 && !mayFail) throw new Error(`git ${args.join(' ')}: ${result.error ?? result.stderr}`);
    return result.stdout.trim();
  }

  /** The first commit, the remotes and the main checkout. */
  start() {
    for (const name of ['library', 'origin']) {
      this.git('/', ['init', '-q', '--bare', '-b', 'main', join(this.dir, `${name}.git`)]);
      const clone = name === 'origin' ? this.forge : join(this.dir, name);
      this.git('/', ['clone', '-q', join(this.dir, `${name}.git`), clone], { mayFail: true });
      this.git(clone, ['switch', '-q', '-C', 'main'], { mayFail: true });
      if (name === 'origin') this.#writeFirst();
      else for (const file of ['lib.ts', 'more/util.ts']) put(clone, file, this.#text(30));
      this.commit(clone, 'Begin');
      this.git(clone, ['push', '-q', 'origin', 'main']);
    }
    this.git('/', ['clone', '-q', join(this.dir, 'origin.git'), this.work]);
    for (const [key, value] of Object.entries(IDENTITY)) this.git(this.work, ['config', `user.${key}`, value]);
    put(this.work, '.env', 'DATABASE_URL=postgres://localhost/app\nTOKEN=0123456789\n');
    put(this.work, '.env.local', 'PORT=4100\n');
    put(this.work, 'node_modules/left/index.js', 'module.exports = 1;\n');
  }

  #writeFirst() {
    const { forge } = this;
    put(forge, '.gitignore', `${IGNORED.join('\n')}\n`);
    put(forge, 'package.json', '{ "name": "app", "workspaces": ["packages/*"] }\n');
    put(forge, 'package-lock.json', '{ "lockfileVersion": 3 }\n');
    put(forge, 'packages/web/package.json', '{ "name": "web" }\n');
    put(forge, 'Cargo.toml', '[workspace]\nmembers = ["crates/core"]\n');
    put(forge, 'services/api/pyproject.toml', '[project]\nname = "api"\n');
    put(forge, '.env.example', 'DATABASE_URL=\n');
    put(forge, '.idea/modules.xml', '<project/>\n');
    for (let at = 0; at < MODULES; at += 1) put(forge, moduleName(at), this.#text(this.#random.between(40, 160)));
    for (const file of ['app/main.py', 'app/store.py', 'tests/test_main.py']) {
      put(forge, `services/api/${file}`, this.#text(40));
    }
    for (const file of ['crates/core/src/lib.rs', 'packages/web/pages/index.tsx']) put(forge, file, this.#text(40));
    this.git(forge, ['submodule', '--quiet', 'add', '../library.git', 'libs/library']);
  }

  /** A worktree with a branch of its own, from what was last fetched. */
  open(branch) {
    const path = join(this.dir, 'trees', branch.replaceAll('/', '-'));
    this.git(this.work, ['worktree', 'add', '-q', '--no-track', '-b', branch, path, 'origin/main']);
    return { branch, path, start: this.git(path, ['rev-parse', 'HEAD']) };
  }

  /** Commits all there is in a folder. */
  commit(folder, message, ...flags) {
    this.git(folder, ['add', '--all', '.']);
    this.git(folder, ['commit', '-q', ...flags, '-m', message]);
  }

  /** An edit near the top of one of the branch's own modules, and now and then a new file. */
  edit(folder, owner) {
    this.#serial += 1;
    const file = join(folder, moduleName((owner * 2 + this.#random.below(2)) % MODULES));
    const lines = readFileSync(file, 'utf8').split('\n');
    lines.splice(
      this.#random.between(3, 12),
      this.#random.below(3),
      ...this.#text(this.#random.between(1, 8)).split('\n'),
    );
    writeFileSync(file, lines.join('\n'));
    if (this.#random.chance(0.3)) put(folder, `src/new/part-${this.#serial}.ts`, this.#text(25));
  }

  addCommit(folder, owner, message = this.#words.subject(), ...flags) {
    this.edit(folder, owner);
    this.commit(folder, message, ...flags);
  }

  /** Main goes on: at the ends of files that branches edit at their tops. */
  mainMoves() {
    for (let count = this.#random.between(1, 2); count > 0; count -= 1) {
      appendFileSync(join(this.forge, moduleName(this.#random.below(MODULES))), this.#text(this.#random.between(1, 6)));
      this.commit(this.forge, this.#words.subject());
    }
    this.git(this.forge, ['push', '-q', 'origin', 'main']);
    this.fetch();
  }

  fetch() {
    this.git(this.work, ['fetch', '-q', '--prune', 'origin']);
  }

  /** Lands a branch on the remote's main, which then forgets the branch, or not. */
  land({ branch, path }, how) {
    const { forge } = this;
    this.#serial += 1;
    this.git(path, ['push', '-q', '--force', '-u', 'origin', branch]);
    this.git(forge, ['fetch', '-q', 'origin']);
    const tip = `origin/${branch}`;
    if (how === 'squash') {
      this.git(forge, ['merge', '-q', '--squash', tip]);
      this.git(forge, ['commit', '-q', '-m', `${this.#words.subject()} (#${this.#serial})`]);
    } else if (how === 'merge') {
      this.git(forge, ['merge', '-q', '--no-ff', '-m', `Merge pull request #${this.#serial}`, tip]);
    } else {
      this.git(forge, ['cherry-pick', `main..${tip}`]);
    }
    const forget = this.#random.chance(0.7) ? [`:${branch}`] : [];
    this.git(forge, ['push', '-q', 'origin', 'main', ...forget]);
  }

  /** The main checkout follows. */
  end() {
    this.fetch();
    this.git(this.work, ['merge', '-q', '--ff-only', 'origin/main']);
    rmSync(join(this.dir, 'library'), { recursive: true, force: true });
  }

  #text(lines) {
    return `${Array.from({ length: lines }, () => this.#words.line()).join('\n')}\n`;
  }
}

function moduleName(at) {
  return `src/area-${at % 8}/module-${at}.ts`;
}
