/** Commits that only a reflog still holds: deleting the branch would take them along. */
import { describe } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { also, goes, scenario, stays } from '../support/scenario.ts';

const lost = stays('reflog-commits');

/** `topic` with a commit that will be merged and one that will not. */
function two(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(BETA, 10, 'two');
}

/** Merges what `topic` is now. */
function merge(r: Repository): void {
  r.toMain();
  r.change(ALPHA, 40, 'main');
  r.merge('topic');
}

describe('dropped', () => {
  scenario('by a reset', { topic: lost }, (r) => {
    two(r);
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    merge(r);
  });

  scenario('by a reset, and the rest was squashed', { topic: lost }, (r) => {
    two(r);
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    r.toMain();
    r.change(ALPHA, 40, 'main');
    r.cherryPick('topic');
  });

  scenario('by a reset to main', { topic: stays('reflog-commits', 'no-own-commits') }, (r) => {
    two(r);
    r.git('reset', '--quiet', '--hard', 'main');
    r.toMain();
    r.change(ALPHA, 40, 'main');
  });

  scenario('by moving the branch', { topic: lost }, (r) => {
    two(r);
    r.toMain();
    r.git('branch', '--quiet', '--force', 'topic', 'topic~1');
    merge(r);
  });

  scenario('by a checkout that makes the branch anew', { topic: lost }, (r) => {
    two(r);
    r.git('checkout', '--quiet', '-B', 'topic', 'HEAD~1');
    merge(r);
  });

  scenario('by a fetch that forces', { topic: lost }, (r) => {
    two(r);
    r.toMain();
    r.git('branch', 'elsewhere', 'topic~1');
    r.git('fetch', '--quiet', '.', '+elsewhere:topic');
    merge(r);
  });

  scenario('by an update without a message', { topic: lost }, (r) => {
    two(r);
    r.toMain();
    r.git('update-ref', 'refs/heads/topic', 'topic~1');
    merge(r);
  });
});

describe('dropped, and kept by something else', () => {
  scenario('by another branch', { topic: goes('ancestor'), other: stays('unmerged') }, (r) => {
    two(r);
    r.git('branch', 'other');
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    merge(r);
  });

  scenario('by a tag', { topic: goes('ancestor') }, (r) => {
    two(r);
    r.git('tag', 'keepsake');
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    merge(r);
  });

  scenario('by main, which has it by now', { topic: goes('ancestor') }, (r) => {
    two(r);
    r.git('branch', 'other');
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    merge(r);
    r.merge('other');
  });

  scenario('by the branch itself, to which it came back', { topic: goes('ancestor') }, (r) => {
    two(r);
    r.git('reset', '--quiet', '--hard', 'HEAD~1');
    r.git('reset', '--quiet', '--hard', 'HEAD@{1}');
    merge(r);
  });
});

describe('replaced, not dropped', () => {
  scenario('by amending', { topic: also(goes('ancestor'), 'anchored') }, (r) => {
    two(r);
    r.edit(BETA, 10, 'two, mended');
    r.amend();
    merge(r);
  });

  scenario('by amending twice, then squashed', { topic: also(goes('landed'), 'anchored') }, (r) => {
    two(r);
    for (const text of ['two, mended', 'two, mended again']) {
      r.edit(BETA, 10, text);
      r.amend();
    }
    r.toMain();
    r.squash('topic');
  });

  scenario('by a rebase onto main', { topic: also(goes('ancestor'), 'anchored') }, (r) => {
    two(r);
    r.toMain();
    r.change(ALPHA, 40, 'main');
    r.checkout('topic');
    r.rebase('main');
    r.toMain();
    r.fastForward('topic');
  });

  scenario('by a rebase that folds fixups', { topic: also(goes('landed'), 'anchored') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 10, 'onne');
    r.commit('one');
    r.edit(ALPHA, 10, 'one');
    r.commit('fixup! one');
    r.change(BETA, 10, 'two');
    r.rebase('--interactive', '--autosquash', 'main');
    r.toMain();
    r.squash('topic');
  });
});

describe('work that was taken out again before a reset', () => {
  for (const [how, takeOut] of [
    ['by a revert', (r: Repository) => void r.revert()],
    [
      'by hand',
      (r: Repository) => {
        r.delete('own');
        r.commit('without it');
      },
    ],
  ] as const) {
    for (const last of ['nothing more', 'more that is merged'] as const) {
      scenario(`${how}, then ${last}`, { topic: stays('reflog-commits') }, (r) => {
        r.branch('topic');
        r.change(ALPHA, 5, 'one');
        r.write('own', 'only here');
        r.commit('work');
        takeOut(r);
        r.git('reset', '--quiet', '--hard', 'HEAD~2');
        if (last === 'more that is merged') r.change(ALPHA, 15, 'two');
        r.toMain();
        r.squash('topic');
      });
    }
  }
});
