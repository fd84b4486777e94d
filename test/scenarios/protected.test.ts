/** Long-lived branches. */
import { describe } from 'vitest';
import { ALPHA, BETA } from '../support/repository.ts';
import { also, goes, scenario, stays } from '../support/scenario.ts';

const NAMES = [
  'master',
  'trunk',
  'develop',
  'development',
  'dev',
  'staging',
  'production',
  'gh-pages',
  'release/1.0',
  'release/2.x/hotfix',
];
const OTHERS = ['releases/1.0', 'release', 'prerelease/1.0', 'develop-2', 'my/dev', 'dev2', 'productions', 'maintain'];

describe('long-lived names', () => {
  scenario(
    'stay when main holds all they have',
    Object.fromEntries(NAMES.map((name) => [name, stays('protected')])),
    (r) => {
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.toMain();
      r.change(BETA, 5, 'main');
      r.merge('topic');
      for (const name of NAMES) r.git('branch', name, 'topic');
    },
  );

  scenario('stay when main does not', Object.fromEntries(NAMES.map((name) => [name, stays('protected')])), (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    for (const name of NAMES) r.git('branch', name, 'topic');
  });

  scenario(
    'as part of another name mean nothing',
    Object.fromEntries(OTHERS.map((name) => [name, goes('ancestor')])),
    (r) => {
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.toMain();
      r.change(BETA, 5, 'main');
      r.merge('topic');
      for (const name of OTHERS) r.git('branch', name, 'topic');
    },
  );

  scenario('after a release', { develop: stays('protected'), 'release/1.0': stays('protected') }, (r) => {
    r.branch('develop');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.merge('develop');
    r.git('branch', 'release/1.0', 'develop');
    r.track('develop');
    r.track('release/1.0');
  });
});

describe('the default branch', () => {
  scenario(
    'stays, elsewhere checked out or not',
    { main: also(stays('protected', 'default-branch'), 'default-branch') },
    (r) => {
      r.publish();
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
    },
    { publish: false },
  );

  scenario(
    'stays under a name of its own',
    { next: also(stays('default-branch'), 'default-branch'), topic: goes('landed') },
    (r) => {
      r.branch('topic');
      r.change(ALPHA, 10, 'one');
      r.toMain();
      r.squash('topic');
      r.publish();
      r.git('checkout', '--quiet', '--detach');
    },
    { start: { main: 'next' }, publish: false },
  );

  scenario('was renamed, and the old one is still here', { topic: goes('landed'), main: stays('protected') }, (r) => {
    r.track('main');
    r.branch('trunk');
    r.track('trunk');
    r.main = 'trunk';
    r.git('--git-dir', r.origin, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
    r.git('push', '--quiet', 'origin', '--delete', 'main');
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(BETA, 5, 'trunk');
    r.squash('topic');
    r.gone('topic');
  });
});
