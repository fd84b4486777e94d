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

/** `topic` goes back to `text` in a commit that main does not get. */
function correctLater(r: Repository, file: string, text: string): void {
  r.checkout('topic');
  r.write(file, text);
  r.commit('no debug');
  r.toMain();
}

/** `topic`: work with a line for debugging, and a second commit without that line. */
function workWithoutDebugging(r: Repository): void {
  const before = r.read(ALPHA);
  r.branch('topic');
  r.edit(BETA, 5, 'work');
  r.change(ALPHA, 5, 'debug');
  r.write(ALPHA, before);
  r.commit('no debug');
  r.toMain();
}

describe('a branch that corrected itself after it was merged', () => {
  scenario('in another file', { topic: stays('unmerged') }, (r) => {
    const before = r.read(BETA);
    r.branch('topic');
    r.edit(BETA, 9, 'debug');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.squash('topic');
    correctLater(r, BETA, before);
  });

  scenario('in the same file', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 5, 'work');
    const before = r.read(ALPHA);
    r.change(ALPHA, 15, 'debug');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 25, 'main');
    correctLater(r, ALPHA, before);
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
    correctLater(r, BETA, before);
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
    correctLater(r, BETA, before);
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

  scenario('and main took the earlier commit on its own, after the rest', { topic: stays('unmerged') }, (r) => {
    const before = r.read(ALPHA);
    r.branch('topic');
    r.change(BETA, 5, 'work');
    r.change(ALPHA, 5, 'debug');
    r.write(ALPHA, before);
    r.commit('no debug');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.cherryPick('topic~2');
    r.change(GAMMA, 15, 'main');
    r.cherryPick('topic~1');
  });

  scenario('in a series of which main lacks the correction', { topic: stays('unmerged', 'reverted-later') }, (r) => {
    const before = r.read(GAMMA);
    r.branch('topic');
    r.change(GAMMA, 5, 'debug');
    r.change(ALPHA, 5, 'work');
    r.write(GAMMA, before);
    r.commit('no debug');
    r.change(BETA, 5, 'more work');
    r.toMain();
    r.change(ALPHA, 15, 'main');
    for (const commit of ['topic~3', 'topic~2', 'topic']) r.cherryPick(commit);
  });

  scenario('and main had moved the file', { topic: stays('unmerged') }, (r) => {
    workWithoutDebugging(r);
    r.git('mv', ALPHA, 'wood/moved.txt');
    r.commit('a better name');
    r.cherryPick('topic~1');
  });

  scenario('and main has it beside an edit of its own', { topic: stays('unmerged') }, (r) => {
    workWithoutDebugging(r);
    r.change(ALPHA, 6, 'main');
    r.edit(BETA, 5, 'work');
    r.change(ALPHA, 5, 'debug');
  });

  scenario('and did so by several commits that main squashed', { topic: goes('squash-merged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 5, 'work');
    r.insert(ALPHA, 20, '', 'a new section', '');
    r.commit('a section');
    r.insert(ALPHA, 10, '');
    r.commit('a blank line');
    r.toMain();
    r.change(ALPHA, 38, 'main');
    r.squash('topic');
    r.change(ALPHA, 5, 'later work');
  });
});

describe('a true merge that did not keep the work', () => {
  scenario('because main took its own side', { topic: stays('reverted-later') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.git('merge', '-q', '-s', 'ours', '-m', 'merge topic', 'topic');
    r.change(BETA, 15, 'main');
  });

  scenario('because it was reverted on the way', { topic: stays('reverted-later') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 5, 'work');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.branch('integration');
    r.merge('topic');
    r.revert('topic');
    r.change(GAMMA, 5, 'integration');
    r.toMain();
    r.change(BETA, 15, 'main');
    r.merge('integration');
  });
});
