/** Work that a plain status does not show, or that only git's files about a worktree hold, beside what may go. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Repository } from '../support/repository.ts';
import { gitAt, type SlowBuild } from '../support/worktree.ts';
import { field, type States } from './field.ts';

/** Writes a file. */
const put =
  (...path: readonly string[]): SlowBuild =>
  (_r, desk) => {
    mkdirSync(join(desk, ...path, '..'), { recursive: true });
    writeFileSync(join(desk, ...path), `${desk}\n`);
  };

const edit = (_r: Repository, desk: string) => writeFileSync(join(desk, 'package.json'), `${desk}\n`);

/** What links lead to is beside the worktrees. */
function target(r: Repository): string {
  const at = join(r.places.root, 'target');
  if (!existsSync(at)) {
    mkdirSync(join(at, 'deep'), { recursive: true });
    writeFileSync(join(at, 'deep', 'file'), 'of somebody else\n');
    symlinkSync(at, join(r.places.root, 'chain'));
  }
  return at;
}

function linkTo(to: (r: Repository) => string): SlowBuild {
  return (r, desk) => {
    mkdirSync(join(desk, 'node_modules'));
    symlinkSync(to(r), join(desk, 'node_modules', 'link'));
  };
}

const UNCOMMITTED: States = {
  modified: ['stays', edit],
  staged: [
    'stays',
    (r, desk) => {
      edit(r, desk);
      gitAt(r, desk, 'add', 'package.json');
    },
  ],
  'staged, and taken back in the file': [
    'stays',
    (r, desk) => {
      edit(r, desk);
      gitAt(r, desk, 'add', 'package.json');
      writeFileSync(join(desk, 'package.json'), '{}\n');
    },
  ],
  untracked: ['stays', put('new.txt')],
  'untracked, and settings that hide it': [
    'stays',
    (r, desk) => {
      put('new.txt')(r, desk);
      r.git('config', 'status.showUntrackedFiles', 'no');
    },
  ],
  'hidden by assume-unchanged': [
    'stays',
    (r, desk) => {
      gitAt(r, desk, 'update-index', '--assume-unchanged', 'package.json');
      edit(r, desk);
    },
  ],
  'hidden by skip-worktree': [
    'stays',
    (r, desk) => {
      gitAt(r, desk, 'update-index', '--skip-worktree', 'package.json');
      edit(r, desk);
    },
  ],
  // Ignored: it waits in the trash, and a purge spares what nothing makes again.
  'hidden by exclude': [
    'goes',
    (r, desk) => {
      r.write('.git/info/exclude', ['local.sqlite', 'id_ed25519']);
      put('local.sqlite')(r, desk);
    },
  ],
  'a stash of it, and nothing else': [
    'maybe',
    (r, desk) => {
      edit(r, desk);
      gitAt(r, desk, 'stash', 'push', '--quiet');
    },
  ],
};

const BESIDE: States = {
  'an environment': ['goes', put('.env')],
  'notes in an ignored folder': ['goes', put('scratch', 'notes.md')],
  'what is made again': ['goes', put('node_modules', 'a', 'index.js')],
  'a clone in an ignored folder': [
    'stays',
    (r, desk) => {
      r.git('clone', '--quiet', r.origin, join(desk, 'scratch', 'clone'));
      gitAt(r, join(desk, 'scratch', 'clone'), 'commit', '--quiet', '--allow-empty', '--message=only here');
    },
  ],
  'a clone in what is made again': [
    'stays',
    (r, desk) => {
      r.git('clone', '--quiet', r.origin, join(desk, 'node_modules', 'clone'));
      gitAt(r, join(desk, 'node_modules', 'clone'), 'commit', '--quiet', '--allow-empty', '--message=only here');
    },
  ],
  'a worktree in it': [
    'stays',
    (r, desk) => {
      const inner = join(desk, 'scratch', `inner-${basename(desk)}`);
      r.git('worktree', 'add', '--quiet', '--detach', inner, 'main');
      writeFileSync(join(inner, 'new.txt'), 'new\n');
    },
  ],
  'a link to a folder elsewhere': ['goes', linkTo(target)],
  'a link to a link to a folder elsewhere': ['goes', linkTo((r) => join(target(r), '..', 'chain'))],
  'a link to the main worktree': ['goes', linkTo((r) => r.work)],
  'a link to another worktree': ['goes', linkTo((r) => join(r.places.root, 'desk-0'))],
};

const HALF_DONE: States = {
  'a rebase that waits': [
    'stays',
    (r, desk) => {
      const env = { GIT_SEQUENCE_EDITOR: 'echo break >' };
      r.gitWith({ cwd: desk, env }, 'rebase', '--quiet', '--interactive', 'HEAD~1');
    },
  ],
  'a bisect': ['stays', (r, desk) => gitAt(r, desk, 'bisect', 'start')],
  'a merge that changes nothing, of what no branch has': [
    'stays',
    (r, desk) => {
      const other = gitAt(r, desk, 'commit-tree', '-p', 'HEAD', '-m', 'other', 'HEAD^{tree}');
      gitAt(r, desk, 'merge', '--quiet', '--no-commit', '--no-ff', '--strategy=ours', other);
    },
  ],
  'a private ref': [
    'goes',
    (r, desk) =>
      gitAt(r, desk, 'update-ref', 'refs/worktree/x', gitAt(r, desk, 'commit-tree', '-m', 'mine', 'HEAD^{tree}')),
  ],
  'a lock with a reason': ['stays', (r, desk) => r.git('worktree', 'lock', '--reason', 'usb disk', desk)],
  'a lock without one': ['stays', (r, desk) => r.git('worktree', 'lock', desk)],
};

field('work that is not committed', UNCOMMITTED);
field('work beside it, and beyond links', BESIDE);
field('work that is half done, and locks', HALF_DONE);
