/** git's lock files in a worktree's git directory, and who has them open. */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { known } from '../../src/judge/facts/fact.ts';
import { holdersOf } from '../../src/system/file-holders.ts';
import { look } from '../support/cli.ts';
import { temporaryRepository } from '../support/repository.ts';

async function textOf(prepare: (gitDir: string) => void | Promise<void>): Promise<string | undefined> {
  const r = temporaryRepository();
  r.git('branch', 'topic');
  r.worktree('desk', 'topic');
  r.publish();
  await prepare(r.path('.git/worktrees/desk'));
  const row = (await look(r)).rows.find(({ id }) => id === 'worktree:desk');
  return row?.evidence.find(({ code }) => code === 'index-locked')?.text;
}

/** Starts a process that keeps `file` open; gives its id once it has. */
async function keepOpen(file: string): Promise<number> {
  const child = spawn('sh', ['-c', 'exec 9>"$1"; echo; exec sleep 60', 'sh', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid as number;
}

describe('a lock of git', () => {
  for (const file of ['index.lock', 'HEAD.lock', 'config.worktree.lock']) {
    it(`that nobody has open is named as that: ${file}`, async () => {
      const text = await textOf((gitDir) => writeFileSync(join(gitDir, file), ''));
      expect(text).toBe(`git's ${file} is there: no process has it open`);
    });
  }

  it('names the process that has it open', async () => {
    let pid = 0;
    const text = await textOf(async (gitDir) => {
      pid = await keepOpen(join(gitDir, 'index.lock'));
    });
    expect(text).toBe(`git's index.lock is there: process ${pid} has it open`);
  });

  it('is not free of holders where some processes cannot be looked at, or none', () => {
    const r = temporaryRepository();
    const [file, proc] = [r.path('../lock'), r.path('../proc')];
    writeFileSync(file, '');
    mkdirSync(join(proc, '7', 'fd'), { recursive: true });
    symlinkSync(file, join(proc, '7', 'fd', '3'));
    symlinkSync('socket:[1]', join(proc, '7', 'fd', '4'));
    mkdirSync(join(proc, '8'));
    expect(holdersOf(file, 'linux', proc)).toEqual(known({ pids: [7], all: true }));
    expect(holdersOf(file, 'linux', join(proc, 'none')).kind).toBe('unknown');
    expect(holdersOf(file, 'darwin').kind).toBe('unknown');
    expect(holdersOf(join(proc, 'gone'), 'linux').kind).toBe('unknown');
  });
});
