/** Settings that a sweep obeys, from the user's file and from the repository's. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, look, runCli } from '../support/cli.ts';
import { ALPHA, type Repository, temporaryRepository } from '../support/repository.ts';

function mergedTopic(): Repository {
  const repository = temporaryRepository();
  repository.branch('topic');
  repository.change(ALPHA, 10, 'one');
  repository.toMain();
  repository.squash('topic');
  repository.publish();
  return repository;
}

function userSettings(repository: Repository, text: string): void {
  const folder = join(repository.env.HOME as string, '.config', 'coppice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), text);
}

describe('settings', () => {
  it('name the kinds of leftover to look at, unless the caller does', async () => {
    const repository = mergedTopic();
    userSettings(repository, '[sweep]\nkinds = ["worktree"]\n');
    expect((await look(repository)).rows.map((row) => row.kind)).toEqual(['worktree']);
    const asked = await runCli(['sweep', '--json', '--no-fetch', '--only', 'branch'], {
      cwd: repository.work,
      env: repository.env,
    });
    expect(asked.json).toMatchObject({ rows: [{ kind: 'branch' }, { kind: 'branch' }] });
  });

  it('protect branches by name, the repository too, and only the user unprotects', async () => {
    const repository = mergedTopic();
    repository.git('branch', 'dev', 'topic');
    repository.write('coppice.toml', ['[protect]', 'branches = ["top*", "!dev"]']);
    userSettings(repository, '');
    const rows = branchesOf(await look(repository));
    expect(rows.get('topic')?.reason.code).toBe('protected');
    expect(rows.get('dev')?.reason.code).toBe('protected');
    userSettings(repository, '[protect]\nbranches = ["!dev"]\n');
    expect(branchesOf(await look(repository)).get('dev')?.action).toBe('delete');
  });

  it('name the base and the namespace of reservations', async () => {
    const repository = mergedTopic();
    repository.git('branch', 'held/one', 'topic');
    repository.git('branch', 'wood', 'main~1');
    userSettings(repository, 'base = "refs/heads/wood"\n[reservations]\nnamespace = "held"\n');
    const sweep = await look(repository);
    expect(sweep.repository.base).toMatchObject({ ref: 'refs/heads/wood', how: 'config' });
    expect(branchesOf(sweep).get('topic')?.reason.code).toBe('unmerged');
    expect(branchesOf(sweep).get('held/one')?.reason.code).toBe('reserved-ref');
  });

  it.each(['[protect]\nbranch = ["x"]\n', '[protect\n', 'base = 3\n'])(
    'with a mistake end the run: %j',
    async (text) => {
      const repository = mergedTopic();
      userSettings(repository, text);
      const result = await runCli(['sweep', '--json', '--no-fetch'], { cwd: repository.work, env: repository.env });
      expect(result.code).toBe(2);
      expect(result.json).toMatchObject({ schema: 'coppice.error.v1', code: 'settings-invalid' });
    },
  );
});
