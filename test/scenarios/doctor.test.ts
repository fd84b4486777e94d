/** What is broken or stale is said, each with a command; and that command mends it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorDocument } from '../../src/contract/doctor.ts';
import { type CliOptions, runCli } from '../support/cli.ts';
import { occupy } from '../support/occupants.ts';
import type { Repository } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';
import { gitAt, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

async function doctor(r: Repository, options: Partial<CliOptions> = {}) {
  const run = await runCli(['doctor', '--json'], { cwd: r.work, env: r.env, ...options });
  if (run.json?.schema !== 'coppice.doctor.v1') throw new Error(`no doctor: ${run.stdout}${run.stderr}`);
  expect(run.code).toBe(run.json.ailments.length === 0 ? 0 : 1);
  return run.json.ailments;
}

const codes = (ailments: DoctorDocument['ailments']) => ailments.map(({ code }) => code);

/** Runs the commands as a person would. */
function mend(r: Repository, ailments: DoctorDocument['ailments']): void {
  for (const { mend: command } of ailments) {
    if (command === null) throw new Error('nothing mends it');
    execFileSync('sh', ['-c', command], { cwd: r.work, env: r.env, stdio: 'ignore' });
  }
}

const lockFile = (r: Repository, desk: string) => join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), 'index.lock');

/** A lock file that was written so many hours ago. */
function leaveLock(r: Repository, desk: string, hours: number): void {
  const file = lockFile(r, desk);
  writeFileSync(file, '');
  const time = new Date(Date.now() - hours * 3_600_000);
  utimesSync(file, time, time);
}

const MENDED: Readonly<Record<string, readonly [code: string, hurt: (r: Repository, desk: string) => void]>> = {
  'a worktree without its .git file': ['pointer-broken', (_r, desk) => rmSync(join(desk, '.git'))],
  'an old lock file that nobody has open': ['index-locked', (r, desk) => leaveLock(r, desk, 2)],
  'core.bare beside a worktree': ['core-bare-set', (r) => r.git('config', 'core.bare', 'true')],
};

