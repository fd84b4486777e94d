/** Worktrees in the trash of which a purge or a return ended on the way. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { meddling } from '../support/meddling.ts';
import type { Repository } from '../support/repository.ts';
import { retire, treesIn, wholeOf } from '../support/retired.ts';
import { stateOf } from '../support/state.ts';
import { gitAt, temporaryDesk } from '../support/worktree.ts';

const PURGE = ['purge', '--all', '--apply', '--json'];

/** What a purge came to with the worktree. */
async function purge(r: Repository, cwd = r.work) {
  const { json, stdout } = await runCli(PURGE, { cwd, env: r.env });
  if (json?.schema !== 'coppice.purge.v1') throw new Error(stdout);
  return json.items.find(({ path }) => path !== null)?.outcome;
}

/** The worktree's entry in the trash. */
function entryOf(r: Repository): string {
  return stateOf(r, 'trash', treesIn(r)[0] ?? '');
}

const KILLED = `after('renameSync', (_from, to) => { if (to.endsWith('/purging')) process.kill(process.pid, 'SIGKILL'); });`;

async function cutPurge(r: Repository): Promise<string> {
  const entry = entryOf(r);
  await runCli(['purge', '--all', '--apply'], { cwd: r.work, env: meddling(r, KILLED) }).catch(() => undefined);
  expect(existsSync(join(entry, 'purging'))).toBe(true);
  return entry;
}

it('what a purge that was killed had only moved aside comes back', async () => {
  const { r, desk } = temporaryDesk();
  const before = wholeOf(desk);
  await retire(r, desk);
  await cutPurge(r);
  await undo(r, '--last');
  expect(wholeOf(desk)).toEqual(before);
});

it('what was written to it after a purge was killed is kept by the next one', async () => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  const entry = await cutPurge(r);
  writeFileSync(join(entry, 'purging/late'), 'late');
  expect(await purge(r)).toMatchObject({ status: 'kept', text: expect.stringContaining('late') });
  expect(readFileSync(join(entry, 'tree/late'), 'utf8')).toBe('late');
});

it('a copy of the repository purges no tree that the original has elsewhere', async () => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  const entry = entryOf(r);
  const elsewhere = join(r.places.root, 'elsewhere');
  mkdirSync(elsewhere);
  for (const name of ['tree', 'dot-git', 'sealed']) renameSync(join(entry, name), join(elsewhere, name));
  const file = join(entry, 'worktree.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), elsewhere }), { mode: 0o600 });
  const copy = join(r.places.root, 'copy');
  cpSync(r.work, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  expect(await purge(r, copy)).toMatchObject({ status: 'kept', text: expect.stringContaining('copy') });
  await undo(r, '--last');
  expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
});

it('a worktree that could be brought neither home nor back is ended by who acts next', async () => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  const env = meddling(
    r,
    `let isHome = false;
after('renameSync', (_from, to) => { isHome ||= to === ${JSON.stringify(desk)}; });
before('openSync', (path) => { if (isHome && path.endsWith('dot-git.next')) fail('ENOSPC'); });
before('utimesSync', () => { if (isHome) fail('EIO'); });`,
  );
  expect((await runCli(['undo', '--last', '--json'], { cwd: r.work, env })).code).toBe(2);
  await runCli(PURGE, { cwd: r.work, env: r.env });
  expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  expect(gitAt(r, desk, 'worktree', 'list', '--porcelain')).not.toContain('locked');
});

it('a submodule leads home also after its worktree could not be brought to another place', async () => {
  const { r, desk } = temporaryDesk();
  const part = join(r.places.root, 'part');
  gitAt(r, r.places.root, 'init', '--quiet', part);
  gitAt(r, part, 'commit', '--quiet', '--allow-empty', '--message=part');
  const add = ['submodule', '--quiet', 'add', part, 'part'];
  gitAt(r, desk, '-c', 'protocol.file.allow=always', ...add);
  gitAt(r, desk, 'commit', '--quiet', '--message=part');
  r.squash('topic', 'topic (#2)');
  r.git('push', '--quiet', 'origin', 'main');
  const said = readFileSync(join(desk, 'part/.git'), 'utf8');
  const { mtimeMs } = statSync(join(desk, 'part'));
  const { outcome } = await retire(r, desk);
  const id = outcome.undo?.split(' ')[2] ?? '';
  const env = meddling(r, `before('utimesSync', (path) => { if (path.endsWith('/there')) fail('EIO'); });`);
  const to = join(r.places.root, 'a/b/there');
  expect((await runCli(['undo', id, '--to', to, '--json'], { cwd: r.work, env })).code).toBe(2);
  expect((await runCli(['undo', id, '--json'], { cwd: r.work, env: r.env })).code).toBe(0);
  expect(readFileSync(join(desk, 'part/.git'), 'utf8')).toBe(said);
  expect(statSync(join(desk, 'part')).mtimeMs).toBeCloseTo(mtimeMs, 1);
  expect(gitAt(r, join(desk, 'part'), 'status', '--porcelain')).toBe('');
});

it.each(['coppice/purging/x', 'coppice/trash/x', 'worktrees/x', 'x'])(
  'is not brought back to .git/%s',
  async (place) => {
    const { r, desk } = temporaryDesk();
    const { outcome } = await retire(r, desk);
    const id = outcome.undo?.split(' ')[2] ?? '';
    const { json, code } = await runCli(['undo', id, '--to', join(r.work, '.git', place), '--json'], {
      cwd: r.work,
      env: r.env,
    });
    expect({ code, json }).toMatchObject({ code: 2, json: { code: 'path-taken' } });
    expect(treesIn(r)).toHaveLength(1);
  },
);

it.each([
  ['another commit', 'origin/main'],
  ['another branch', 'other'],
])('%s that is checked out between the look and the lock keeps it', async (_title, what) => {
  const { r, desk } = temporaryDesk();
  r.git('branch', 'other', 'main');
  const flag = JSON.stringify(join(r.places.root, 'once'));
  const code = `before('openSync', (path) => {
  if (!path.endsWith('/locked.coppice') || fs.existsSync(${flag})) return;
  fs.mkdirSync(${flag});
  require('node:child_process').execFileSync('git', ['checkout', '--quiet', ${JSON.stringify(what)}, '--'], { cwd: ${JSON.stringify(desk)} });
});`;
  const { outcome } = await retire(r, desk, { env: meddling(r, code) });
  expect(existsSync(join(r.places.root, 'once'))).toBe(true);
  expect(outcome).toMatchObject({ status: 'kept', undo: null });
  expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  expect(gitAt(r, desk, 'rev-parse', 'HEAD')).toBe(r.id(what));
});
