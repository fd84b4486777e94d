/**
 * A git that fails, is cut off or prints nonsense at any of its calls, a disk that is full, folders that may not be
 * written: something may not be done then, and nothing is lost. `npm run torture` goes through every call.
 */
import { chmodSync, closeSync, cpSync, existsSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  APPLY,
  applySweep,
  filesBelow,
  hook,
  missing,
  reachable,
  squashedRepository,
  standing,
  undo,
} from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { countGit } from '../support/count-git.ts';
import { hangingGit, MISDEEDS, type Misdeed, misbehavingGit } from '../support/misbehave.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';
import { stateOf } from '../support/state.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const seed = Number(process.env['COPPICE_TEST_SEED'] ?? 1);
const misdeeds = Object.keys(MISDEEDS) as Misdeed[];

/**
 * The numbers of some of these calls, other ones for each misdeed. What is cut off in the middle of a conversation with
 * git shows as silence, for which it is waited for a minute: that is for `npm run torture`.
 */
function callsOf(calls: readonly string[], misdeed: Misdeed): number[] {
  const talks = (call: string) => call.startsWith('update-ref') && misdeed !== 'fail' && misdeed !== 'garbage';
  return calls.flatMap((call, index) => {
    const isChosen = (index + 1) % 24 === (misdeeds.indexOf(misdeed) * 5 + seed) % 24 && !talks(call);
    return isWhole || isChosen ? [index + 1] : [];
  });
}

async function callsIn(r: Repository, words: readonly string[]): Promise<readonly string[]> {
  const counter = countGit(r.places.root, r.env);
  await runCli(words, { cwd: r.work, env: counter.env });
  return counter.calls();
}

/** Leaves so many KiB free on the disk. */
function fill(disk: string, room: number): void {
  const filler = openSync(join(disk, 'filler'), 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(filler, Buffer.alloc(4096));
  } catch {
    ftruncateSync(filler, Math.max(0, size - room * 1024));
  } finally {
    closeSync(filler);
  }
}

/** Whatever it said: nothing is lost, and what was done can be undone. */
async function expectNothingLost(r: Repository, before: ReadonlyMap<string, string>, told: string): Promise<void> {
  const back = await undo(r, '--last');
  const isBack = back.json?.schema === 'coppice.error.v1' && back.json.code === 'nothing-to-undo';
  expect([told, back.code === 0 || isBack, back.json]).toEqual([told, true, expect.anything()]);
  expect([told, standing(r)]).toEqual([told, before]);
}

describe('a git that does wrong at one call', () => {
  it.each(misdeeds)('%s', async (misdeed) => {
    const seedling = squashedRepository('a', 'b');
    const counted = temporaryRepository(seedling);
    const all = await callsIn(counted, APPLY);
    for (const call of callsOf(all, misdeed)) {
      const r = temporaryRepository(seedling);
      const [before, objects] = [standing(r), reachable(r)];
      const told = `seed ${seed}: ${misdeed} at call ${call} of ${all.length}`;
      const result = await runCli(APPLY, { cwd: r.work, env: misbehavingGit(r.places.root, r.env, misdeed, call) });
      expect([told, [0, 1, 2].includes(result.code ?? -1)]).toEqual([told, true]);
      expect([told, missing(r, objects)]).toEqual([told, []]);
      await expectNothingLost(r, before, told);
    }
  });

  it('of an undo', async () => {
    const seedling = squashedRepository('a', 'b');
    const counted = temporaryRepository(seedling);
    await applySweep(counted);
    const words = ['undo', '--last', '--json'];
    const all = await callsIn(counted, words);
    for (const misdeed of misdeeds) {
      for (const call of callsOf(all, misdeed)) {
        const r = temporaryRepository(seedling);
        const before = standing(r);
        await applySweep(r);
        const told = `seed ${seed}: ${misdeed} at call ${call} of ${all.length}`;
        await runCli(words, { cwd: r.work, env: misbehavingGit(r.places.root, r.env, misdeed, call) });
        const again = await undo(r, '--last');
        expect([told, again.code === 0 || again.code === 2]).toEqual([told, true]);
        for (const name of ['a', 'b'])
          expect([told, standing(r).get(`refs/heads/${name}`)]).toEqual([told, before.get(`refs/heads/${name}`)]);
      }
    }
  });
});

// Minutes of waiting: only in the whole form.
if (isWhole) {
  it('a git that hangs, or has a hook that hangs', { timeout: 600_000 }, async () => {
    const seedling = squashedRepository('a');
    for (const call of [3, 9, 12, 15, 18]) {
      const r = temporaryRepository(seedling);
      const before = standing(r);
      await runCli(APPLY, { cwd: r.work, env: hangingGit(r.places.root, r.env, call), timeout: 400_000 });
      await expectNothingLost(r, before, `hangs from call ${call} on`);
    }
    const r = temporaryRepository(seedling);
    const before = standing(r);
    hook(r, 'test "$1" != prepared || exec sleep 200');
    expect((await applySweep(r, { timeout: 400_000 })).outcomes.get('a')?.status).toBe('failed');
    expect(filesBelow(r.path('.git/refs')).filter((file) => file.endsWith('.lock'))).toEqual([]);
    r.delete('.git/hooks/reference-transaction');
    await expectNothingLost(r, before, 'a hook that hangs');
  });
}

describe('where nothing can be written', () => {
  it.each([
    ['.', 'state-or-lock'],
    ['refs/heads', 'refs'],
    ['.git/coppice', 'state'],
  ])('%s', async (place) => {
    if (!isRoot) throw new Error('this test gives files to another account');
    const r = squashedRepository('a');
    const before = standing(r);
    giveAway(r.places.root);
    const folder = place === '.' ? r.path('.git') : place === 'refs/heads' ? r.path('.git/refs/heads') : stateOf(r);
    if (place === '.git/coppice')
      await runCli(['sweep', '--apply', '--no-fetch', '--only', 'worktree', '--idle', '0s'], {
        cwd: r.work,
        env: r.env,
        ...unprivileged,
      });
    if (!existsSync(folder)) return;
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const result = await runCli(APPLY, { cwd: r.work, env: r.env, ...unprivileged });
    expect(result.code).toBe(2);
    expect(standing(r)).toEqual(before);
  });

  it('a disk that is full', async () => {
    if (!canMount || !isRoot) throw new Error('this test mounts something');
    const seedling = squashedRepository('a');
    for (const room of [0, 8, 40, 90]) {
      const r = temporaryRepository(seedling);
      const disk = join(r.places.root, 'disk');
      mountEmpty(disk, '2m');
      const work = join(disk, 'work');
      cpSync(r.work, work, { recursive: true });
      r.work = work;
      giveAway(r.places.root);
      const before = standing(r);
      fill(disk, room);
      const result = await runCli(APPLY, { cwd: r.work, env: r.env, ...unprivileged });
      expect([0, 2]).toContain(result.code);
      rmSync(join(disk, 'filler'));
      const back = await runCli(['undo', '--last', '--json'], { cwd: r.work, env: r.env, ...unprivileged });
      expect([0, 2]).toContain(back.code);
      expect([room, standing(r)]).toEqual([room, before]);
    }
  });
});