describe('doctor', () => {
  it('finds nothing in a sound repository, and says so', async () => {
    const { r } = temporaryDesk();
    const run = await runCli(['doctor'], { cwd: r.work, env: r.env });
    expect([run.code, run.stdout]).toEqual([0, `${r.work}: nothing is broken or stale.\n`]);
  });

  it.each(Object.entries(MENDED))('finds %s, and the command mends it', async (_what, [code, hurt]) => {
    const { r, desk } = temporaryDesk();
    hurt(r, desk);
    const found = (await doctor(r)).filter((one) => one.code === code);
    expect(codes(found)).toEqual([code]);
    mend(r, found);
    expect(codes(await doctor(r))).not.toContain(code);
  });

  it('writes nothing', async () => {
    const { r, desk } = temporaryDesk();
    for (const [, hurt] of Object.values(MENDED).slice(1)) hurt(r, desk);
    const before = snapshot(r.places.root);
    await runCli(['doctor'], { cwd: r.work, env: { ...r.env, COPPICE_CACHE: 'off' } });
    expect(snapshot(r.places.root)).toEqual(before);
  });

  it('names no command where one could lose something, or cannot be sure', async () => {
    const { r, desk } = temporaryDesk();
    const other = r.worktree('other', 'topic', '-b', 'other');
    const third = r.worktree('third', 'topic', '-b', 'third');
    gitAt(r, desk, 'checkout', '-q', '--detach');
    writeFileSync(join(desk, 'new'), 'only here\n');
    gitAt(r, desk, 'add', 'new');
    gitAt(r, desk, 'commit', '-q', '-m', 'only here');
    rmSync(desk, { recursive: true });
    renameSync(other, `${other}-moved`);
    writeFileSync(other, 'a file');
    truncateSync(join(gitAt(r, third, 'rev-parse', '--absolute-git-dir'), 'index'), 20);
    const found = await doctor(r);
    expect(found.map(({ code, mend: command }) => [code, command])).toEqual([
      ['missing', null],
      ['wrong-occupant', null],
      ['repository-damaged', null],
    ]);
    expect(found.map(({ row }) => row)).toEqual(['worktree:desk', 'worktree:other', 'worktree:third']);
  });

  it('never says to forget a worktree that is not seen: it may be elsewhere, and its index has what is staged', async () => {
    const { r, desk } = temporaryDesk();
    writeFileSync(join(desk, 'work'), 'a day of it\n');
    gitAt(r, desk, 'add', 'work');
    renameSync(desk, `${desk}-moved`);
    const found = await doctor(r);
    expect(found).toMatchObject([{ code: 'missing', row: 'worktree:desk', mend: null }]);
    const way = `git -C ${r.work} worktree repair NEWPATH`;
    expect(found[0]?.text).toBe(`its folder is not there; if it was moved: ${way}`);
    execFileSync('sh', ['-c', way.replace('NEWPATH', `${desk}-moved`)], { env: r.env, stdio: 'ignore' });
    expect(await doctor(r)).toEqual([]);
    expect(gitAt(r, `${desk}-moved`, 'status', '--porcelain')).toBe('A  work');
  });

  it('names no removal of a lock file that is young, or of a worktree where somebody is', async () => {
    const { r, desk } = temporaryDesk();
    const lockIn = async () => (await doctor(r)).filter(({ code }) => code === 'index-locked');
    for (const hours of [0, 0.9, -5]) {
      leaveLock(r, desk, hours);
      expect(await lockIn()).toMatchObject([{ mend: null }]);
    }
    leaveLock(r, desk, 2);
    expect(await lockIn()).toMatchObject([{ mend: `rm ${lockFile(r, desk)}` }]);
    const { end } = await occupy([['cd', desk]]);
    expect(await lockIn()).toMatchObject([{ mend: null }]);
    await end();
  });

  it('names no repair of all while one is missing, or something else is in the place of one', async () => {
    const { r, desk } = temporaryDesk();
    const other = r.worktree('other', 'topic', '-b', 'other');
    rmSync(join(desk, '.git'));
    const mends = async () => (await doctor(r)).map(({ code, mend: command }) => [code, command]);
    expect(await mends()).toEqual([['pointer-broken', `git -C ${r.work} worktree repair`]]);
    renameSync(other, `${other}-moved`);
    expect(await mends()).toEqual([
      ['pointer-broken', null],
      ['missing', null],
    ]);
    r.git('init', '-q', other);
    expect(await mends()).toEqual([
      ['pointer-broken', null],
      ['wrong-occupant', null],
    ]);
  });

  it('says that core.worktree may be meant so, and names no command', async () => {
    const { r, desk } = temporaryDesk();
    r.git('config', 'core.worktree', desk);
    const found = (await doctor(r)).filter(({ code }) => code === 'core-worktree-set');
    expect(found).toMatchObject([{ mend: null, text: expect.stringMatching(/; it may be set on purpose$/) }]);
  });

  it('tells what keeps it from judging: the base, a shallow clone, the processes', async () => {
    const { r } = temporaryDesk();
    const git = (...args: string[]) => r.git(...args);
    git('branch', '-m', 'main', 'trunk-of-ours');
    git('remote', 'set-head', 'origin', '--delete');
    git('update-ref', '-d', 'refs/remotes/origin/main');
    const found = await doctor(r);
    expect(codes(found)).toEqual(['base-unknown']);
    expect(found[0]?.mend).toBe(`git -C ${r.work} remote set-head origin --auto`);

    const shallow = join(r.places.root, 'shallow');
    r.git('clone', '-q', '--depth', '1', `file://${r.origin}`, shallow);
    expect(codes(await doctor(r, { cwd: shallow }))).toEqual(['shallow']);
  });

  it('names no command for a base that no remote can tell', async () => {
    const r = temporaryMerged();
    r.git('branch', '-m', 'main', 'trunk-of-ours');
    r.git('remote', 'remove', 'origin');
    expect(await doctor(r)).toMatchObject([{ code: 'base-unknown', mend: null }]);
  });

  it('names leases and runs that cannot be read, and runs that nobody goes on with', async () => {
    const { r, desk } = temporaryDesk();
    const coppice = (...args: string[]) => runCli(args, { cwd: desk, env: r.env });
    await coppice('lease', 'acquire');
    await coppice('run', 'start', '--title', 'release', '--lane', 'T-1=.');
    const file = (folder: string) => {
      const path = r.path(`.git/coppice/${folder}`);
      return join(path, readdirSync(path)[0] as string);
    };
    const run = JSON.parse(readFileSync(file('runs'), 'utf8')) as { id: string };
    writeFileSync(
      file('runs'),
      JSON.stringify({ ...run, started: '2026-01-01T00:00:00Z', updated: '2026-01-01T00:00:00Z' }),
    );
    const found = await doctor(r);
    expect(found).toMatchObject([{ code: 'run-expired', mend: `coppice run finish ${run.id}` }]);
    await coppice('run', 'finish', run.id);
    expect(await doctor(r)).toEqual([]);
    for (const folder of ['leases', 'runs']) writeFileSync(file(folder), 'x');
    expect(codes(await doctor(r))).toEqual(['runs-unread', 'lease-unreadable']);
  });

  it('names refs and settings that cannot be read', async () => {
    const r = temporaryMerged();
    writeFileSync(r.path('.git/refs/heads/hurt'), 'nothing\n');
    writeFileSync(r.path('coppice.toml'), 'base = "main"\n');
    const found = codes(await doctor(r));
    expect(found).toContain('broken-ref');
    expect(found.filter((code) => code !== 'broken-ref')).toHaveLength(1);
  });

  it('refuses where there is no repository, and keeps to --exit-zero', async () => {
    const { r, desk } = temporaryDesk();
    expect((await runCli(['doctor', '--json'], { cwd: r.places.root, env: r.env })).code).toBe(2);
    rmSync(join(desk, '.git'));
    expect((await runCli(['doctor', '--exit-zero'], { cwd: r.work, env: r.env })).code).toBe(0);
    const told = (await runCli(['doctor'], { cwd: r.work, env: r.env })).stdout;
    expect(told).toContain(`git -C ${r.work} worktree repair`);
    expect(readFileSync(r.path('.git/worktrees/desk/gitdir'), 'utf8')).toBe(`${desk}/.git\n`);
  });
});
