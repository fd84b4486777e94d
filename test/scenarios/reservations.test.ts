/** Reservations, which this version cannot read: where they are in use, every worktree stays. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { look, runCli, sweepOf } from '../support/cli.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, expectCodes, temporaryDesk } from '../support/worktree.ts';

const UNREAD = ['reservations-unread'];

function settings(r: Repository, text: string): void {
  const folder = join(r.env['HOME'] as string, '.config', 'coppice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), text);
}

it.each<[string, (r: Repository) => void, readonly string[]]>([
  ['nothing is said of them', () => {}, []],
  ['the settings say so', (r) => settings(r, '[reservations]\nenabled = true\n'), UNREAD],
  ['the settings say no', (r) => settings(r, '[reservations]\nenabled = false\n'), []],
  ['the repository says so', (r) => r.write('coppice.toml', '[reservations]\nenabled = true\n'), UNREAD],
  ['a branch of the remote was seen', (r) => seen(r, 'refs/remotes/origin/coppice-reserved/x'), UNREAD],
  ['a branch of another remote was seen', (r) => seen(r, 'refs/remotes/fork/coppice-reserved/x/y'), UNREAD],
  [
    'a branch of a remote with a slash in its name was seen',
    (r) => {
      r.git('remote', 'add', 'team/fork', r.origin);
      seen(r, 'refs/remotes/team/fork/coppice-reserved/x');
    },
    UNREAD,
  ],
  ['coppice itself fetched one', (r) => seen(r, 'refs/coppice/remotes/origin/coppice-reserved/x'), UNREAD],
  ['the settings say no, and one was seen', denied, UNREAD],
  ['a local branch has such a name', (r) => seen(r, 'refs/heads/coppice-reserved/x'), []],
  ['a tag has such a name', (r) => seen(r, 'refs/tags/coppice-reserved/x'), []],
  ['a branch of the remote has a longer name', (r) => seen(r, 'refs/remotes/origin/coppice-reserved-2/x'), []],
  ['a branch of the remote has the bare name', (r) => seen(r, 'refs/remotes/origin/coppice-reserved'), []],
  ['a branch of the remote only ends so', (r) => seen(r, 'refs/remotes/origin/topic/coppice-reserved'), []],
])('%s', async (_title, build, holds) => {
  const { r } = temporaryDesk();
  build(r);
  const sweep = await look(r);
  expectCodes(codesIn(sweep, 'desk'), { holds });
  expect(codesIn(sweep, '@').holds).not.toContain('reservations-unread');
  expect(sweep.doubts.filter(({ code }) => code === 'reservations-unread')).toHaveLength(holds.length);
});

it('one that only the remote has is seen when it is asked', async () => {
  const { r } = temporaryDesk();
  r.git('push', '-q', 'origin', 'main:refs/heads/coppice-reserved/x');
  r.git('update-ref', '-d', 'refs/remotes/origin/coppice-reserved/x');
  expectCodes(codesIn(await look(r), 'desk'), {});
  const result = await runCli(['sweep', '--json', '--idle', '0s'], { cwd: r.work, env: r.env });
  expectCodes(codesIn(sweepOf(result), 'desk'), { holds: UNREAD });
});

it('another name may be given to them', async () => {
  const { r } = temporaryDesk();
  settings(r, '[reservations]\nnamespace = "held"\n');
  seen(r, 'refs/remotes/origin/coppice-reserved/x');
  expectCodes(codesIn(await look(r), 'desk'), {});
  seen(r, 'refs/remotes/origin/held/x');
  expectCodes(codesIn(await look(r), 'desk'), { holds: UNREAD });
});

function seen(r: Repository, ref: string): void {
  r.git('update-ref', ref, 'main');
}

function denied(r: Repository): void {
  settings(r, '[reservations]\nenabled = false\n');
  seen(r, 'refs/remotes/origin/coppice-reserved/x');
}
