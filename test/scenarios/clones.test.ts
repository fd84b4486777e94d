/** Clones that hold less than everything, and histories that do not meet. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, look } from '../support/cli.ts';
import { ALPHA, BETA, GAMMA, type Repository, temporaryRepository } from '../support/repository.ts';
import { expectVerdicts, goes, scenario, stays, type Verdicts } from '../support/scenario.ts';

/** Puts a new clone of the origin in the place of the one that built it. */
function cloneAnew(r: Repository, ...options: readonly string[]): void {
  rmSync(r.work, { recursive: true });
  r.gitWith({ cwd: r.places.root }, 'clone', '--quiet', ...options, `file://${r.origin}`, 'work');
  for (const name of r.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/remotes/origin').split('\n')) {
    if (name !== 'HEAD' && name !== 'main') r.git('branch', '--quiet', name, `origin/${name}`);
  }
}

function topic(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.track('topic');
  r.toMain();
}

describe('a shallow clone', () => {
  scenario(
    'that ends above the fork of an unmerged branch',
    { topic: stays('unmerged', 'shallow') },
    (r) => {
      topic(r);
      for (const line of [1, 2, 3]) r.change(BETA, line, 'main');
      r.publish();
      cloneAnew(r, '--depth=1', '--no-single-branch');
    },
    { publish: false },
  );

  scenario(
    'that ends between fork and squash',
    { topic: stays('unmerged', 'shallow') },
    (r) => {
      topic(r);
      for (const line of [1, 2, 3]) r.change(BETA, line, 'main');
      r.squash('topic');
      r.publish();
      cloneAnew(r, '--depth=1', '--no-single-branch');
    },
    { publish: false },
  );

  scenario(
    'that ends above a true merge',
    { topic: stays('unmerged', 'shallow') },
    (r) => {
      topic(r);
      r.change(BETA, 1, 'main');
      r.merge('topic');
      for (const line of [1, 2, 3]) r.change(BETA, line, 'later');
      r.publish();
      cloneAnew(r, '--depth=2', '--no-single-branch');
    },
    { publish: false },
  );

  scenario(
    'that has all that matters',
    { topic: goes('landed'), other: stays('unmerged') },
    (r) => {
      for (const line of [1, 2, 3, 4]) r.change(BETA, line, 'old');
      topic(r);
      r.branch('other');
      r.change(GAMMA, 10, 'other');
      r.track('other');
      r.toMain();
      r.squash('topic');
      r.change(BETA, 5, 'main');
      r.publish();
      cloneAnew(r, '--depth=5', '--no-single-branch');
      expect(r.git('rev-parse', '--is-shallow-repository')).toBe('true');
      expect(r.git('merge-base', 'origin/main', 'topic')).not.toBe('');
    },
    { publish: false },
  );
});

describe('a partial clone', () => {
  const partly: Verdicts = { topic: goes('landed'), other: stays('unmerged') };
  const build = (r: Repository, filter: string) => {
    topic(r);
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.track('other');
    r.toMain();
    r.branch('moved');
    r.change(BETA, 10, 'moved one');
    r.change(BETA, 20, 'moved two');
    r.track('moved');
    r.toMain();
    r.change(BETA, 30, 'main');
    r.squash('topic');
    r.squash('moved');
    r.change(BETA, 10, 'main knew better');
    r.publish();
    for (const name of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
      r.git('--git-dir', r.origin, 'config', name, 'true');
    cloneAnew(r, `--filter=${filter}`);
  };

  for (const filter of ['blob:none', 'tree:0']) {
    it(`with ${filter} is judged by what is here, and fetches nothing`, async () => {
      const r = temporaryRepository();
      build(r, filter);
      const before = storedObjects(r);
      const rows = branchesOf(await look(r));
      expect(storedObjects(r)).toEqual(before);
      expectVerdicts(rows, { other: stays('unmerged', 'probe-failed'), moved: stays('unmerged', 'probe-failed') });
      if (filter === 'blob:none') expectVerdicts(rows, partly);
      else expect(rows.get('topic')?.action).toBe('keep');
    });
  }

  it('whose origin is out of reach is judged just so', async () => {
    const r = temporaryRepository();
    build(r, 'blob:none');
    r.git('config', 'remote.origin.url', 'file:///nowhere/at/all.git');
    const before = storedObjects(r);
    const rows = branchesOf(await look(r));
    expect(storedObjects(r)).toEqual(before);
    expectVerdicts(rows, { ...partly, moved: stays('unmerged', 'probe-failed') });
  });
});

/** Every file in the object store. */
function storedObjects(r: Repository): string[] {
  return (readdirSync(join(r.work, '.git', 'objects'), { recursive: true }) as string[]).sort();
}

describe('a history that does not meet main', () => {
  scenario('with files of its own', { topic: stays('unmerged') }, (r) => {
    r.git('checkout', '--quiet', '--orphan', 'topic');
    r.git('rm', '--quiet', '-r', '--force', '.');
    r.write('index.html', ['page']);
    r.commit('page');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('with files that are all on main', { topic: stays('unmerged') }, (r) => {
    r.git('checkout', '--quiet', '--orphan', 'topic');
    r.commit('a new beginning');
    r.toMain();
    r.change(BETA, 5, 'main');
    r.track('topic');
  });

  scenario('with no file at all', { topic: stays('unmerged', 'net-zero') }, (r) => {
    r.git('checkout', '--quiet', '--orphan', 'topic');
    r.git('rm', '--quiet', '-r', '--force', '.');
    r.commit('nothing');
    r.toMain();
    r.track('topic');
  });

  scenario('until main merged it', { topic: goes('ancestor') }, (r) => {
    r.git('checkout', '--quiet', '--orphan', 'topic');
    r.git('rm', '--quiet', '-r', '--force', '.');
    r.write('index.html', ['page']);
    r.commit('page');
    r.toMain();
    r.clock.advance();
    r.git('merge', '--quiet', '--allow-unrelated-histories', '--message=Merge topic', 'topic');
  });
});

describe('other ways to store objects', () => {
  const pair = (r: Repository) => {
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.squash('topic');
    r.change(ALPHA, 10, 'main knew better');
  };
  const verdicts: Verdicts = { topic: goes('squash-merged'), other: stays('unmerged') };

  scenario('SHA-256', verdicts, pair, { start: { objectFormat: 'sha256' } });

  scenario(
    'all in one pack, with a commit graph',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      r.git('gc', '--quiet', '--prune=now');
      r.git('commit-graph', 'write', '--reachable', '--changed-paths');
      r.git('pack-refs', '--all', '--prune');
    },
    { publish: false },
  );

  scenario(
    'in another repository',
    verdicts,
    (r) => {
      pair(r);
      r.track('topic');
      r.track('other');
      r.publish();
      cloneAnew(r, '--shared');
    },
    { publish: false },
  );

  scenario(
    'in a git directory that lies elsewhere',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      r.git('init', '--quiet', `--separate-git-dir=${join(r.places.root, 'elsewhere.git')}`);
    },
    { publish: false },
  );
});
