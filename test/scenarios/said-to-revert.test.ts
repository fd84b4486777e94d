/** Reverts that content alone does not show: mixed with other work, or only said in words. */
import { describe } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

function squashed(r: Repository, subject = 'Teach it (#7)'): string {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  return r.squash('topic', subject);
}

/** Takes the squash back by hand, with an edit of the same lines, so that it is the inverse of nothing. */
function takeBackMixed(r: Repository, message: string): void {
  r.edit(ALPHA, 10, 'neither');
  r.edit(ALPHA, 20, 'nor');
  r.commit(message);
}

describe('a revert', () => {
  scenario(
    'of a squash together with another file, after main changed the same file',
    { topic: stays('reverted-later') },
    (r) => {
      squashed(r);
      r.change(ALPHA, 35, 'main');
      r.rewrite(ALPHA, (lines) =>
        lines.map((line, at) =>
          at === 9 || at === 19 ? (r.git('show', `topic~2:${ALPHA}`).split('\n')[at] ?? '') : line,
        ),
      );
      r.append(BETA, 'and more\n');
      r.commit('tidy up');
    },
  );

  scenario('that names the commit', { topic: stays('reverted-later') }, (r) => {
    const landed = squashed(r);
    takeBackMixed(r, `Undo it\n\nThis reverts commit ${landed}.`);
  });

  scenario('that quotes the subject, as forges do', { topic: stays('reverted-later') }, (r) => {
    squashed(r);
    takeBackMixed(r, 'Revert "Teach it (#7)" (#9)\n\nReverts wood/tree#7');
  });

  scenario('of a merge, that names the merge', { topic: stays('reverted-later') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    const merge = r.merge('topic');
    r.edit(ALPHA, 10, 'neither');
    r.commit(`Undo\n\nThis reverts commit ${merge}, reversing\nchanges made to ${r.id(`${merge}~1`)}.`);
  });

  scenario('that was itself reverted is none, when main has the work again', { topic: goes('landed') }, (r) => {
    squashed(r);
    r.revert();
    r.revert();
    r.edit(ALPHA, 10, 'three');
    r.edit(ALPHA, 20, 'four');
    r.commit('go on');
  });

  scenario('that was itself reverted in words only still counts', { topic: stays('reverted-later') }, (r) => {
    squashed(r);
    takeBackMixed(r, 'Revert "Teach it (#7)" (#9)');
    r.commitStaged(`Revert "Revert "Teach it (#7)" (#9)"\n\nThis reverts commit ${r.id('HEAD')}.`, '--allow-empty');
  });

  scenario('of another commit with such a subject is none', { topic: goes('landed') }, (r) => {
    r.change(BETA, 10, 'first');
    r.commitStaged('Teach it', '--allow-empty');
    squashed(r, 'Teach them (#7)');
    takeBackMixed(r, 'Revert "Teach it" (#9)');
  });

  scenario('in words only, while main has the work, is none', { topic: goes('landed') }, (r) => {
    const landed = squashed(r);
    r.change(BETA, 10, `x`);
    r.commitStaged(`Talk\n\nThis reverts commit ${landed}.`, '--allow-empty');
  });
});
