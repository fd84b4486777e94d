/** `list`: the worktrees at a glance. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listSchema } from '../../src/contract/sweep.ts';
import { entry, runCli } from '../support/cli.ts';
import { ALPHA, type Repository, temporaryRepository } from '../support/repository.ts';
import { standInGit, withProgramsOf } from '../support/programs.ts';
import { snapshot } from '../support/snapshot.ts';

function desks(): Repository {
  const r = temporaryRepository();
  r.branch('done');
  r.change(ALPHA, 10, 'one');
  r.toMain();
  r.squash('done');
  r.publish();
  r.worktree('done', 'done');
  r.git('branch', 'feature/busy');
  const busy = r.worktree('busy', 'feature/busy');
  writeFileSync(join(busy, 'begun'), 'begun');
  r.git('-C', busy, 'add', 'begun');
  r.git('-C', busy, 'commit', '--quiet', '--message=begun');
  r.git('-C', busy, 'rm', '-q', '--cached', ALPHA);
  return r;
}

async function list(r: Repository, ...args: string[]) {
  return runCli(['list', ...args], { cwd: r.work, env: r.env });
}

describe('list', () => {
  it('tells state, size, merged or not and what sweep would take, as a table', async () => {
    const r = desks();
    const { stdout, code } = await list(r);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(lines[2]).toEqual(['worktree', 'state', 'holder', 'merged', 'sweep', 'age', 'size', 'path']);
    const row = (name: string) => lines.find(([first]) => first === name) ?? [];
    expect(row('main').slice(1, 2)).toEqual(['clean']);
    expect(row('done').slice(1, 2)).toEqual(['clean']);
    expect(row('done').slice(3, 5)).toEqual(['landed', 'recent-write']);
    expect(row('feature/busy').slice(1, 2)).toEqual(['1 staged, 1 untracked']);
    expect(row('feature/busy').slice(3, 5)).toEqual(['no', 'staged']);
    expect(row('done')[6]).toMatch(/^\d+(?:\.\d)? (?:B|KiB|MiB)$/);
  });

  it('counts the age from the newest write, not from looking', async () => {
    const r = desks();
    const then = new Date(Date.now() - 50 * 60 * 60 * 1000);
    const done = r.path('../done');
    for (const file of r.gitWith({ cwd: done }, 'ls-files').toString().trim().split('\n')) {
      utimesSync(join(done, file), then, then);
    }
    utimesSync(join(done, '.git'), then, then);
    const { stdout } = await list(r);
    expect(/^done +clean +- +landed +remove +(\S+) /m.exec(stdout)?.[1]).toBe('2d');
    expect((await list(r)).stdout).toBe(stdout);
  });

  it('prints one document of its own form, with sizes and times, and changes nothing', async () => {
    const r = desks();
    const before = snapshot(r.places.root);
    const { stdout, code } = await runCli(['list', '--json'], { cwd: r.work, env: { ...r.env, COPPICE_CACHE: 'off' } });
    expect(code).toBe(0);
    expect(snapshot(r.places.root)).toEqual(before);
    const document = v.parse(listSchema, JSON.parse(stdout));
    expect(document.rows.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'worktree main',
      'worktree feature/busy',
      'worktree done',
    ]);
    for (const row of document.rows) {
      if (row.kind !== 'worktree') throw new Error('only worktrees are listed');
      expect(row.state.bytes.value).toBeGreaterThan(0);
      expect(row.state.lastWrite).not.toBeNull();
    }
  });

  it('shows the names at once on a terminal, and the rest in their place', async () => {
    const r = desks();
    const folder = standInGit(r.places.root, 'case " $* " in *" status "*) sleep 1 ;; esac\nexec "$GIT" "$@"');
    const env = { ...withProgramsOf(folder, r.env), TERM: 'xterm', NO_COLOR: '1' };
    const terminal = execFile('script', ['-qec', `'${process.execPath}' '${entry}' list`, '/dev/null'], {
      cwd: r.work,
      env,
    });
    let shown = '';
    let early = '';
    terminal.stdout?.on('data', (chunk: string) => {
      if (early === '') early = chunk;
      shown += chunk;
    });
    await once(terminal, 'close');
    expect(early).toMatch(/^reading…\s+worktree +state/);
    expect(early).toMatch(/feature\/busy +… +… +… +… +…/);
    expect(early).not.toContain('staged');
    const last = shown.split('\u001b[J').at(-1) ?? '';
    expect(last).toMatch(/feature\/busy +1 staged, 1 u.*… +- +no +staged/);
  });

  it('answers 0 where there is none, and 64 to what it does not know', async () => {
    const r = temporaryRepository();
    r.git('clone', '--quiet', '--bare', r.work, r.path('../bare.git'));
    const bare = await runCli(['list'], { cwd: r.path('../bare.git'), env: r.env });
    expect([bare.code, bare.stdout]).toEqual([0, expect.stringContaining('There is no worktree.')]);
    expect((await list(r, '--apply')).code).toBe(64);
  });
});
