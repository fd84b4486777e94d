/** Locks of sessions that are dead are taken away on request, on record, and no other ones. */
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UnlockDocument } from '../../src/contract/unlock.ts';
import { unlockDead } from '../../src/act/unlock.ts';
import type { StateWorld } from '../../src/state/world.ts';
import { describeProcess } from '../../src/system/self.ts';
import { type CliOptions, look, runCli } from '../support/cli.ts';
import { canProveDeath } from '../support/namespaces.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import { run } from '../support/processes.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, rowOf, temporaryDesk } from '../support/worktree.ts';

/** No process has so large an id: the kernel's limit is 2^22. */
const GONE = 4_194_305;

async function unlock(r: Repository, options: Partial<CliOptions> = {}) {
  const result = await runCli(['unlock', '--dead', '--json'], { cwd: r.work, env: r.env, ...options });
  if (result.json?.schema !== 'coppice.unlock.v1') throw new Error(`no unlock: ${result.stdout}${result.stderr}`);
  return { code: result.code, worktrees: result.json.worktrees as UnlockDocument['worktrees'] };
}

function lockedDesk(reason: string) {
  const { r, desk } = temporaryDesk();
  r.git('worktree', 'lock', '--reason', reason, desk);
  return { r, desk, file: r.path('.git/worktrees/desk/locked') };
}

