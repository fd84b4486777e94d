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
  expectNothingLost,
  missing,
  reachable,
  squashedRepository,
  standing,
  undo,
} from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { countGit } from '../support/count-git.ts';
import { CUTS_OF_A_CONVERSATION, MISDEEDS, type Misdeed, misbehavingGit } from '../support/misbehave.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';
import { stateOf } from '../support/state.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const seed = Number(process.env['COPPICE_TEST_SEED'] ?? 1);
const misdeeds = Object.keys(MISDEEDS) as Misdeed[];

interface Place {
  readonly call: number;
  /** How much of its output comes before it goes wrong. */
  readonly bytes: number;
}

/**
 * Some of these calls, other ones for each misdeed. A conversation is cut off in one answer or in the other: what never
 * comes would be waited for for a minute, which is tested with gits that hang.
 */
function placesOf(calls: readonly string[], misdeed: Misdeed): Place[] {
  return calls.flatMap((line, index): Place[] => {
    const isChosen = (index + 1) % 36 === (misdeeds.indexOf(misdeed) * 5 + seed) % 36;
    if (!isWhole && !isChosen) return [];
    const cuts = line.startsWith('update-ref') && MISDEEDS[misdeed].startsWith('beginning');
    return (cuts ? CUTS_OF_A_CONVERSATION : [900]).map((bytes) => ({ call: index + 1, bytes }));
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

describe('a git that does wrong at one call', () => {
  it.each(misdeeds)('%s', async (misdeed) => {
    const seedling = squashedRepository('a', 'b');
    const counted = temporaryRepository(seedling);
    const all = await callsIn(counted, APPLY);
    for (const { call, bytes } of placesOf(all, misdeed)) {
      const r = temporaryRepository(seedling);
      const [before, objects] = [standing(r), reachable(r)];
      const told = `seed ${seed}: ${misdeed} at call ${call} of ${all.length}, ${bytes} bytes`;
      const env = misbehavingGit(r.places.root, r.env, misdeed, call, bytes);
      const result = await runCli(APPLY, { cwd: r.work, env });
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
      for (const { call, bytes } of placesOf(all, misdeed)) {
        const r = temporaryRepository(seedling);
        const before = standing(r);
        await applySweep(r);
        const told = `seed ${seed}: ${misdeed} at call ${call} of ${all.length}, ${bytes} bytes`;
        await runCli(words, { cwd: r.work, env: misbehavingGit(r.places.root, r.env, misdeed, call, bytes) });
        const again = await undo(r, '--last');
        expect([told, again.code === 0 || again.code === 2]).toEqual([told, true]);
        expect([told, standing(r)]).toEqual([told, before]);
      }
    }
  });
});

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
