/** Branches whose commits came to main one by one, with new ids. */
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

function threeCommits(r: Repository): void {
  r.branch('topic');
  for (const line of [10, 20, 30]) r.change(ALPHA, line, `topic ${line}`);
}

describe('a rebase merge', () => {
  scenario('of three commits, and main goes on', { topic: goes('landed') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(BETA, 5, 'main');
    r.rebaseMerge('topic');
    r.change(BETA, 9, 'later');
    r.gone('topic');
  });

  scenario('whose lines main rewrote afterwards', { topic: goes('landed') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(BETA, 5, 'main');
    r.rebaseMerge('topic');
    r.change(ALPHA, 20, 'main knew better');
    r.gone('topic');
  });

  scenario('onto a file that main had changed', { topic: goes('rebase-merged') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(ALPHA, 5, 'main');
    r.rebaseMerge('topic');
    r.change(ALPHA, 20, 'main knew better');
    r.gone('topic');
  });

  scenario('with commits of others in between', { topic: goes('rebase-merged') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(ALPHA, 1, 'main');
    r.cherryPick('topic~2');
    r.change(ALPHA, 40, 'main again');
    r.cherryPick('topic~1', 'topic');
    r.change(ALPHA, 10, 'main knew better');
    r.gone('topic');
  });

  scenario('with the commit in the middle already on main', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(BETA, 10, 'two');
    r.change(ALPHA, 20, 'three');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.cherryPick('topic~1');
    r.change(GAMMA, 6, 'main');
    r.cherryPick('topic~2', 'topic');
    r.gone('topic');
  });

  scenario('in which empty commits were left behind', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.commitStaged('wake the builders');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.cherryPick('topic~2', 'topic');
    r.gone('topic');
  });

  scenario('in which one commit had a conflict is not proven', { topic: stays('unmerged') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(ALPHA, 20, 'main');
    r.cherryPick('topic~2');
    r.edit(ALPHA, 20, 'main and topic 20');
    r.commit('topic 20');
    r.cherryPick('topic');
    r.gone('topic');
  });

  scenario('in which one commit was dropped', { topic: stays('unmerged') }, (r) => {
    threeCommits(r);
    r.toMain();
    r.change(BETA, 5, 'main');
    r.cherryPick('topic~2', 'topic');
    r.track('topic');
  });

  scenario('of a branch that had taken main in', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 6, 'main');
    r.cherryPick('topic~2', 'topic');
    r.gone('topic');
  });
});

describe('cherry-picks', () => {
  scenario('of the first commit only', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(BETA, 20, 'two');
    r.toMain();
    r.change(GAMMA, 9, 'main');
    r.cherryPick('topic~1');
    r.track('topic');
  });

  scenario('of the last commit only', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 30, 'two');
    r.toMain();
    r.change(GAMMA, 9, 'main');
    r.cherryPick('topic');
    r.track('topic');
  });

  scenario('of all commits, in another order', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(BETA, 20, 'two');
    r.toMain();
    r.change(GAMMA, 9, 'main');
    r.cherryPick('topic');
    r.change(GAMMA, 12, 'main');
    r.cherryPick('topic~1');
    r.gone('topic');
  });

  scenario(
    'of all commits, in another order, in a file that main had changed',
    { topic: goes('absorbed', 'series-merged') },
    (r) => {
      threeCommits(r);
      r.toMain();
      r.change(ALPHA, 1, 'main');
      r.cherryPick('topic');
      r.cherryPick('topic~2');
      r.cherryPick('topic~1');
      r.gone('topic');
    },
  );

  scenario('of one commit twice do not stand for two', { topic: stays('unmerged') }, (r) => {
    r.write('list.txt', ['-', '-', '-', '-', '-', '-', '-', '-']);
    r.commit('a list');
    r.branch('topic');
    r.append('list.txt', '+\n');
    r.commit('one');
    r.append('list.txt', '+\n');
    r.commit('one more');
    r.toMain();
    r.append('list.txt', '+\n');
    r.commit('one');
    r.change(ALPHA, 5, 'main');
    r.track('topic');
  });
});
