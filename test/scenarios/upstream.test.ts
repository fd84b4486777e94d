/** What the remote side of a branch has to say: a hint at most. */
import { describe } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

function topic(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
}

describe('a vanished upstream is no proof', () => {
  scenario('when one more commit was made after the squash', { topic: stays('unmerged') }, (r) => {
    topic(r);
    r.squash('topic');
    r.gone('topic');
    r.checkout('topic');
    r.change(ALPHA, 30, 'more');
  });

  scenario('when the pull request was closed', { topic: stays('unmerged') }, (r) => {
    topic(r);
    r.gone('topic');
    r.change(BETA, 5, 'main');
  });

  scenario('when the last commit was amended after the squash', { topic: stays('unmerged') }, (r) => {
    topic(r);
    r.squash('topic');
    r.gone('topic');
    r.checkout('topic');
    r.edit(ALPHA, 30, 'more');
    r.amend();
  });
});

describe('a present upstream is none either', () => {
  scenario('when everything was pushed', { topic: stays('unmerged') }, (r) => {
    topic(r);
    r.track('topic');
    r.change(BETA, 5, 'main');
  });

  scenario('when everything was pushed to two remotes', { topic: stays('unmerged') }, (r) => {
    topic(r);
    r.track('topic');
    r.git('push', '--quiet', r.origin, 'topic:refs/heads/backup');
    r.git('fetch', '--quiet', 'origin');
    r.change(BETA, 5, 'main');
  });

  scenario('and its tracking ref may be older than the branch', { topic: goes('landed') }, (r) => {
    topic(r);
    r.track('topic');
    r.git('update-ref', 'refs/remotes/origin/topic', 'topic~1');
    r.squash('topic');
    r.git('update-ref', 'refs/remotes/origin/topic', 'topic');
  });

  scenario('and may be ahead of the merged branch', { topic: goes('landed') }, (r) => {
    topic(r);
    r.track('topic');
    r.squash('topic');
    r.checkout('topic');
    r.change(BETA, 30, 'by somebody else');
    r.track('topic');
    r.git('update-ref', 'refs/heads/topic', 'topic~1');
    r.git('reset', '--quiet', '--hard');
  });
});

describe('commits that were never pushed', () => {
  scenario('an empty one on top of a squashed branch', { topic: stays('ahead-of-upstream') }, (r) => {
    topic(r);
    r.track('topic');
    r.squash('topic');
    r.checkout('topic');
    r.commitStaged('a note to myself');
  });

  scenario('an empty one, and the upstream is gone', { topic: goes('landed') }, (r) => {
    topic(r);
    r.gone('topic');
    r.squash('topic');
    r.checkout('topic');
    r.commitStaged('a note to myself');
  });

  scenario('are on main, each as its own commit', { topic: goes('landed') }, (r) => {
    topic(r);
    r.git('push', '--quiet', 'origin', 'topic~1:refs/heads/topic');
    r.git('branch', '--set-upstream-to=origin/topic', 'topic');
    r.change(BETA, 5, 'main');
    r.rebaseMerge('topic');
  });

  scenario('and the upstream is main itself', { topic: goes('landed') }, (r) => {
    r.publish();
    r.git('checkout', '--quiet', '--track', '-b', 'topic', 'origin/main');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.squash('topic');
  });

  scenario('in a true merge of a branch that was pushed half', { topic: goes('ancestor') }, (r) => {
    topic(r);
    r.git('push', '--quiet', 'origin', 'topic~1:refs/heads/topic');
    r.git('branch', '--set-upstream-to=origin/topic', 'topic');
    r.change(BETA, 5, 'main');
    r.merge('topic');
  });
});

describe('merged into the local main only', () => {
  scenario(
    'by a squash',
    { topic: stays('merged-locally') },
    (r) => {
      r.publish();
      topic(r);
      r.track('topic');
      r.squash('topic');
    },
    { publish: false },
  );

  scenario(
    'by a true merge',
    { topic: stays('merged-locally') },
    (r) => {
      r.publish();
      topic(r);
      r.change(BETA, 5, 'main');
      r.merge('topic');
    },
    { publish: false },
  );

  scenario(
    'by a fast-forward',
    { topic: stays('merged-locally') },
    (r) => {
      r.publish();
      topic(r);
      r.fastForward('topic');
    },
    { publish: false },
  );

  scenario(
    'by a rebase merge onto a moved file',
    { topic: stays('merged-locally') },
    (r) => {
      r.publish();
      topic(r);
      r.change(ALPHA, 1, 'main');
      r.rebaseMerge('topic');
    },
    { publish: false },
  );

  scenario(
    'while the remote has another main',
    { topic: stays('merged-locally', 'unmerged') },
    (r) => {
      r.publish();
      topic(r);
      r.squash('topic');
      const local = r.id('main');
      r.git('checkout', '--quiet', '--detach', 'origin/main');
      r.change(BETA, 5, 'somebody else');
      r.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
      r.toMain();
      r.git('reset', '--quiet', '--hard', local);
    },
    { publish: false },
  );
});

describe('merged on the remote only', () => {
  scenario(
    'and the local main is behind',
    { topic: goes('landed') },
    (r) => {
      topic(r);
      r.squash('topic');
      r.change(BETA, 5, 'main');
      r.publish();
      r.git('reset', '--quiet', '--hard', 'HEAD~2');
    },
    { publish: false },
  );

  scenario(
    'and there is no local main',
    { topic: goes('landed'), other: stays('unmerged', 'checked-out') },
    (r) => {
      topic(r);
      r.squash('topic');
      r.publish();
      r.branch('other');
      r.change(BETA, 10, 'other');
      r.git('branch', '--quiet', '-D', 'main');
    },
    { publish: false },
  );

  scenario(
    'and was not fetched yet',
    { topic: stays('unmerged') },
    (r) => {
      r.publish();
      topic(r);
      r.track('topic');
      r.squash('topic');
      r.git('push', '--quiet', r.origin, 'main');
      r.git('update-ref', 'refs/remotes/origin/main', 'main~1');
      r.git('reset', '--quiet', '--hard', 'main~1');
    },
    { publish: false },
  );
});
