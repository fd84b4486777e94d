/** Reading the remote: what a sweep brings, from where it judges, and what it never touches on the way. */
import { existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { branchesOf, runCli, sweepOf } from '../support/cli.ts';
import { ALPHA, type Repository, temporaryRepository } from '../support/repository.ts';

const SWEEP = ['sweep', '--json'];

/** A published branch, squash-merged by somebody else: only the remote knows. */
function mergedElsewhere(repository: Repository): void {
  repository.publish();
  repository.branch('topic');
  repository.change(ALPHA, 10, 'one');
  repository.change(ALPHA, 20, 'two');
  repository.track('topic');
  repository.toMain();
  const before = repository.id('main');
  repository.squash('topic');
  repository.git('push', '--quiet', 'origin', 'main');
  repository.git('reset', '--quiet', '--hard', before);
  repository.git('update-ref', 'refs/remotes/origin/main', before);
}

async function sweep(repository: Repository, ...more: readonly string[]) {
  const result = await runCli([...SWEEP, ...more], { cwd: repository.work, env: repository.env });
  return { ...result, document: sweepOf(result) };
}

function refs(repository: Repository): string {
  return repository.git('for-each-ref', '--format=%(refname) %(objectname)');
}

describe('a sweep that reads the remote', () => {
  it('judges by what the remote has now', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    expect(branchesOf((await sweep(repository, '--no-fetch')).document).get('topic')?.action).toBe('keep');
    const { document, code } = await sweep(repository);
    expect(code).toBe(0);
    expect(document.fetch.status).toBe('fresh');
    expect(document.repository.base).toMatchObject({ ref: 'refs/remotes/origin/main', how: 'remote-head' });
    expect(branchesOf(document).get('topic')?.reason.code).toBe('landed');
  });

  it('brings no tag, writes no FETCH_HEAD and prunes nothing, whatever the settings say', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.git('push', '--quiet', 'origin', `${repository.id('topic')}:refs/tags/v1`);
    repository.git('push', '--quiet', 'origin', '--delete', 'topic');
    repository.git('update-ref', 'refs/remotes/origin/topic', repository.id('topic'));
    for (const [key, value] of [
      ['fetch.prune', 'true'],
      ['fetch.pruneTags', 'true'],
      ['remote.origin.prune', 'true'],
      ['remote.origin.pruneTags', 'true'],
      ['remote.origin.tagOpt', '--tags'],
    ] as const) {
      repository.git('config', key, value);
    }
    await sweep(repository);
    expect(refs(repository)).toContain('refs/remotes/origin/topic');
    expect(refs(repository)).not.toContain('refs/tags/v1');
    expect(existsSync(repository.path('.git/FETCH_HEAD'))).toBe(false);
  });

  it('never lets a mirror refspec overwrite local branches', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.git('checkout', '--quiet', 'topic');
    repository.change(ALPHA, 30, 'only here');
    repository.toMain();
    repository.git('config', '--replace-all', 'remote.origin.fetch', '+refs/*:refs/*');
    const [topic, main] = [repository.id('topic'), repository.id('main')];
    const { document } = await sweep(repository);
    expect([repository.id('topic'), repository.id('main')]).toEqual([topic, main]);
    expect(document.repository.base?.ref).toBe('refs/coppice/remotes/origin/main');
    expect(branchesOf(document).get('topic')?.reason.code).toBe('unmerged');
  });

  it('brings the default branch to a place of its own where the refspec does not', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.git('config', '--replace-all', 'remote.origin.fetch', '+refs/heads/topic:refs/remotes/origin/topic');
    repository.git('update-ref', '-d', 'refs/remotes/origin/main');
    const { document } = await sweep(repository);
    expect(document.repository.base?.ref).toBe('refs/coppice/remotes/origin/main');
    expect(branchesOf(document).get('topic')?.reason.code).toBe('landed');
    expect(branchesOf(document).get('main')?.reason.code).toBe('default-branch');
  });

  it('follows a default branch that was renamed on the remote', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.gitWith({ cwd: repository.origin }, 'branch', '--quiet', '-m', 'main', 'wood');
    repository.gitWith({ cwd: repository.origin }, 'symbolic-ref', 'HEAD', 'refs/heads/wood');
    const { document } = await sweep(repository);
    expect(document.repository.base).toMatchObject({ ref: 'refs/remotes/origin/wood', how: 'remote-head' });
    expect(branchesOf(document).get('topic')?.reason.code).toBe('landed');
  });

  it('says that it could not, and judges by what was last fetched', async () => {
    const repository = temporaryRepository();
    repository.branch('topic');
    repository.change(ALPHA, 10, 'one');
    repository.toMain();
    repository.squash('topic');
    repository.publish();
    rmSync(repository.origin, { recursive: true });
    const { document, code } = await sweep(repository);
    expect(document.fetch.status).toBe('failed');
    expect(document.doubts.map((doubt) => doubt.code)).toContain('remote-unverified');
    expect(branchesOf(document).get('topic')?.action).toBe('delete');
    expect(code).toBe(0);
  });

  it('has nothing to read where there is no remote', async () => {
    const repository = temporaryRepository();
    repository.git('remote', 'remove', 'origin');
    expect((await sweep(repository)).document.fetch.status).toBe('no-remote');
  });

  it('takes one of several remotes only by name', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.git('remote', 'rename', 'origin', 'home');
    repository.git('remote', 'add', 'away', repository.origin);
    const { document, code } = await sweep(repository);
    expect(document.repository.base).toBeNull();
    expect(branchesOf(document).get('topic')?.reason.code).toBe('base-unknown');
    expect(code).toBe(2);
    const named = await sweep(repository, '--remote', 'home');
    expect(branchesOf(named.document).get('topic')?.action).toBe('delete');
  });

  it('refuses a remote that is not there', async () => {
    const repository = temporaryRepository();
    const result = await runCli([...SWEEP, '--remote', 'nowhere'], { cwd: repository.work, env: repository.env });
    expect(result.code).toBe(2);
    expect(result.json).toMatchObject({ schema: 'coppice.error.v1', code: 'no-such-remote' });
  });

  it('runs no hook and no program that the repository names', async () => {
    const repository = temporaryRepository();
    mergedElsewhere(repository);
    repository.write('.git/hooks/reference-transaction', '#!/bin/sh\ntouch "$PWD/ran"\n');
    repository.executable('.git/hooks/reference-transaction');
    await sweep(repository);
    expect(existsSync(repository.path('ran')) || existsSync(repository.path('.git/ran'))).toBe(false);
  });
});

