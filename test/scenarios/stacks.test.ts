/** Branches that were begun on other branches. */
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

/** main, with `parent` (two commits) and `child` (one or two more) on it; ends on main. */
function stack(r: Repository, childFile = BETA, childLines: readonly number[] = [10]): void {
  r.branch('parent');
  r.change(ALPHA, 10, 'parent one');
  r.change(ALPHA, 20, 'parent two');
  r.branch('child');
  for (const line of childLines) r.change(childFile, line, `child ${line}`);
  r.toMain();
}

/** Applies what `branch` has over `under`, as the squash of a stacked branch does. */
function squashOver(r: Repository, under: string, branch: string): void {
  const patch = r.gitWith({}, 'diff', '--binary', under, branch);
  r.gitWith({ input: patch }, 'apply', '--index', '--3way');
  r.commitStaged(`${branch} (#2)`);
}

describe('a stack of two', () => {
  scenario('of which the lower one was squashed', { parent: goes('landed'), child: stays('unmerged') }, (r) => {
    stack(r);
    r.change(GAMMA, 5, 'main');
    r.squash('parent');
    r.gone('parent');
    r.track('child');
  });

  scenario('both squashed, one commit each', { parent: goes('landed'), child: goes('landed') }, (r) => {
    stack(r, BETA, [10, 20]);
    r.change(GAMMA, 5, 'main');
    r.squash('parent');
    squashOver(r, 'parent', 'child');
    r.gone('parent');
    r.gone('child');
  });

  scenario('both squashed onto a moved file', { parent: goes('squash-merged'), child: goes('series-merged') }, (r) => {
    stack(r, ALPHA, [30, 32]);
    r.change(ALPHA, 1, 'main');
    r.squash('parent');
    squashOver(r, 'parent', 'child');
    r.edit(ALPHA, 10, 'main knew better');
    r.edit(ALPHA, 32, 'here too');
    r.commit('main');
    r.gone('parent');
    r.gone('child');
  });

  scenario(
    'the lower one squashed, the upper one rebase-merged',
    { parent: goes('squash-merged'), child: goes('series-merged') },
    (r) => {
      stack(r, ALPHA, [30, 32]);
      r.change(ALPHA, 1, 'main');
      r.squash('parent');
      r.cherryPick('child~1', 'child');
      r.edit(ALPHA, 10, 'main knew better');
      r.edit(ALPHA, 32, 'here too');
      r.commit('main');
      r.gone('parent');
      r.gone('child');
    },
  );

  scenario('of which only the upper one was taken', { parent: stays('unmerged'), child: stays('unmerged') }, (r) => {
    stack(r);
    r.change(GAMMA, 5, 'main');
    r.cherryPick('child');
    r.track('parent');
    r.track('child');
  });

  scenario('squashed together from the upper one', { parent: goes('landed'), child: goes('landed') }, (r) => {
    stack(r);
    r.change(GAMMA, 5, 'main');
    r.squash('child');
    r.gone('child');
  });

  scenario(
    'in one file, squashed together from the upper one',
    { parent: goes('absorbed'), child: goes('landed') },
    (r) => {
      stack(r, ALPHA, [30]);
      r.change(GAMMA, 5, 'main');
      r.squash('child');
      r.gone('child');
    },
  );

  scenario(
    'the upper one squashed into the lower, that one into main',
    { parent: goes('landed'), child: goes('landed') },
    (r) => {
      stack(r, BETA, [10, 20]);
      r.checkout('parent');
      r.squash('child');
      r.toMain();
      r.change(GAMMA, 5, 'main');
      r.squash('parent');
      r.gone('parent');
    },
  );

  scenario('merged truly from the upper one', { parent: goes('ancestor'), child: goes('ancestor') }, (r) => {
    stack(r);
    r.change(GAMMA, 5, 'main');
    r.merge('child');
  });

  scenario(
    'whose lower one was amended before its squash',
    { parent: goes('landed'), child: stays('unmerged') },
    (r) => {
      stack(r);
      r.checkout('parent');
      r.edit(ALPHA, 20, 'parent, otherwise');
      r.amend('parent two');
      r.toMain();
      r.change(GAMMA, 5, 'main');
      r.squash('parent');
      squashOver(r, 'child~1', 'child');
      r.gone('parent');
      r.gone('child');
    },
  );

  scenario(
    'whose upper one was rebased after the squash of the lower',
    { parent: goes('landed'), child: stays('unmerged') },
    (r) => {
      stack(r);
      r.change(GAMMA, 5, 'main');
      r.squash('parent');
      r.rebase('--onto', 'main', 'parent', 'child');
      r.gone('parent');
      r.track('child');
    },
  );

  scenario(
    'whose upper one was rebased, and squashed as well',
    { parent: goes('landed'), child: goes('landed') },
    (r) => {
      stack(r, BETA, [10, 20]);
      r.change(GAMMA, 5, 'main');
      r.squash('parent');
      r.rebase('--onto', 'main', 'parent', 'child');
      r.toMain();
      r.squash('child');
      r.gone('parent');
      r.gone('child');
    },
  );

  scenario(
    'whose squash of the lower one was taken back',
    { parent: stays('reverted-later'), child: stays('reverted-later', 'unmerged') },
    (r) => {
      stack(r, BETA, [10, 20]);
      r.change(GAMMA, 5, 'main');
      r.squash('parent');
      squashOver(r, 'parent', 'child');
      r.revert('HEAD~1');
      r.gone('parent');
      r.gone('child');
    },
  );

  for (const [title, change] of [
    ['an edit', (r: Repository) => r.edit(BETA, 10, 'parent')],
    ['a deletion', (r: Repository) => r.delete(BETA)],
    ['a new file', (r: Repository) => r.write('wood/new.txt', ['new'])],
  ] as const) {
    const verdicts = { parent: stays('reverted-later'), child: stays('reverted-later', 'unmerged') };
    scenario(
      `of which main took the lower one back, ${title}, and keeps the upper one in a moved file`,
      verdicts,
      (r) => {
        r.branch('parent');
        change(r);
        r.commit('parent');
        r.branch('child');
        r.change(ALPHA, 10, 'child');
        r.toMain();
        r.change(ALPHA, 30, 'main');
        const lower = r.squash('parent');
        squashOver(r, 'parent', 'child');
        r.change(GAMMA, 5, 'main');
        r.revert(lower);
      },
    );
  }
});

