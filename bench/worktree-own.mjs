/**
 * One thing of a worktree's own, which would be lost with it. Each names the hold that has to see it, and does it in a
 * worktree that is finished otherwise.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { large } from './worktree-litter.mjs';
import { put } from './worktree-project.mjs';

const FILE = 'services/api/app/store.py';
const LIB = 'libs/library';

/** title, code, and what is done, with the worktree's folder and git in it. */
export const OWN = [
  ['an untracked file', 'untracked', (at) => put(at, 'notes.md', 'mine\n')],
  ['an untracked file in a new folder', 'untracked', (at) => put(at, 'src/draft/idea.ts', 'mine\n')],
  ['an untracked file of no bytes', 'untracked', (at) => put(at, 'src/todo', '')],
  ['an edit', 'modified', (at) => appendFileSync(join(at, FILE), 'mine\n')],
  ['an edit of the same size and time', 'modified', (at) => sameSize(join(at, FILE))],
  ['a deleted file', 'modified', (at) => rmSync(join(at, FILE))],
  ['another mode', 'modified', (at) => chmodSync(join(at, FILE), 0o755)],
  ['a link in place of a file', 'modified', (at) => toLink(join(at, FILE))],
  ['a staged file', 'staged', (at, git) => git('add', '-f', relative(put(at, 'src/staged.ts', 'mine\n'), at))],
  ['a staged edit, undone in the files', 'staged', (at, git) => stagedOnly(at, git)],
  [
    'a file added with intent',
    /^(?:staged|modified)$/,
    (at, git) => git('add', '-N', relative(put(at, 'plan.md', 'x'), at)),
  ],
  ['an edit behind assume-unchanged', 'hidden-edits', (at, git) => flagged(at, git, '--assume-unchanged')],
  ['an edit behind skip-worktree', 'hidden-edits', (at, git) => flagged(at, git, '--skip-worktree')],
  ['a stash in a repository of its own', 'nested-repository', (at, git) => nested(at, git, 'logs/scratch', 'stash')],
  [
    'an unpushed commit in a clone in node_modules',
    'nested-repository',
    (at, git) => nested(at, git, 'node_modules/x'),
  ],
  ['a repository in build output', 'nested-repository', (at, git) => nested(at, git, 'dist/site')],
  [
    'a bare repository in an ignored folder',
    'nested-repository',
    (_at, git) => git('init', '-q', '--bare', 'logs/bare'),
  ],
  ['an unpushed commit in a submodule', 'submodule-commits', (at, git) => inLib(at, git, 'commit')],
  ['an untracked file in a submodule', 'submodule-commits', (at, git) => inLib(at, git, 'file')],
  ['a stash in a submodule', 'submodule-commits', (at, git) => inLib(at, git, 'stash')],
  ['a commit in a submodule that was taken out', 'submodule-commits', (at, git) => takenOut(at, git)],
  ['a commit that a reset left behind', 'reflog-commits', (at, git) => dropped(at, git)],
  ['a commit that a checkout left behind', 'reflog-commits', (at, git) => leftBehind(at, git)],
  ['one more commit', 'unmerged', (at, git) => commit(at, git)],
  ['a commit on a detached HEAD', 'detached-commits', (at, git) => detached(at, git)],
  ['a large ignored file', 'ignored-precious', (at) => large(at, 'local/model.bin')],
  ['1,100 ignored files', 'ignored-precious', (at) => many(at)],
  ['a large file in __pycache__', 'ignored-precious', (at) => large(at, 'src/__pycache__/weights.npy')],
  ['a large file in a dist without a manifest', 'ignored-precious', (at) => large(at, 'docs/dist/film.mp4')],
  ['a large file in a target without a manifest', 'ignored-precious', (at) => large(at, 'data/target/table.parquet')],
  ['a large .venv without pyvenv.cfg', 'ignored-precious', (at) => large(at, 'tools/.venv/data')],
  ['a large .env.bak', 'ignored-precious', (at) => large(at, '.env.bak')],
  ['a merge with conflicts', 'conflicted', (_at, git) => conflict(git)],
  [
    'a merge that was not ended',
    'operation-in-progress',
    (_at, git) => git('merge', '-q', '-s', 'ours', '--no-commit', 'origin/main'),
  ],
  [
    'a rebase that stopped',
    'operation-in-progress',
    (_at, git) => git('-c', 'sequence.editor=sed -i 1ibreak', 'rebase', '-q', '-i', 'HEAD~1'),
  ],
  ['a bisect', 'operation-in-progress', (_at, git) => git('bisect', 'start')],
  [
    'a lock on the index',
    'index-locked',
    (_at, git) => writeFileSync(git('rev-parse', '--git-path', 'index.lock'), ''),
  ],
  ['locked by hand', 'locked', (at, git) => git('worktree', 'lock', at)],
  ['another worktree in it', 'nested-worktree', (_at, git) => git('worktree', 'add', '-q', '--detach', 'logs/inner')],
  ['another worktree on the same branch', 'branch-elsewhere', (at, git) => twice(at, git)],
];