function journal(r: Repository): Record<string, unknown>[] {
  const folder = r.path('.git/coppice/journal');
  const lines = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return lines
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const DEAD = [
  `claude session abc (pid ${GONE} start 12345)`,
  `{"owner":"agent","pid":${GONE}}`,
  `owner=agent pid=${GONE}`,
  // The number was given to another process since: this one did not run then.
  `claude agent x (pid ${process.pid} start 1)`,
];
const ALIVE_OR_NOT_KNOWN = [
  '',
  `keep for the post mortem: core dump of nginx, pid ${GONE}`,
  `do not remove, core dump of nginx (pid ${GONE})`,
  `{"owner":"agent","pid":${GONE},"boot":"00000000-0000-0000-0000-000000000000"}`,
  `{"owner":"agent","pid":${process.pid},"started":"2020-01-01T00:00:00Z"}`,
  'on a stick',
  'owner=somebody',
  `claude agent x (pid ${process.pid} start ${describeProcess(process.pid).start})`,
  `{"owner":"agent","pid":${process.pid}}`,
  `{"owner":"agent","pid":${GONE},"host":"another-machine"}`,
];

describe.skipIf(!canProveDeath)('unlock --dead', () => {
  it.each(DEAD)('takes away the lock of a process that is gone: %s', async (reason) => {
    const { r, file } = lockedDesk(reason);
    expect(codesIn(await look(r), 'desk')).toMatchObject({
      holds: ['locked'],
      noted: expect.arrayContaining(['stale-lock']),
    });
    const { code, worktrees } = await unlock(r);
    expect([code, worktrees.map(({ outcome }) => outcome.status)]).toEqual([0, ['done']]);
    expect(existsSync(file)).toBe(false);
    expect(codesIn(await look(r), 'desk')).toMatchObject({ action: 'remove', holds: [] });
    expect(journal(r)).toMatchObject([
      { verb: 'unlock', step: 'intent', detail: { admin: 'desk', reason } },
      { verb: 'unlock', step: 'done' },
    ]);
  });

  it.each(ALIVE_OR_NOT_KNOWN)('leaves every other lock: %s', async (reason) => {
    const { r, file } = lockedDesk(reason);
    const before = readFileSync(file, 'utf8');
    expect(await unlock(r)).toEqual({ code: 1, worktrees: [] });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(r.path('.git/coppice'))).toBe(false);
  });

  it('prints the way back, and it works', async () => {
    const { r, file } = lockedDesk(`it's of (pid ${GONE} start 5)`);
    const before = readFileSync(file, 'utf8');
    const [one] = (await unlock(r)).worktrees;
    run('/bin/sh', ['-c', one?.outcome.undo ?? 'false'], { cwd: '/', env: r.env });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const told = await runCli(['unlock', '--dead'], { cwd: r.work, env: r.env });
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('to lock it again: git -C ')]);
    expect((await runCli(['unlock', '--dead'], { cwd: r.work, env: r.env })).code).toBe(1);
  });

  it('goes through many, and leaves those of the living among them', async () => {
    const { r } = lockedDesk(`x (pid ${GONE} start 5)`);
    for (const [name, reason] of Object.entries({
      a: `y (pid ${GONE} start 6)`,
      b: 'by hand',
      c: `owner=x pid=${process.pid}`,
    }))
      r.git('worktree', 'lock', '--reason', reason, r.worktree(name, 'topic', '-b', name));
    const { code, worktrees } = await unlock(r);
    expect([code, worktrees.map(({ id }) => id).sort()]).toEqual([0, ['worktree:a', 'worktree:desk']]);
    const sweep = await look(r);
    for (const name of ['b', 'c']) expect(codesIn(sweep, name).holds).toEqual(['locked']);
  });

  it('is named by a sweep, in one line for all of them, and by doctor', async () => {
    const { r } = lockedDesk(`x (pid ${GONE} start 5)`);
    r.git('worktree', 'lock', '--reason', `y (pid ${GONE} start 6)`, r.worktree('a', 'topic', '-b', 'a'));
    const { stdout } = await runCli(['sweep', '--no-fetch'], { cwd: r.work, env: r.env });
    expect(stdout).toMatch(/^ {2}coppice unlock --dead +2 worktrees locked by a process that is gone$/m);
    expect((await runCli(['doctor'], { cwd: r.work, env: r.env })).stdout).toContain('    coppice unlock --dead\n');
    expect(rowOf(await look(r), 'desk').state.lock).toEqual({
      reason: `x (pid ${GONE} start 5)`,
      owner: 'x',
      alive: false,
    });
  });

  it('keeps a lock that somebody takes between two looks', async () => {
    const { r, file } = lockedDesk(`x (pid ${GONE} start 5)`);
    const world: StateWorld = {
      env: r.env,
      account: process.getuid?.() ?? null,
      lockWait: 1000,
      self: describeProcess(process.pid),
      caller: describeProcess(process.ppid),
      now: () => Date.now(),
      // The last that is asked for before the lock goes.
      random: (bytes) => {
        writeFileSync(file, 'mine now\n');
        return Buffer.alloc(bytes, 7);
      },
    };
    const [one] = await unlockDead(world, r.work);
    expect(one?.outcome).toEqual({ status: 'kept', text: 'somebody has just locked it', undo: null });
    expect(readFileSync(file, 'utf8')).toBe('mine now\n');
    expect(journal(r).map(({ step }) => step)).toEqual(['intent', 'kept']);
  });

  describe('that was cut off', () => {
    const LEFTOVER = 'locked.20261203T000000Z-desk-0123abcd';

    function cutOff(reason: string) {
      const { r, desk, file } = lockedDesk(reason);
      const aside = join(file, '..', LEFTOVER);
      renameSync(file, aside);
      return { r, desk, file, aside };
    }

    it('leaves a lock that holds, and is put back by the next one', async () => {
      const { r, file, aside } = cutOff('by hand');
      const sweep = await look(r);
      expect(codesIn(sweep, 'desk')).toMatchObject({ action: 'keep', holds: ['locked'] });
      expect(rowOf(sweep, 'desk').reason.text).toContain(`as ${LEFTOVER}, coppice unlock --dead puts it back`);
      expect(rowOf(sweep, 'desk').state.lock).toEqual({ reason: 'by hand', owner: null, alive: null });
      const { code, worktrees } = await unlock(r);
      expect([code, worktrees.map(({ outcome }) => outcome)]).toEqual([
        1,
        [{ status: 'kept', text: 'an unlock was cut off, and its lock is back', undo: null }],
      ]);
      expect([readFileSync(file, 'utf8'), existsSync(aside)]).toEqual(['by hand\n', false]);
      expect(journal(r).map(({ step, detail }) => [step, detail])).toMatchObject([
        ['intent', { aside: LEFTOVER }],
        ['kept', {}],
      ]);
      expect(codesIn(await look(r), 'desk').holds).toEqual(['locked']);
    });

    it('is ended when the process is gone all the same', async () => {
      const { r, file, aside } = cutOff(`x (pid ${GONE} start 5)`);
      expect(codesIn(await look(r), 'desk')).toMatchObject({ action: 'keep', holds: ['locked'] });
      const { code, worktrees } = await unlock(r);
      expect([code, worktrees.map(({ outcome }) => outcome.status)]).toEqual([0, ['done']]);
      expect([existsSync(file), existsSync(aside)]).toEqual([false, false]);
    });

    it('yields to a lock that somebody took since', async () => {
      const { r, file, aside } = cutOff('by hand');
      writeFileSync(file, 'mine now\n');
      expect(await unlock(r)).toEqual({ code: 1, worktrees: [] });
      expect([readFileSync(file, 'utf8'), readFileSync(aside, 'utf8')]).toEqual(['mine now\n', 'by hand\n']);
    });

    it('is not told by other files of a like name', async () => {
      const { r, file } = lockedDesk('by hand');
      renameSync(file, `${file}.orig`);
      expect(codesIn(await look(r), 'desk')).toMatchObject({ action: 'remove', holds: [] });
    });
  });

  it('says what it could not take away, and ends with 2', async () => {
    if (!isRoot) throw new Error('this test gives files to another account');
    const { r, file } = lockedDesk(`x (pid ${GONE} start 5)`);
    giveAway(r.places.root);
    const folder = r.path('.git/worktrees/desk');
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const { code, worktrees } = await unlock(r, unprivileged);
    expect([code, worktrees[0]?.outcome.status]).toEqual([2, 'failed']);
    expect(existsSync(file)).toBe(true);
  });

  it('refuses without --dead, and where there is no repository', async () => {
    const { r } = lockedDesk('x');
    const bare = await runCli(['unlock'], { cwd: r.work, env: r.env });
    expect([bare.code, bare.stderr]).toEqual([64, expect.stringContaining('coppice unlock --dead')]);
    expect((await runCli(['unlock', '--dead'], { cwd: r.places.root, env: r.env })).code).toBe(2);
    const quiet = await runCli(['unlock', '--dead', '--exit-zero'], { cwd: r.work, env: r.env });
    expect([quiet.code, quiet.stdout]).toEqual([0, 'No worktree is locked by a process that is known to be gone.\n']);
  });
});