describe('a stack of three', () => {
  scenario(
    'of which two are on main',
    { low: goes('landed'), middle: goes('landed'), high: stays('unmerged') },
    (r) => {
      let below = 'main';
      for (const [name, file] of [
        ['low', ALPHA],
        ['middle', BETA],
        ['high', GAMMA],
      ] as const) {
        r.branch(name, below);
        r.change(file, 10, `${name} one`);
        r.change(file, 20, `${name} two`);
        below = name;
      }
      r.toMain();
      r.write('README', ['read me']);
      r.commit('main');
      r.squash('low');
      squashOver(r, 'low', 'middle');
      r.gone('low');
      r.gone('middle');
      r.track('high');
    },
  );

  scenario(
    'all in one file that main goes on changing',
    { low: goes('squash-merged'), middle: goes('series-merged'), high: goes('series-merged') },
    (r) => {
      let below = 'main';
      for (const [name, line] of [
        ['low', 10],
        ['middle', 20],
        ['high', 30],
      ] as const) {
        r.branch(name, below);
        r.change(ALPHA, line, `${name} one`);
        r.change(ALPHA, line + 2, `${name} two`);
        below = name;
      }
      r.toMain();
      r.change(ALPHA, 1, 'main');
      r.squash('low');
      squashOver(r, 'low', 'middle');
      r.change(ALPHA, 40, 'main');
      squashOver(r, 'middle', 'high');
      r.edit(ALPHA, 10, 'main knew better');
      r.edit(ALPHA, 30, 'here too');
      r.commit('main');
    },
  );
});
