/** Changes that look like the branch's and are another's: twins of a place, side branches that took them back, moves. */
import { describe } from 'vitest';
import { ALPHA, type Repository } from '../support/repository.ts';
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

  scenario('does not hide the place itself', { topic: goes('squash-merged', 'absorbed') }, (r) => {
    settings(r);
    r.branch('topic');
    r.change(INI, 7, 'host = c');
    r.toMain();
    r.insert(INI, 8, '[staging]', 'host = a', 'time = 10');
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
