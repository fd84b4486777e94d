/** Branches without a commit of their own, and commits without a change. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ALPHA, BETA } from '../support/repository.ts';
import { also, goes, scenario, stays } from '../support/scenario.ts';

describe('a branch without a commit of its own', () => {
  scenario('at the tip of main', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
  });

  scenario('behind main', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.change(BETA, 5, 'main');
  });

  scenario('in a worktree of its own', { topic: also(stays('no-own-commits'), 'checked-out') }, (r) => {
    r.worktree('desk', 'main', '-b', 'topic');
  });

  scenario('that follows main by fast-forwards', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.fastForward('main');
  });

  scenario('that was reset to main', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.git('reset', '--quiet', '--hard', 'main');
  });

  scenario('that was rebased onto main', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.rebase('main');
  });

  scenario('pushed, so that work can begin on it', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.track('topic');
    r.change(BETA, 5, 'main');
  });

  scenario('pushed, and gone on the remote', { topic: stays('no-own-commits') }, (r) => {
    r.git('branch', 'topic');
    r.gone('topic');
    r.change(BETA, 5, 'main');
  });

  scenario('at a commit that main merged as a side branch', { again: goes('ancestor') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.merge('topic');
    r.git('branch', 'again', 'topic');
  });
});

describe('without a reflog', () => {
  scenario('a fast-forward cannot be told from a new branch', { topic: stays('no-own-commits') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.fastForward('topic');
    rmSync(join(r.work, '.git', 'logs'), { recursive: true });
  });

  scenario('a side branch of a true merge was merged', { topic: goes('ancestor') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.merge('topic');
    rmSync(join(r.work, '.git', 'logs'), { recursive: true });
  });

  scenario('a squash is a squash', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.squash('topic');
    rmSync(join(r.work, '.git', 'logs'), { recursive: true });
  });
});

describe('commits without a change', () => {
  scenario('are all that the branch has', { topic: stays('net-zero') }, (r) => {
    r.branch('topic');
    r.commitStaged('wake the builders');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('among others that were squashed', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.commitStaged('wake the builders');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('on both sides match nothing', { topic: stays('net-zero') }, (r) => {
    r.branch('topic');
    r.commitStaged('wake the builders');
    r.toMain();
    r.commitStaged('wake the builders');
    r.track('topic');
  });

  scenario('in pairs that undo each other', { topic: stays('net-zero') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.revert();
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('in pairs that undo each other, with main taken in between', { topic: stays('net-zero') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    const one = r.id('HEAD');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.merge('main');
    r.revert(one);
    expect(r.git('diff', '--name-only', 'main', 'topic')).toBe('');
    r.track('topic');
  });
});