/** A commit needs something to commit; the file's name is its own each time. */
function commit(at, git, file = 'own.txt') {
  put(at, file, 'mine\n');
  git('add', '-f', file);
  git('commit', '-q', '-m', `own ${file}`);
}

function relative(file, folder) {
  return file.slice(folder.length + 1);
}

function sameSize(file) {
  const { atime, mtime } = lstatSync(file);
  const text = readFileSync(file, 'latin1');
  writeFileSync(
    file,
    text.replace(/[a-z]/, (letter) => (letter === 'x' ? 'y' : 'x')),
    'latin1',
  );
  utimesSync(file, atime, mtime);
}

function toLink(file) {
  rmSync(file);
  symlinkSync('elsewhere', file);
}

function stagedOnly(at, git) {
  const before = readFileSync(join(at, FILE));
  appendFileSync(join(at, FILE), 'mine\n');
  git('add', FILE);
  writeFileSync(join(at, FILE), before);
}

function flagged(at, git, flag) {
  git('update-index', flag, FILE);
  appendFileSync(join(at, FILE), 'mine\n');
}

function nested(at, git, folder, what = 'commit') {
  git('init', '-q', folder);
  const inner = (...args) => git('-C', folder, ...args);
  put(join(at, folder), 'a.txt', 'a\n');
  inner('add', '-f', 'a.txt');
  inner('commit', '-q', '-m', 'a');
  if (what !== 'stash') return;
  appendFileSync(join(at, folder, 'a.txt'), 'b\n');
  inner('stash', '-q');
}

function inLib(at, git, what) {
  if (!existsSync(join(at, LIB, '.git'))) git('submodule', '--quiet', 'update', '--init', LIB);
  const lib = join(at, LIB);
  const inner = (...args) => git('-C', LIB, ...args);
  if (what === 'commit') {
    commit(lib, inner);
    // So that the submodule is as recorded, and its own reflog alone has the commit.
    inner('checkout', '-q', '--detach', 'origin/main');
    return;
  }
  if (what === 'file') put(lib, 'mine.txt', 'mine\n');
  else {
    appendFileSync(join(lib, 'lib.ts'), 'mine\n');
    inner('stash', '-q');
  }
}

function takenOut(at, git) {
  inLib(at, git, 'commit');
  git('submodule', '--quiet', 'deinit', '-f', LIB);
}

function dropped(at, git) {
  commit(at, git);
  git('reset', '-q', '--hard', 'HEAD~1');
}

function leftBehind(at, git) {
  const branch = git('symbolic-ref', '--short', 'HEAD');
  detached(at, git);
  git('checkout', '-q', branch);
}

function detached(at, git) {
  git('checkout', '-q', '--detach');
  commit(at, git);
}

function many(at) {
  for (let count = 0; count < 1100; count += 1) put(at, `local/shots/${count}.png`, `${count}`);
}

/** Only in the index: no operation goes with it, as after a stash that did not apply. */
function conflict(git) {
  const blob = git('rev-parse', `HEAD:${FILE}`);
  const entries = [`0 ${'0'.repeat(40)}\t${FILE}`, ...[1, 2, 3].map((stage) => `100644 ${blob} ${stage}\t${FILE}`)];
  git.input(`${entries.join('\n')}\n`, 'update-index', '--index-info');
}

function twice(at, git) {
  git('worktree', 'add', '-q', '--force', `${at}-twin`, git('symbolic-ref', '--short', 'HEAD'));
}
