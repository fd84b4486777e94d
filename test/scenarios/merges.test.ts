/** Branches that main reaches, branches that merge, and merges that bring something of their own. */
import { describe, expect } from 'vitest';
import { ALPHA, BETA, GAMMA } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

describe('reachable from main', () => {
  scenario('by a true merge', { topic: goes('ancestor') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.merge('topic');
    r.gone('topic');
  });

  scenario('by a fast-forward', { topic: goes('ancestor') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.fastForward('topic');
    r.change(BETA, 5, 'main');
    r.gone('topic');
  });

  scenario('by a merge of many', { one: goes('ancestor'), two: goes('ancestor') }, (r) => {
    for (const [name, file] of [
      ['one', ALPHA],
      ['two', BETA],
    ] as const) {
      r.toMain();
      r.branch(name);
      r.change(file, 10, name);
    }
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.git('merge', '--quiet', '--message=both', 'one', 'two');
    expect(r.git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(4);
  });

  scenario('through another branch', { topic: goes('ancestor'), integration: goes('ancestor') }, (r) => {
    r.branch('integration');
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.checkout('integration');
    r.change(BETA, 5, 'integration');
    r.merge('topic');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.merge('integration');
  });

  scenario(
    'after it was squashed into a branch that main merged',
    { topic: goes('landed'), integration: goes('ancestor') },
    (r) => {
      r.branch('integration');
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.change(ALPHA, 20, 'two');
      r.checkout('integration');
      r.change(BETA, 5, 'integration');
      r.squash('topic');
      r.toMain();
      r.change(GAMMA, 5, 'main');
      r.merge('integration');
      r.gone('topic');
    },
  );

  scenario(
    'after it was squashed onto a moved file in a branch that main merged',
    { topic: goes('squash-merged') },
    (r) => {
      r.branch('integration');
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.change(ALPHA, 20, 'two');
      r.checkout('integration');
      r.change(ALPHA, 30, 'integration');
      r.squash('topic');
      r.change(ALPHA, 10, 'integration knew better');
      r.toMain();
      r.change(GAMMA, 5, 'main');
      r.merge('integration');
      r.gone('topic');
    },
  );
});

describe('criss-cross', () => {
  scenario('with work of its own after the second crossing', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'topic one');
    r.toMain();
    r.change(BETA, 10, 'main one');
    const [topic, main] = [r.id('topic'), r.id('main')];
    r.merge(topic);
    r.checkout('topic');
    r.merge(main);
    r.change(ALPHA, 20, 'topic two');
    r.toMain();
    r.change(BETA, 20, 'main two');
    expect(r.git('merge-base', '--all', 'main', 'topic').split('\n')).toHaveLength(2);
    r.track('topic');
  });

  scenario('and merged at last', { topic: goes('ancestor') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'topic one');
    r.toMain();
    r.change(BETA, 10, 'main one');
    const [topic, main] = [r.id('topic'), r.id('main')];
    r.merge(topic);
    r.checkout('topic');
    r.merge(main);
    r.change(ALPHA, 20, 'topic two');
    r.toMain();
    r.merge('topic');
    r.gone('topic');
  });

  scenario('and squashed at last', { topic: goes('landed', 'squash-merged', 'absorbed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'topic one');
    r.toMain();
    r.change(BETA, 10, 'main one');
    const [topic, main] = [r.id('topic'), r.id('main')];
    r.merge(topic);
    r.checkout('topic');
    r.merge(main);
    r.change(ALPHA, 20, 'topic two');
    r.toMain();
    r.change(GAMMA, 20, 'main two');
    r.squash('topic');
    r.gone('topic');
  });
});

describe('a merge that brings something of its own', () => {
  scenario('is all that the branch has', { topic: stays('unmerged') }, (r) => {
    r.branch('topic', 'HEAD~1');
    r.mergeOpen('main');
    r.edit(ALPHA, 10, 'done while merging');
    r.commit('Merge main');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('and the rest of the branch is on main', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.mergeOpen('main');
    r.edit(GAMMA, 10, 'done while merging');
    r.commit('Merge main');
    r.toMain();
    r.cherryPick('topic~1');
    r.track('topic');
  });

  scenario('and throws away what main had', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.clock.advance();
    r.git('merge', '--quiet', '--no-ff', '--strategy=ours', '--message=Merge main', 'main');
    r.toMain();
    r.cherryPick('topic~1');
    r.track('topic');
  });

  scenario('and all of it was squashed', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.checkout('topic');
    r.mergeOpen('main');
    r.edit(GAMMA, 10, 'done while merging');
    r.commit('Merge main');
    r.toMain();
    r.squash('topic');
    r.change(GAMMA, 20, 'later');
    r.gone('topic');
  });

  scenario('of a side branch, whose own commits are on main', { topic: stays('unmerged') }, (r) => {
    r.branch('side');
    r.change(BETA, 10, 'aside');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.mergeOpen('side');
    r.edit(GAMMA, 10, 'done while merging');
    r.commit('Merge side');
    r.toMain();
    r.cherryPick('topic~1');
    r.cherryPick('side');
    r.track('topic');
  });
});

