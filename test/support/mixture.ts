/**
 * One repository with a bit of everything, for tests that ask whether something changes any verdict. Every branch is
 * one that some setting or other makes git show wrongly.
 */
import { afterAll } from 'vitest';
import { ALPHA, BETA, GAMMA, Repository, temporaryRepository } from './repository.ts';
import { goes, stays, type Verdicts } from './scenario.ts';

export const MIXTURE: Verdicts = {
  landed: goes('landed'),
  moved: goes('squash-merged'),
  rebased: goes('rebase-merged'),
  absorbed: goes('absorbed'),
  merged: goes('ancestor'),
  returns: goes('landed'),
  renamed: goes('landed'),
  fresh: stays('no-own-commits'),
  develop: stays('protected'),
  plain: stays('unmerged'),
  indent: stays('unmerged'),
  blanks: stays('unmerged'),
  mode: stays('unmerged'),
  rename: stays('unmerged'),
  evil: stays('unmerged'),
  half: stays('unmerged'),
  lock: stays('unmerged'),
  submodule: stays('unmerged'),
  binary: stays('unmerged'),
};

let built: Repository | null = null;

afterAll(() => {
  built?.remove();
  built = null;
});

/** A copy of it for one test; it is built once a test file. */
export function temporaryMixture(): Repository {
  if (built === null) {
    built = new Repository();
    buildMixture(built);
  }
  return temporaryRepository(built);
}

/** Builds it and publishes main. */
export function buildMixture(r: Repository): void {
  prepare(r);
  unmerged(r);
  r.toMain();
  r.git('branch', 'fresh');
  branch(r, 'moved', () => {
    r.change(ALPHA, 10, 'moved one');
    r.change(ALPHA, 20, 'moved two');
  });
  r.change(ALPHA, 30, 'main');
  r.squash('moved');
  r.change(ALPHA, 10, 'main knew better');
  branch(r, 'rebased', () => {
    r.change(BETA, 10, 'rebased one');
    r.change(BETA, 20, 'rebased two');
  });
  r.change(BETA, 30, 'main');
  r.rebaseMerge('rebased');
  r.change(BETA, 10, 'main knew better');
  branch(r, 'landed', () => r.change(GAMMA, 10, 'landed'));
  r.squash('landed');
  branch(r, 'merged', () => r.change(GAMMA, 15, 'merged'));
  r.merge('merged');
  r.git('branch', 'develop', 'merged');
  branch(r, 'returns', () => {
    r.write('returns.txt', 'one\r\ntwo\r\nthree \r\n');
    r.commit('with carriage returns');
  });
  r.squash('returns');
  branch(r, 'renamed', () => {
    r.git('mv', 'move.txt', 'moved.txt');
    r.commit('a rename');
  });
  r.squash('renamed');
  branch(r, 'absorbed', () => r.change(GAMMA, 20, 'absorbed'));
  r.edit(GAMMA, 20, 'absorbed');
  r.edit(GAMMA, 30, 'and more');
  r.commit('absorbed and more');
  r.publish();
}

function prepare(r: Repository): void {
  r.write('code.py', ['def f(x):', '    if x:', '        a()', 'b()', 'c()', 'd()']);
  r.write('blank.txt', ['a', 'b', 'c', 'd', 'e']);
  r.write(
    'lock.json',
    Array.from({ length: 20 }, (_, line) => `entry ${line}`),
  );
  r.write('tool.sh', ['#!/bin/sh', 'true']);
  r.write('move.txt', ['to be', 'moved', 'by a branch']);
  r.write('stay.txt', ['not to be', 'moved', 'by main']);
  r.write('data.bin', Uint8Array.from([0, 1, 2, 3]));
  r.git('add', '--all');
  r.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  r.commitStaged('a bit of everything');
  r.git('config', 'submodule.sub.ignore', 'all');
}

function unmerged(r: Repository): void {
  const simple = (name: string, change: () => void) => {
    branch(r, name, () => {
      change();
      r.git('add', '--all', '--', ':!sub');
      r.commitStaged(name);
    });
  };
  simple('plain', () => r.edit(GAMMA, 35, 'plain'));
  simple('indent', () => r.edit('code.py', 4, '        b()'));
  simple('blanks', () => r.write('blank.txt', 'a \r\nb\t\r\nc\r\n\r\nd\r\ne'));
  simple('mode', () => r.executable('tool.sh'));
  simple('rename', () => r.git('mv', 'stay.txt', 'stayed.txt'));
  simple('lock', () => r.edit('lock.json', 10, 'of the branch'));
  simple('binary', () => r.write('data.bin', Uint8Array.from([0, 1, 2, 3, 4])));
  simple('submodule', () => r.git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},sub`));
  simple('half', () => {
    r.edit(ALPHA, 35, 'half');
    r.edit(BETA, 35, 'the other half');
  });
  branch(r, 'evil', () => {});
  // What main does meanwhile: all but the same.
  r.edit('code.py', 4, '    b()');
  r.edit('lock.json', 10, 'of main');
  r.edit('tool.sh', 2, 'false');
  r.write('blank.txt', ['a', 'b  ', 'c', 'd', 'e']);
  r.edit(ALPHA, 35, 'half');
  r.git('add', '--all', '--', ':!sub');
  r.commitStaged('main meanwhile');
  r.git('checkout', '--quiet', 'evil');
  r.mergeOpen('main');
  r.edit(GAMMA, 38, 'done while merging');
  r.git('add', GAMMA);
  r.commitStaged('Merge main');
}

/** Makes a branch from main and comes back. */
function branch(r: Repository, name: string, work: () => void): void {
  r.git('checkout', '--quiet', '--force', 'main');
  r.branch(name);
  work();
  r.git('checkout', '--quiet', '--force', 'main');
}
