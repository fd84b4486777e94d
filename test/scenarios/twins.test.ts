/** Changes that look like the branch's and are another's: twins of a place, side branches that took them back, moves. */
import { describe } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

const INI = 'settings.ini';

function settings(r: Repository): void {
  r.write(INI, ['# head', '1', '2', '3', '4', '[dev]', 'host = a', 'time = 10', '[prod]', 'host = b', 'time = 60']);
  r.commit('settings');
}

describe('the twin of a place', () => {
  scenario('below, changed by main alike, is not the place', { topic: stays('unmerged') }, (r) => {
    settings(r);
    r.branch('topic');
    r.change(INI, 8, 'time = 30');
    r.toMain();
    r.insert(INI, 8, '[staging]', 'host = a', 'time = 10');
    r.commit('add staging');
    r.change(INI, 11, 'time = 30');
  });

  scenario('above, changed by main alike, is not the place', { topic: stays('unmerged') }, (r) => {
    settings(r);
    r.branch('topic');
    r.change(INI, 7, 'host = c');
    r.toMain();
    r.insert(INI, 5, '[staging]', 'host = a', 'time = 10');
    r.commit('add staging');
    r.change(INI, 7, 'host = c');
  });

  scenario('cannot be told from the place, where the lines between are equal', { topic: stays('unmerged') }, (r) => {
    settings(r);
    r.branch('topic');
    r.change(INI, 7, 'host = c');
    r.toMain();
    r.insert(INI, 8, '[staging]', 'host = a', 'time = 10');
    r.commit('add staging');
    r.squash('topic');
  });
});

describe('a place beside its twin', () => {
  scenario('is told from it where their lines differ', { topic: goes('squash-merged') }, (r) => {
    settings(r);
    r.branch('topic');
    r.change(INI, 7, 'host = c');
    r.toMain();
    r.insert(INI, 8, '[staging]', 'host = z', 'time = 11');
    r.commit('add staging');
    r.squash('topic');
  });
});

describe('a side branch that main merged', () => {
  scenario('made the same change and took it back again, with another', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    const before = r.read(ALPHA).split('\n')[9] ?? '';
    r.change(ALPHA, 10, 'ten');
    r.toMain();
    r.branch('side');
    r.change(ALPHA, 10, 'ten');
    r.edit(ALPHA, 10, before);
    r.change(ALPHA, 2, 'two');
    r.toMain();
    r.write('other.txt', ['x']);
    r.commit('other');
    r.merge('side');
    r.git('branch', '-D', 'side');
  });
});

describe('a deleted file', () => {
  scenario('that main moved instead is not deleted there', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.delete(ALPHA);
    r.commit('drop it');
    r.toMain();
    r.git('mv', ALPHA, 'elsewhere.txt');
    r.commit('move it');
  });
});

describe('a squash of two files', () => {
  scenario('taken back file by file, with edits in between', { topic: stays('reverted-later') }, (r) => {
    const [alpha, beta] = [ALPHA, BETA].map((file) => r.read(file).split('\n')[4] ?? '');
    r.branch('topic');
    r.edit(ALPHA, 5, 'five');
    r.change(BETA, 5, 'five');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 5, alpha ?? '');
    r.change(ALPHA, 15, 'main');
    r.change(BETA, 5, beta ?? '');
  });

  scenario('taken back in one file only', { topic: goes('landed') }, (r) => {
    const alpha = r.read(ALPHA).split('\n')[4] ?? '';
    r.branch('topic');
    r.edit(ALPHA, 5, 'five');
    r.change(BETA, 5, 'five');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 5, alpha);
  });
});

describe('a commit that one branch dropped', () => {
  scenario(
    'and another holds that may go as well is held by none',
    { one: stays('reflog-commits'), two: goes('landed') },
    (r) => {
      r.branch('one');
      r.write('try', ['a']);
      r.commit('try');
      r.git('branch', 'two');
      r.git('reset', '--quiet', '--hard', 'main');
      r.write('other', ['a']);
      r.commit('other');
      r.checkout('two');
      r.write('try', ['better']);
      r.commit('better');
      r.toMain();
      r.squash('one');
      r.squash('two');
    },
  );
});
