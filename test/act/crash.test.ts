/**
 * A crash at any step of a deletion, an undo or a purge: nothing is lost, and the next verb that acts makes it whole.
 * `npm run torture` goes through all steps; here are some of them. `COPPICE_TEST_SEED=7` takes those of that seed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  APPLY,
  applySweep,
  filesBelow,
  journalOf,
  missing,
  reachable,
  squashedRepository,
  standing,
  undo,
} from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { crashing, stepsTaken } from '../support/crash.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const seed = Number(process.env['COPPICE_TEST_SEED'] ?? 1);
const SOME = 2;

/** Which steps of `all`: every one, or some that are spread over them. */
function stepsOf(all: number): number[] {
  const steps = Array.from({ length: all }, (_, index) => index + 1);
  if (isWhole) return steps;
  const stride = Math.max(1, Math.floor(all / SOME));
  return steps.filter((step) => step % stride === seed % stride);
}

async function crash(r: Repository, words: readonly string[], at: number, when: 'before' | 'after'): Promise<void> {
  const env = crashing(r.places.root, r.env, at, when);
  await runCli(
    words.filter((word) => word !== '--json'),
    { cwd: r.work, env },
  ).catch(() => undefined);
  await settled(r);
}

/** The git that it had started ends by itself. */
async function settled(r: Repository): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!filesBelow(r.path('.git/refs')).some((file) => file.endsWith('.lock'))) return;
    await sleep(10);
  }
}

async function count(r: Repository, words: readonly string[]): Promise<number> {
  await runCli(words, { cwd: r.work, env: crashing(r.places.root, r.env, null, 'before') });
  return stepsTaken(r.places.root);
}

function noRests(r: Repository): void {
  expect(filesBelow(r.path('.git')).filter((file) => /\.lock$|config\.next|\/purging\//.test(file))).toEqual([]);
}

describe('a crash', () => {
  it('of a sweep that acts', async () => {
    const seedling = squashedRepository('a', 'b');
    const steps = stepsOf(await count(temporaryRepository(seedling), APPLY));
    for (const [index, at] of steps.entries()) {
      const when = (index + seed) % 2 === 0 ? 'before' : 'after';
      const r = temporaryRepository(seedling);
      const told = `seed ${seed}: ${when} step ${at}`;
      const [before, objects] = [standing(r), reachable(r)];
      await crash(r, APPLY, at, when);
      r.git('-c', 'gc.reflogExpire=never', '-c', 'gc.reflogExpireUnreachable=never', 'gc', '--quiet', '--prune=now');
      expect(missing(r, objects), told).toEqual([]);
      const back = await undo(r, '--last');
      expect([told, back.code, back.json]).toEqual([
        told,
        expect.any(Number),
        back.code === 0 ? expect.anything() : expect.objectContaining({ code: 'nothing-to-undo' }),
      ]);
      expect([told, standing(r)]).toEqual([told, before]);
      noRests(r);
      expect((await applySweep(r)).outcomes.get('a')?.status, told).toBe('done');
    }
  });

  it('of an undo', async () => {
    const words = ['undo', '--last'];
    const seedling = squashedRepository('a', 'b');
    const counted = temporaryRepository(seedling);
    await applySweep(counted);
    for (const at of stepsOf(await count(counted, words))) {
      const r = temporaryRepository(seedling);
      const own = standing(r);
      await applySweep(r);
      await crash(r, words, at, at % 2 === 0 ? 'before' : 'after');
      const told = `step ${at}`;
      const back = await undo(r, '--last');
      const isBack = back.json?.schema === 'coppice.error.v1' && back.json.code === 'nothing-to-undo';
      expect([told, back.code === 0 || isBack, back.json]).toEqual([told, true, expect.anything()]);
      expect([told, standing(r)]).toEqual([told, own]);
      noRests(r);
    }
  });

  it('of a purge', async () => {
    const words = ['purge', '--all', '--apply'];
    const seedling = squashedRepository('a');
    const counted = temporaryRepository(seedling);
    await applySweep(counted);
    for (const at of stepsOf(await count(counted, words))) {
      const r = temporaryRepository(seedling);
      const objects = reachable(r);
      await applySweep(r);
      await crash(r, words, at, at % 2 === 0 ? 'before' : 'after');
      const { code } = await runCli([...words, '--json'], { cwd: r.work, env: r.env });
      expect([0, 1]).toContain(code);
      noRests(r);
      expect(filesBelow(r.path('.git/coppice/trash'))).toEqual([]);
      expect(journalOf(r).filter((line) => line.startsWith('purge intent')).length).toBeLessThanOrEqual(2);
      expect(missing(r, objects)).toEqual([]);
    }
  });
});