describe('main has a part, or more', () => {
  scenario('half of one commit', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 10, 'one');
    r.edit(BETA, 20, 'two');
    r.commit('both');
    r.toMain();
    r.change(ALPHA, 10, 'one');
    r.track('topic');
  });

  scenario('half of one file', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 10, 'one');
    r.edit(ALPHA, 30, 'two');
    r.commit('both');
    r.toMain();
    r.change(ALPHA, 10, 'one');
    r.track('topic');
  });

  scenario('more than the branch, in the same file', { topic: goes('absorbed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.edit(ALPHA, 10, 'one');
    r.edit(ALPHA, 30, 'more');
    r.commit('both');
    r.track('topic');
  });

  scenario('the same text, but somewhere else', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.insert(ALPHA, 10, 'a line');
    r.commit('a line');
    r.toMain();
    r.insert(ALPHA, 30, 'a line');
    r.commit('a line');
    r.track('topic');
  });

  scenario('the same change to another file', { topic: stays('unmerged') }, (r) => {
    for (const file of ['one.txt', 'two.txt']) r.write(file, ['a', 'b', 'c']);
    r.commit('twins');
    r.branch('topic');
    r.change('one.txt', 2, 'B');
    r.toMain();
    r.change('two.txt', 2, 'B');
    r.track('topic');
  });

  scenario('the same change to a twin of the block', { topic: stays('unmerged') }, (r) => {
    const block = ['function {', '  first', '  second', '  third', '  fourth', '}', ''];
    r.write('twins.txt', [...block, ...block, ...block]);
    r.commit('three blocks');
    r.branch('topic');
    r.change('twins.txt', 10, '  changed');
    r.toMain();
    r.change('twins.txt', 17, '  changed');
    r.track('topic');
  });

  scenario('the same change to a twin of the block, after both have moved', { topic: stays('unmerged') }, (r) => {
    const block = ['function {', '  first', '  second', '  third', '  fourth', '}', ''];
    r.write('twins.txt', ['top', ...block, ...block, ...block, ...block, 'end']);
    r.commit('four blocks');
    r.branch('topic');
    r.change('twins.txt', 11, '  changed');
    r.toMain();
    // One block less above: the text at the branch's place is now that of the next block.
    r.rewrite('twins.txt', (lines) => lines.toSpliced(1, 7));
    r.commit('three blocks');
    r.change('twins.txt', 11, '  changed');
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('an older state that the branch goes back to', { topic: stays('unmerged') }, (r) => {
    r.change(ALPHA, 10, 'feature');
    r.branch('topic');
    r.revert();
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('an older state that branch and main both go back to', { topic: goes('landed') }, (r) => {
    r.change(ALPHA, 10, 'feature');
    r.branch('topic');
    r.revert();
    r.toMain();
    r.change(BETA, 5, 'main');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('a switch that main turned on and off again', { topic: stays('reverted-later', 'unmerged') }, (r) => {
    r.write('switch.txt', ['off']);
    r.commit('a switch');
    r.branch('topic');
    r.change('switch.txt', 1, 'on');
    r.toMain();
    r.change('switch.txt', 1, 'on');
    r.change('switch.txt', 1, 'off');
    r.track('topic');
  });

  scenario('a switch that main turned on and off before the branch began', { topic: stays('unmerged') }, (r) => {
    r.write('switch.txt', ['off']);
    r.commit('a switch');
    r.change('switch.txt', 1, 'on');
    r.change('switch.txt', 1, 'off');
    r.branch('topic');
    r.change('switch.txt', 1, 'on');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('the two halves at different times', { topic: stays('unmerged', 'reverted-later') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(BETA, 10, 'two');
    r.toMain();
    r.cherryPick('topic~1');
    r.revert();
    r.cherryPick('topic');
    r.track('topic');
  });
});
