/** Work that came to main and was taken back there: main does not have it now. */
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

function topic(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
}

const back = stays('reverted-later');

describe('taken back', () => {
  scenario('a squash', { topic: back }, (r) => {
    topic(r);
    r.squash('topic');
    r.revert();
    r.change(BETA, 5, 'main');
    r.gone('topic');
  });

  scenario('a true merge', { topic: back }, (r) => {
    topic(r);
    r.merge('topic');
    r.revert('HEAD', 1);
    r.gone('topic');
  });

  scenario('a fast-forward', { topic: back }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.fastForward('topic');
    r.revert();
    r.gone('topic');
  });

  scenario('a fast-forward of two commits, one by one', { topic: back }, (r) => {
    topic(r);
    r.fastForward('topic');
    r.revert('topic');
    r.revert('topic~1');
    r.gone('topic');
  });

  scenario('a rebase merge, commit by commit', { topic: back }, (r) => {
    topic(r);
    r.change(BETA, 5, 'main');
    r.rebaseMerge('topic');
    r.revert('HEAD');
    r.revert('HEAD~2');
    r.change(BETA, 6, 'main');
    r.gone('topic');
  });

  scenario('one commit of a rebase merge', { topic: back }, (r) => {
    topic(r);
    r.change(ALPHA, 30, 'main');
    r.rebaseMerge('topic');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  scenario('a squash, after other changes to the file', { topic: back }, (r) => {
    topic(r);
    r.squash('topic');
    const squash = r.id('HEAD');
    r.change(ALPHA, 35, 'main');
    r.revert(squash);
    r.change(ALPHA, 1, 'main again');
    r.gone('topic');
  });

  scenario('a squash onto a moved file', { topic: back }, (r) => {
    topic(r);
    r.change(ALPHA, 5, 'main');
    r.squash('topic');
    const squash = r.id('HEAD');
    r.change(ALPHA, 35, 'main');
    r.revert(squash);
    r.gone('topic');
  });

  scenario('a squash, by hand and without a word', { topic: back }, (r) => {
    topic(r);
    const before = r.read(ALPHA);
    r.squash('topic');
    r.change(BETA, 5, 'main');
    r.write(ALPHA, before);
    r.edit(GAMMA, 3, 'and more');
    r.commit('tidy');
    r.gone('topic');
  });

  scenario('a squash, through a merged branch that reverts it', { topic: back }, (r) => {
    topic(r);
    r.squash('topic');
    r.branch('revert-topic');
    r.revert();
    r.toMain();
    r.change(BETA, 5, 'main');
    r.merge('revert-topic');
    r.gone('topic');
  });

  scenario('a new file, deleted as the squash is undone', { topic: stays('reverted-later') }, (r) => {
    r.branch('topic');
    r.write('wood/new.txt', ['a new file']);
    r.edit(ALPHA, 10, 'uses it');
    r.commit('new');
    r.toMain();
    r.squash('topic');
    r.change(BETA, 5, 'main');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  scenario('a deletion, as the file comes back as it was', { topic: back }, (r) => {
    r.branch('topic');
    r.delete(BETA);
    r.commit('without beta');
    r.toMain();
    r.squash('topic');
    r.change(ALPHA, 5, 'main');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  scenario('three times over', { topic: back }, (r) => {
    topic(r);
    r.squash('topic');
    r.revert();
    r.revert();
    r.revert();
    r.gone('topic');
  });

  scenario(
    'a merge, and the branch was merged again with more',
    { topic: stays('reverted-later', 'unmerged') },
    (r) => {
      topic(r);
      r.change(GAMMA, 5, 'main');
      r.merge('topic');
      r.revert('HEAD', 1);
      r.checkout('topic');
      r.change(BETA, 10, 'three');
      r.toMain();
      // git brings only the third commit: the other two are in main's history, though no longer in its files.
      r.merge('topic');
      r.gone('topic');
    },
  );
});

describe('taken back in part', () => {
  /** Takes the last commit but one of the branch out of main, and says nothing of it. */
  function takeOutFirst(r: Repository): void {
    r.git('revert', '--no-commit', 'topic~1');
    r.commit('tidy');
  }

  scenario('one of two squashed commits', { topic: back }, (r) => {
    topic(r);
    r.squash('topic');
    takeOutFirst(r);
  });

  scenario('one of two squashed commits, after main changed the file', { topic: back }, (r) => {
    topic(r);
    r.change(ALPHA, 35, 'main');
    r.squash('topic');
    r.change(ALPHA, 1, 'main');
    takeOutFirst(r);
  });

  scenario('one of two squashed commits of a branch that merged main', { topic: back }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.checkout('topic');
    r.merge('main');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.squash('topic');
    r.git('revert', '--no-commit', 'topic');
    r.commit('tidy');
  });

  scenario('two of three squashed commits, one of them by its name', { topic: back }, (r) => {
    r.branch('topic');
    const first = r.change(ALPHA, 10, 'one');
    r.change(BETA, 10, 'two');
    r.toMain();
    r.squash('topic');
    r.edit(ALPHA, 10, 'neither');
    r.commit(`Undo\n\nThis reverts commit ${first}.`);
  });

  scenario('two squashed commits of four, each half of the branch squashed by itself', { topic: back }, (r) => {
    topic(r);
    r.checkout('topic');
    r.change(BETA, 10, 'three');
    r.change(BETA, 20, 'four');
    r.toMain();
    r.change(ALPHA, 1, 'main');
    r.squash('topic~2');
    r.git('cherry-pick', '--no-commit', 'topic~1', 'topic');
    r.commit('the rest');
    r.change(ALPHA, 30, 'main');
    r.git('revert', '--no-commit', 'topic~3');
    r.commit('tidy');
  });

  scenario('by a commit of the branch itself, which is part of the work', { topic: goes('landed') }, (r) => {
    topic(r);
    r.checkout('topic');
    r.change(BETA, 10, 'three');
    r.revert('HEAD~1');
    r.change(BETA, 20, 'four');
    r.toMain();
    r.squash('topic', `topic (#1)\n\n${r.git('log', '--format=%B', 'main..topic')}`);
    r.change(BETA, 10, 'main');
  });
});

describe('taken back in part, beside lines of another commit', () => {
  function neighbours(r: Repository): string {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 11, 'two');
    r.toMain();
    const before = r.read(ALPHA).split('\n')[9] ?? '';
    r.change(BETA, 5, 'main');
    return before;
  }

  scenario('of a rebase merge', { topic: back }, (r) => {
    const before = neighbours(r);
    r.rebaseMerge('topic');
    r.change(BETA, 15, 'main');
    r.change(ALPHA, 10, before);
  });

  scenario('of a squash', { topic: back }, (r) => {
    const before = neighbours(r);
    r.squash('topic');
    r.change(BETA, 15, 'main');
    r.change(ALPHA, 10, before);
  });

  scenario('in words only', { topic: back }, (r) => {
    neighbours(r);
    r.rebaseMerge('topic');
    const first = r.id('HEAD~1');
    r.edit(ALPHA, 10, 'neither');
    r.commit(`Undo\n\nThis reverts commit ${first}.`);
  });

  scenario('in words only, after it was made again', { topic: back }, (r) => {
    neighbours(r);
    r.squash('topic');
    r.revert();
    r.revert();
    const again = r.id('HEAD');
    r.edit(ALPHA, 10, 'neither');
    r.edit(ALPHA, 11, 'nor');
    r.commit(`Undo\n\nThis reverts commit ${again}.`);
  });
});

describe('taken back elsewhere in the file, or not alone', () => {
  scenario('after main renamed the file', { topic: back }, (r) => {
    topic(r);
    const squash = r.squash('topic');
    r.git('mv', ALPHA, 'wood/renamed.txt');
    r.commit('a better name');
    r.change('wood/renamed.txt', 35, 'main');
    r.revert(squash);
    r.change('wood/renamed.txt', 1, 'main');
  });

  scenario('after main renamed it twice', { topic: back }, (r) => {
    topic(r);
    r.merge('topic');
    r.git('mv', ALPHA, 'wood/renamed.txt');
    r.commit('a better name');
    r.git('mv', 'wood/renamed.txt', 'wood/again.txt');
    r.commit('a better name still');
    r.rewrite('wood/again.txt', () => r.git('show', `topic~2:${ALPHA}`).split('\n'));
    r.commit('tidy');
  });

  scenario('next to a line that main changed', { topic: back }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    const before = r.read(ALPHA).split('\n')[9] ?? '';
    r.squash('topic');
    r.change(ALPHA, 11, 'main');
    r.change(ALPHA, 9, 'main, too');
    r.change(ALPHA, 10, before);
  });

  scenario('among lines that are all the same', { topic: back }, (r) => {
    r.write(ALPHA, ['a', 'x', 'x', 'x', 'x', 'b']);
    r.commit('twins');
    r.branch('topic');
    r.insert(ALPHA, 3, 'y', 'x');
    r.commit('between twins');
    r.toMain();
    r.squash('topic');
    r.insert(ALPHA, 2, 'x');
    r.commit('one more');
    r.rewrite(ALPHA, (lines) => lines.toSpliced(lines.indexOf('y') - 1, 2));
    r.commit('without');
  });

  scenario('together with edits of other lines', { topic: back }, (r) => {
    const before = r.read(ALPHA).split('\n');
    topic(r);
    r.squash('topic');
    r.edit(ALPHA, 10, before[9] ?? '');
    r.edit(ALPHA, 20, before[19] ?? '');
    r.edit(ALPHA, 30, 'and more');
    r.commit('tidy');
    r.change(ALPHA, 35, 'main');
  });

  scenario('in two files, together with edits of other lines in one of them', { topic: back }, (r) => {
    const before = r.read(ALPHA).split('\n')[9] ?? '';
    r.branch('topic');
    r.edit(ALPHA, 10, 'one');
    r.write('wood/new.txt', ['new']);
    r.commit('both');
    r.toMain();
    r.merge('topic');
    r.delete('wood/new.txt');
    r.edit(ALPHA, 30, 'and more');
    r.edit(ALPHA, 10, before);
    r.commit('tidy');
  });
});

describe('taken back and made again', () => {
  scenario('a squash, by reverting the revert', { topic: goes('landed') }, (r) => {
    topic(r);
    r.squash('topic');
    r.revert();
    r.change(BETA, 5, 'main');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  scenario('a merge, by reverting the revert', { topic: goes('ancestor') }, (r) => {
    topic(r);
    r.change(BETA, 5, 'main');
    r.merge('topic');
    r.revert('HEAD', 1);
    r.change(BETA, 6, 'main');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  scenario('a squash, by a second squash', { topic: goes('landed') }, (r) => {
    topic(r);
    r.squash('topic', 'topic (#1)');
    r.revert();
    r.squash('topic', 'topic (#2)');
    r.change(ALPHA, 10, 'main knew better');
    r.gone('topic');
  });

  scenario('a squash onto a moved file, by a second one', { topic: goes('squash-merged') }, (r) => {
    topic(r);
    r.change(ALPHA, 5, 'main');
    r.squash('topic', 'topic (#1)');
    r.revert();
    r.change(ALPHA, 35, 'main');
    r.squash('topic', 'topic (#2)');
    r.gone('topic');
  });
});

describe('not taken back', () => {
  scenario('when main rewrote the lines', { topic: goes('landed') }, (r) => {
    topic(r);
    r.squash('topic');
    r.edit(ALPHA, 10, 'three');
    r.edit(ALPHA, 20, 'four');
    r.commit('main knew better');
    r.gone('topic');
  });

  scenario('when a new file was deleted later on', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.write(
      'wood/new.txt',
      Array.from({ length: 20 }, (_, i) => `new ${i}`),
    );
    r.commit('new');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.squash('topic');
    r.delete('wood/new.txt');
    r.commit('without new');
    r.gone('topic');
  });

  scenario('when a new file was renamed', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.write('wood/new.txt', ['a new file', 'of two lines']);
    r.commit('new');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.squash('topic');
    r.git('mv', 'wood/new.txt', 'wood/renamed.txt');
    r.commit('a better name');
    r.change('wood/renamed.txt', 1, 'main');
  });

  scenario('when main moved the lines twice, each time elsewhere', { topic: goes('landed') }, (r) => {
    const moved = (from: number, to: number) => (lines: readonly string[]) => {
      const [line = ''] = lines.slice(from, from + 1);
      return lines.toSpliced(from, 1).toSpliced(to, 0, line);
    };
    r.branch('topic');
    r.rewrite(ALPHA, moved(5, 20));
    r.commit('moved');
    r.toMain();
    r.squash('topic');
    r.rewrite(ALPHA, moved(30, 10));
    r.commit('moved another');
  });

  scenario('when a deleted file came back as another one', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.delete(BETA);
    r.commit('without beta');
    r.toMain();
    r.squash('topic');
    r.write(BETA, ['something else']);
    r.commit('a new beta');
    r.gone('topic');
  });

  scenario('when main reverted something else', { topic: goes('landed') }, (r) => {
    topic(r);
    r.change(BETA, 5, 'main');
    r.squash('topic');
    r.revert('HEAD~1');
    r.gone('topic');
  });

  for (const [how, land, verdict] of [
    ['fast-forwarded', (r: Repository) => r.fastForward('topic'), goes('ancestor')],
    ['merged truly', (r: Repository) => r.merge('topic'), goes('ancestor')],
    ['squashed', (r: Repository) => r.squash('topic'), goes('landed')],
  ] as const) {
    scenario(
      `when main reverted what another branch did to the same file, ${how}`,
      { topic: verdict, another: back },
      (r) => {
        r.branch('another');
        r.insert(ALPHA, 30, 'a new line');
        r.commit('another');
        r.toMain();
        const squash = r.squash('another');
        r.branch('topic');
        r.change(ALPHA, 10, 'one');
        r.toMain();
        land(r);
        r.revert(squash);
        r.gone('topic');
      },
    );
  }
});

describe('an earlier part of a branch that went on', () => {
  for (const [how, bring] of [
    ['squashed', (r: Repository) => r.squash('topic')],
    ['fast-forwarded', (r: Repository) => r.fastForward('topic')],
    ['truly merged', (r: Repository) => r.merge('topic')],
  ] as const) {
    for (const when of ['before', 'after'] as const) {
      scenario(`${how}, taken back ${when} the rest came`, { topic: back }, (r) => {
        r.branch('topic');
        r.change(ALPHA, 5, 'first part');
        r.toMain();
        bring(r);
        const part = r.id('HEAD');
        r.checkout('topic');
        if (how === 'squashed') r.merge('main');
        const rest = r.change(BETA, 5, 'rest');
        r.toMain();
        const takeBack = () => r.revert(part, how === 'truly merged' ? 1 : undefined);
        if (when === 'before') takeBack();
        r.cherryPick(rest);
        if (when === 'after') takeBack();
        r.change(GAMMA, 5, 'main');
      });
    }
  }

  scenario('and what stands of it goes with the rest', { topic: goes('landed', 'squash-merged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 5, 'first part');
    r.toMain();
    r.squash('topic');
    r.checkout('topic');
    r.merge('main');
    const rest = r.change(BETA, 5, 'rest');
    r.toMain();
    r.cherryPick(rest);
    r.change(ALPHA, 6, 'later');
  });
});

describe('files that were moved', () => {
  for (const count of [1, 2, 3]) {
    scenario(
      `back to where they were, with later edits: ${count}`,
      { topic: stays('reverted-later', 'unmerged') },
      (r) => {
        const files = [ALPHA, BETA, GAMMA].slice(0, count);
        r.branch('topic');
        for (const file of files) {
          r.edit(file, 5, 'work');
          r.git('mv', file, `moved-${count}-${file.replaceAll('/', '-')}`);
        }
        r.commit('move and edit');
        r.toMain();
        r.squash('topic');
        const squash = r.id('HEAD');
        for (const file of files) r.edit(`moved-${count}-${file.replaceAll('/', '-')}`, 25, 'main');
        r.commit('later edits');
        r.revert(squash);
        r.amend('the old layout');
      },
    );
  }

  for (const edits of [1, 5, 12]) {
    scenario(`and edited by main are not deleted: ${edits} lines`, { topic: stays('unmerged') }, (r) => {
      r.branch('topic');
      r.delete(ALPHA);
      r.commit('without it');
      r.toMain();
      r.git('mv', ALPHA, `elsewhere-${ALPHA.replaceAll('/', '-')}`);
      for (let line = 1; line <= edits; line++) r.edit(`elsewhere-${ALPHA.replaceAll('/', '-')}`, line * 2, 'edited');
      r.commit('moved and edited');
      r.change(BETA, 5, 'main');
    });
  }

  scenario('or deleted where another file came', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.delete(ALPHA);
    r.commit('without it');
    r.toMain();
    r.git('rm', '-q', ALPHA);
    r.write(`new-${ALPHA.replaceAll('/', '-')}`, ['something', 'else', 'altogether']);
    r.commit('another one');
    r.change(BETA, 5, 'main');
  });
});