describe('a base that the remote does not have any more', () => {
  /** The remote's default branch is gone; the remote-tracking branch stands, since nothing is pruned. */
  function withoutMain(renamed: boolean): Repository {
    const r = temporaryRepository();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.squash('topic');
    r.publish();
    const at = (...args: string[]) => r.gitWith({ cwd: r.origin }, ...args);
    if (renamed) at('branch', 'stable', 'main');
    at('update-ref', '-d', 'refs/heads/main');
    return r;
  }

  it.each([
    [true, []],
    [false, []],
    [true, ['--base', 'stable']],
  ])('holds, and a base that it has is taken (renamed: %s, %j)', async (renamed, args) => {
    const r = withoutMain(renamed);
    const { document } = await sweep(r, ...args);
    const topic = branchesOf(document).get('topic');
    expect(document.fetch.status).toBe('fresh');
    expect(topic?.action).toBe(args.length > 0 ? 'delete' : 'keep');
    if (args.length === 0) expect(topic?.reason.code).toBe('base-unknown');
  });

  it.each(['main', 'origin/main', 'refs/remotes/origin/main'])(
    'is none when it is asked for by name: %s',
    async (name) => {
      const r = withoutMain(true);
      const run = await runCli(['sweep', '--json', '--base', name, '--only', 'branch'], { cwd: r.work, env: r.env });
      if (name === 'main') {
        // The local branch of that name is there, and meant when nothing else is.
        expect(branchesOf(sweepOf(run)).get('topic')?.action).toBe('delete');
        return;
      }
      expect([run.code, run.json?.schema]).toEqual([2, 'coppice.error.v1']);
    },
  );
});
