/** What a merge brought in and threw away, and what the base has only in an earlier form, proves nothing. */
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

/** Merges `branch` into main in name only, and deletes it. */
function mergeInName(r: Repository, branch: string): void {
  r.git('merge', '-q', '-s', 'ours', '-m', `merge ${branch}`, branch);
  r.git('branch', '-D', branch);
}

describe('a commit that a merge brought in and did not keep', () => {
  scenario('has the work beside what it did itself', { topic: stays('unmerged') }, (r) => {
    r.branch('other');
    r.edit(ALPHA, 5, 'work');
    r.change(ALPHA, 25, 'debug');
    const first = r.read(ALPHA);
    r.write(ALPHA, first.replace('debug', 'as before'));
    r.commit('without debug');
    const text = r.read(ALPHA);
    r.toMain();
    r.branch('topic');
    r.write(ALPHA, text);
    r.commit('the same');
    r.toMain();
    r.change(ALPHA, 29, 'main');
    mergeInName(r, 'other');
  });

  for (const how of ['by hand', 'by git'] as const) {
    scenario(`does not make again what was taken back ${how}`, { topic: stays('reverted-later') }, (r) => {
      const before = r.read(ALPHA);
      r.branch('topic');
      r.change(ALPHA, 5, 'work');
      r.toMain();
      r.branch('other');
      r.change(ALPHA, 5, 'work');
      r.toMain();
      r.squash('topic');
      if (how === 'by git') r.revert();
      else {
        r.write(ALPHA, before);
        r.commit('take it back');
      }
      r.change(ALPHA, 25, 'main');
      mergeInName(r, 'other');
    });
  }
});

describe('a branch that corrected itself after it was merged', () => {
  scenario('in another file', { topic: stays('unmerged') }, (r) => {
    const before = r.read(BETA);
    r.branch('topic');
    r.edit(BETA, 9, 'debug');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.squash('topic');
    r.checkout('topic');
    r.write(BETA, before);
    r.commit('no debug');
    r.toMain();
  });

  scenario('in the same file', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 5, 'work');
    const before = r.read(ALPHA);
    r.change(ALPHA, 15, 'debug');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 25, 'main');
    r.checkout('topic');
    r.write(ALPHA, before);
    r.commit('no debug');
    r.toMain();
  });

  scenario('and had merged main before', { topic: stays('unmerged') }, (r) => {
    const before = r.read(BETA);
    r.branch('topic');
    r.edit(BETA, 9, 'debug');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.checkout('topic');
    r.merge('main');
    r.toMain();
    r.squash('topic');
    r.checkout('topic');
    r.write(BETA, before);
    r.commit('no debug');
    r.toMain();
  });

  scenario('and had merged main before, which changed the same file', { topic: stays('unmerged') }, (r) => {
    const before = r.read(BETA).split('\n')[8] ?? '';
    r.branch('topic');
    r.edit(BETA, 9, 'debug');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.change(BETA, 35, 'main');
    r.checkout('topic');
    r.merge('main');
    r.toMain();
    r.squash('topic');
    r.change(BETA, 20, 'main');
    r.checkout('topic');
    r.change(BETA, 9, before);
    r.toMain();
  });

  scenario('whose debugging came with another branch that it merged', { topic: stays('unmerged') }, (r) => {
    const before = r.read(BETA);
    r.branch('helper');
    r.change(BETA, 9, 'debug');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 5, 'work');
    r.merge('helper');
    r.toMain();
    r.squash('topic');
    r.checkout('topic');
    r.write(BETA, before);
    r.commit('no debug');
    r.toMain();
  });

  scenario('is merged when main got all of it', { topic: goes('squash-merged') }, (r) => {
    const before = r.read(BETA).split('\n')[8] ?? '';
    r.branch('topic');
    r.change(BETA, 9, 'debug');
    r.toMain();
    r.change(BETA, 35, 'main');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 5, 'work');
    r.change(BETA, 20, 'more work');
    r.change(BETA, 9, before);
    r.toMain();
    r.change(BETA, 30, 'main again');
    r.squash('topic');
    r.change(BETA, 35, 'main once more');
  });
});
