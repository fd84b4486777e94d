/** Work that only a branch, a HEAD or a reflog holds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../support/repository.ts';
import { gitAt } from '../support/worktree.ts';
import { field, type States } from './field.ts';

/** Commits a file that is nowhere else. */
function commit(r: Repository, desk: string, file = 'only-here.txt', ...options: readonly string[]): void {
  writeFileSync(join(desk, file), `${desk} ${file}\n`);
  gitAt(r, desk, 'add', '--force', file);
  gitAt(r, desk, 'commit', '--quiet', `--message=${file}`, ...options);
}

const branchOf = (r: Repository, desk: string) => gitAt(r, desk, 'symbolic-ref', '--short', 'HEAD');

const push = (r: Repository, desk: string) =>
  void gitAt(r, desk, 'push', '--quiet', '--set-upstream', 'origin', branchOf(r, desk));

const drop = (r: Repository, desk: string) => void r.git('push', '--quiet', 'origin', '--delete', branchOf(r, desk));

const STATES: States = {
  'what went before': ['goes', () => {}],
  'one commit': ['stays', (r, desk) => commit(r, desk)],
  'two commits, the first of them by another name': [
    'stays',
    (r, desk) => {
      commit(r, desk, 'a', '--author=Somebody Else <else@example.org>');
      commit(r, desk, 'b');
    },
  ],
  'a commit of long ago': ['stays', (r, desk) => commit(r, desk, 'old', '--date=2001-01-01T00:00:00Z')],
  'a commit that says that it is merged': [
    'stays',
    (r, desk) => commit(r, desk, 'said', '--message=Merge pull request #1 from topic [gone]'),
  ],
  'a commit that its own upstream has': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      push(r, desk);
    },
  ],
  'a commit whose upstream is gone': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      push(r, desk);
      drop(r, desk);
    },
  ],
  'a commit that a local upstream has': [
    'maybe',
    (r, desk) => {
      commit(r, desk);
      r.git('branch', 'beside', branchOf(r, desk));
      gitAt(r, desk, 'branch', '--set-upstream-to=beside');
    },
  ],
  'a commit that a detached HEAD holds': [
    'branch goes',
    (r, desk) => {
      gitAt(r, desk, 'checkout', '--quiet', '--detach');
      commit(r, desk);
    },
  ],
  'a commit whose branch was deleted below it': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      r.git('update-ref', '-d', `refs/heads/${branchOf(r, desk)}`);
      gitAt(r, desk, 'update-ref', '--no-deref', 'HEAD', 'topic');
      commit(r, desk);
    },
  ],
  'a commit that a reset dropped': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      gitAt(r, desk, 'reset', '--quiet', '--hard', 'HEAD~1');
    },
  ],
  'a commit that was made while HEAD was detached': [
    'stays',
    (r, desk) => {
      const branch = branchOf(r, desk);
      gitAt(r, desk, 'checkout', '--quiet', '--detach');
      commit(r, desk);
      gitAt(r, desk, 'checkout', '--quiet', branch);
    },
  ],
  'a commit that a rename of the branch took along': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      gitAt(r, desk, 'branch', '-m', 'another-name');
    },
  ],
  'a history of its own': [
    'branch goes',
    (r, desk) => {
      gitAt(r, desk, 'checkout', '--quiet', '--orphan', 'island');
      gitAt(r, desk, 'commit', '--quiet', '--message=island');
    },
  ],
  'a commit without reflogs': [
    'stays',
    (r, desk) => {
      commit(r, desk);
      gitAt(r, desk, 'reflog', 'expire', '--expire=now', 'HEAD', branchOf(r, desk));
    },
  ],
  'an empty commit with notes in its message': [
    'maybe',
    (r, desk) => void gitAt(r, desk, 'commit', '--quiet', '--allow-empty', '--message=plan: what comes next'),
  ],
  'amended since it was merged, without a difference': [
    'maybe',
    (r, desk) => void gitAt(r, desk, 'commit', '--quiet', '--amend', '--message=other words'),
  ],
  'a commit that a tag holds': [
    'maybe',
    (r, desk) => {
      commit(r, desk);
      r.git('tag', 'kept', branchOf(r, desk));
    },
  ],
};

field('work that is committed, and nowhere else', STATES, { finish: (r) => r.git('pack-refs', '--all') });
