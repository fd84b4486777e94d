/** Branches that came to main as one commit. */
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

function twoCommits(r: Repository, name = 'topic'): void {
  r.branch(name);
  r.change(ALPHA, 10, `${name} one`);
  r.change(ALPHA, 20, `${name} two`);
}

describe('a squash merge', () => {
  scenario('of two commits, with other work on main afterwards', { topic: goes('landed') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.squash('topic');
    r.change(BETA, 5, 'later');
    r.gone('topic');
  });

  scenario('of one commit, after other work on main', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'earlier');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('of a branch that was never pushed', { topic: goes('landed') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.squash('topic');
  });

  scenario('whose lines main rewrote afterwards', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 11, 'two');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 10, 'main knew better');
    r.gone('topic');
  });

  scenario('onto a file that main had changed close by', { topic: goes('squash-merged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.change(ALPHA, 12, 'main, close by');
    r.squash('topic');
    r.change(BETA, 5, 'later');
    r.gone('topic');
  });

  scenario('onto a moved file, and main rewrote the very lines later', { topic: goes('squash-merged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.insert(ALPHA, 0, 'a new first line', 'and a second');
    r.commit('a longer head');
    r.squash('topic');
    r.change(ALPHA, 12, 'main knew better');
    r.change(ALPHA, 22, 'here too');
    r.gone('topic');
  });

  scenario('onto a file in which main had deleted lines elsewhere', { topic: goes('squash-merged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.rewrite(ALPHA, (lines) => lines.slice(0, 30));
    r.commit('a shorter tail');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('with a conflict that was resolved to a third text is not proven', { topic: stays('unmerged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.change(ALPHA, 10, 'main one');
    const both = r.read(ALPHA).split('\n').slice(0, -1);
    r.squashResolved('topic', { [ALPHA]: both.with(9, 'main one and topic one').with(19, 'topic two') });
    r.gone('topic');
  });

  scenario('with a conflict that was resolved to the text of the branch', { topic: goes('landed') }, (r) => {
    twoCommits(r);
    const theirs = r.read(ALPHA);
    r.toMain();
    r.change(ALPHA, 10, 'main one');
    r.squashResolved('topic', { [ALPHA]: theirs });
    r.gone('topic');
  });

  scenario('with a conflict that was resolved to the text of main loses work', { topic: stays('unmerged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.change(ALPHA, 10, 'main one');
    const ours = r.read(ALPHA).split('\n').slice(0, -1);
    r.squashResolved('topic', { [ALPHA]: ours.with(19, 'topic two') });
    r.gone('topic');
  });

  scenario('with a file of the maintainer beside it', { topic: goes('landed') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.git('merge', '--quiet', '--squash', 'topic');
    r.edit(GAMMA, 7, 'a word about it');
    r.commit('topic (#1), documented');
    r.gone('topic');
  });

  scenario('with an edit of the maintainer in the same file', { topic: goes('absorbed') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.git('merge', '--quiet', '--squash', 'topic');
    r.edit(ALPHA, 33, 'mended on the way');
    r.commit('topic (#1), mended');
    r.gone('topic');
  });

  scenario('that left one of the files out', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 10, 'one');
    r.edit(BETA, 10, 'two');
    r.commit('both');
    r.toMain();
    r.git('merge', '--quiet', '--squash', 'topic');
    r.git('checkout', '--quiet', 'HEAD', '--', BETA);
    r.commit('topic (#1)');
    r.gone('topic');
  });

  scenario('of a branch that was continued and squashed again', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.squash('topic', 'topic (#1)');
    r.checkout('topic');
    r.change(ALPHA, 30, 'two');
    r.toMain();
    r.cherryPick('topic');
    r.gone('topic');
  });

  scenario('twice, each onto a moved file', { topic: goes('series-merged') }, (r) => {
    twoCommits(r);
    r.toMain();
    r.change(ALPHA, 1, 'main, above');
    r.squash('topic', 'topic (#1)');
    r.checkout('topic');
    r.change(ALPHA, 30, 'three');
    r.change(ALPHA, 32, 'four');
    r.toMain();
    r.change(ALPHA, 40, 'main, below');
    r.edit(ALPHA, 30, 'three');
    r.edit(ALPHA, 32, 'four');
    r.commit('topic (#2)');
    r.change(ALPHA, 32, 'main knew better');
    r.gone('topic');
  });

  scenario('of fixups that were folded', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'onne');
    r.edit(ALPHA, 10, 'one');
    r.commit('fixup! one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.edit(ALPHA, 10, 'one');
    r.commit('one');
    r.edit(ALPHA, 20, 'two');
    r.commit('two');
    r.gone('topic');
  });

  scenario('of fixups that were folded, onto a moved file', { topic: goes('series-merged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'onne');
    r.edit(ALPHA, 10, 'one');
    r.commit('fixup! one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.edit(ALPHA, 10, 'one');
    r.commit('one');
    r.edit(ALPHA, 20, 'two');
    r.commit('two');
    r.change(ALPHA, 10, 'main knew better');
    r.gone('topic');
  });
});

describe('a branch that took main in before it was squashed', () => {
  scenario('without a conflict', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.squash('topic');
    r.change(BETA, 5, 'later');
    r.gone('topic');
  });

  scenario('with a conflict that was resolved on the branch', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(ALPHA, 10, 'main');
    r.checkout('topic');
    r.mergeOpen('main');
    r.write(ALPHA, r.git('show', `main:${ALPHA}`).split('\n').with(9, 'one and main'));
    r.commit('Merge main');
    r.toMain();
    r.squash('topic');
    r.gone('topic');
  });

  scenario('twice, and main went on in the same file', { topic: goes('squash-merged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(ALPHA, 30, 'main one');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 35, 'main two');
    r.checkout('topic');
    r.merge('main');
    r.toMain();
    r.change(ALPHA, 1, 'main three');
    r.squash('topic');
    r.change(ALPHA, 20, 'main knew better');
    r.gone('topic');
  });

  scenario('and went on after the squash', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.squash('topic');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 20, 'two');
    r.track('topic');
  });

  scenario(
    'and took main in again after the squash, with nothing new',
    { topic: goes('landed', 'squash-merged', 'absorbed') },
    (r) => {
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.change(ALPHA, 20, 'two');
      r.toMain();
      r.squash('topic');
      r.change(BETA, 5, 'later');
      r.gone('topic');
      r.checkout('topic');
      r.merge('main');
    },
  );

  scenario('through a second branch of its own', { topic: goes('landed'), side: goes('absorbed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.branch('side');
    r.change(BETA, 10, 'aside');
    r.checkout('topic');
    r.change(ALPHA, 20, 'two');
    r.merge('side');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.squash('topic');
    r.gone('topic');
  });
});

describe('two branches with the same change', () => {
  scenario('are both on main when one of them was squashed', { one: goes('landed'), two: goes('landed') }, (r) => {
    for (const name of ['one', 'two']) {
      r.toMain();
      r.branch(name);
      r.edit(ALPHA, 10, 'the same');
      r.commit(`by ${name}`);
    }
    r.toMain();
    r.squash('one');
    r.track('two');
  });

  scenario('and one went further', { one: goes('landed'), two: stays('unmerged') }, (r) => {
    for (const name of ['one', 'two']) {
      r.toMain();
      r.branch(name);
      r.edit(ALPHA, 10, 'the same');
      r.commit(`by ${name}`);
    }
    r.change(BETA, 10, 'further');
    r.toMain();
    r.squash('one');
    r.track('two');
  });

  scenario('made by main itself, at its own time', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'what everybody wanted');
    r.toMain();
    r.change(ALPHA, 10, 'what everybody wanted');
    r.track('topic');
  });

  scenario('one of them merged truly', { one: goes('ancestor'), two: goes('landed') }, (r) => {
    for (const name of ['one', 'two']) {
      r.toMain();
      r.branch(name);
      r.edit(ALPHA, 10, 'the same');
      r.commit(`by ${name}`);
    }
    r.toMain();
    r.change(BETA, 5, 'main');
    r.merge('one');
  });
});
