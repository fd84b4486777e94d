/**
 * A crash at any step of a worktree's way into the trash, out of it, back halfway, and of its deletion: nothing is lost,
 * and the next verb that acts makes it whole. `npm run torture` goes through all steps; here are some of them.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { APPLY, applySweep, filesBelow, missing, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { crashing, stepNames, stepsOn } from '../support/crash.ts';
import type { Environment } from '../support/environment.ts';
import { quoted, standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';
import { treesIn } from '../support/retired.ts';
import {
  bringAll,
  expectWhole,
  forgetSome,
  type Planted,
  planted,
  restsOf,
  seedbed,
  seen,
} from '../support/retiring.ts';
import { gitAt, newMerged } from '../support/worktree.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const seed = Number(process.env['COPPICE_TEST_SEED'] ?? 1);
/** Every which step; for a part of the whole form. */
const every = Number(process.env['COPPICE_TORTURE_EVERY'] ?? 1);
const FOREVER = 3 * 3_600_000;
const LANES = isWhole ? 2 : 1;

const UNDO = ['undo', '--last'];
const PURGE = ['purge', '--all', '--apply'];
/** Verbs that end what was cut off. */
const NEXT: readonly (readonly string[])[] = [UNDO, APPLY, ['purge', '--apply']];

interface Point {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/**
 * After a step all is as before the next one, unless a program was started. Where only some are wanted these are where
 * something is renamed, which is what changes most.
 */
function pointsOf(names: readonly string[], some: number): Point[] {
  const all = names.flatMap((name, index): Point[] => {
    const at = index + 1;
    return name === 'spawn' || at === names.length
      ? [
          { at, when: 'before' },
          { at, when: 'after' },
        ]
      : [{ at, when: 'before' }];
  });
  if (isWhole) return all.filter((_, index) => index % every === seed % every);
  const moves = all.filter(({ at }) => names[at - 1] === 'renameSync');
  const stride = Math.max(1, Math.floor(moves.length / some));
  return moves.filter((_, index) => index % stride === seed % stride).slice(0, some);
}

let bed: Repository | null = null;

afterAll(() => bed?.remove());

function begin(dress = true): Planted {
  bed ??= seedbed(newMerged());
  return planted(bed, dress);
}

type Dress = (env: Environment, r: Repository) => Environment;
const plain: Dress = (env) => env;

/** Runs it to its end and tells its steps. */
async function stepsOf({ r }: Planted, words: readonly string[], dress: Dress = plain): Promise<string[]> {
  await runCli(words, { cwd: r.work, env: crashing(r.places.root, dress(r.env, r), null, 'before') });
  return stepNames(r.places.root);
}

async function crash(
  { r }: Planted,
  words: readonly string[],
  { at, when }: Point,
  dress: Dress = plain,
): Promise<void> {
  const env = crashing(r.places.root, dress(r.env, r), at, when);
  await runCli(
    words.filter((word) => word !== '--json'),
    { cwd: r.work, env },
  ).catch(() => undefined);
  // The git that it had started ends by itself.
  for (let tries = 0; tries < 200; tries += 1) {
    if (!filesBelow(r.path('.git')).some((file) => file.endsWith('.lock') && !file.includes('/coppice/'))) return;
    await sleep(10);
  }
}

/** All of them, in lanes; each gets a number from 0. */
async function each<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const waiting = [...all.entries()];
  const faults: string[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await work(next[1], next[0]);
      } catch (fault) {
        if (!isWhole) throw fault;
        // All that is wrong, since the next to play it costs as much.
        faults.push(String(fault));
        process.stderr.write(`${describeFault(fault)}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (isWhole)
    process.stderr.write(`${all.length} crashes, ${faults.length} wrong: ${expect.getState().currentTestName}\n`);
  expect(faults).toEqual([]);
}

function describeFault(fault: unknown): string {
  const { message, actual, expected } = fault as { message?: string; actual?: unknown; expected?: unknown };
  return `${message}: ${JSON.stringify([actual, expected], (_, value) => (value instanceof Map ? [...value] : value)).slice(0, 6000)}`;
}

/** A place of one's own that is gone in the end. */
async function at(dress: boolean, work: (place: Planted) => Promise<void>): Promise<void> {
  const place = begin(dress);
  try {
    await work(place);
  } finally {
    place.r.remove();
  }
}

async function namesOf(
  words: readonly string[],
  dress: boolean,
  first: readonly (readonly string[])[] = [],
): Promise<string[]> {
  let names: string[] = [];
  await at(dress, async (place) => {
    for (const before of first) await runCli(before, { cwd: place.r.work, env: place.r.env });
    names = await stepsOf(place, words);
  });
  return names;
}

/** Steps of a sweep that do something with such a file. */
async function stepsWith(file: RegExp): Promise<number[]> {
  let steps: number[] = [];
  await at(true, async (place) => {
    await stepsOf(place, APPLY);
    steps = stepsOn(place.r.places.root).flatMap(([, told], index) => (file.test(told) ? [index + 1] : []));
  });
  return steps;
}

const say = (what: string, { at: step, when }: Point, names: readonly string[]) =>
  `seed ${seed}: ${what}, ${when} step ${step} of ${names.length} (${names[step - 1]})`;

/** The verb that comes next; whatever it says, it is let end what was cut off. */
async function next({ r }: Planted, index: number): Promise<string> {
  const words = NEXT[index % NEXT.length] as readonly string[];
  await runCli(words, { cwd: r.work, env: r.env });
  return words.slice(0, 2).join(' ');
}

/** What writes into the worktree once its tree is in the trash, by its next call of git. */
const INTO_TREE = (r: Repository) => `for tree in ${quoted(r.path('.git/coppice/trash'))}/*/tree; do
if [ -d "$tree" ] && [ ! -e "$tree/came-late" ]; then echo late > "$tree/came-late"; fi
done`;
/** The same of its git directory, which is at home until the tree was looked at. */
const INTO_GIT_DIRECTORY = (r: Repository) => `for tree in ${quoted(r.path('.git/coppice/trash'))}/*/tree; do
if [ -d "$tree" ] && [ -d ${quoted(r.path('.git/worktrees/desk'))} ]; then echo late > ${quoted(r.path('.git/worktrees/desk/CAME_LATE'))}; fi
done`;

const writing =
  (body: (r: Repository) => string): Dress =>
  (env, r) =>
    withProgramsOf(standInGit(r.places.root, `${body(r)}\nexec "$GIT" "$@"`), env);

describe('a crash', { timeout: FOREVER }, () => {
  it('of a sweep that retires a worktree', async () => {
    const names = await namesOf(APPLY, true);
    await each(pointsOf(names, 1), (point, index) =>
      at(true, async (place) => {
        const [whole, isAll] = [seen(place), index % 2 === 1];
        await crash(place, APPLY, point);
        const isAside = forgetSome(place, isAll);
        const told = `${say('retire', point, names)}, then ${await next(place, index)}`;
        await bringAll(place, told);
        expectWhole(place, whole, told, { isAll, isAside });
        if (index % 4 === 0)
          expect([told, (await applySweep(place.r)).sweep.rows.find(({ id }) => id === 'worktree:desk')]).toMatchObject(
            [told, { outcome: { status: 'done' } }],
          );
      }),
    );
  });

  it('of an undo', async () => {
    const names = await namesOf(UNDO, true, [APPLY]);
    await each(pointsOf(names, 1), (point, index) =>
      at(true, async (place) => {
        const [whole, isAll] = [seen(place), index % 2 === 1];
        await applySweep(place.r);
        await crash(place, UNDO, point);
        const isAside = forgetSome(place, isAll);
        const told = `${say('undo', point, names)}, then ${await next(place, index)}`;
        await bringAll(place, told);
        expectWhole(place, whole, told, { isAll, isAside });
      }),
    );
  });

  it.each([
    ['its tree', INTO_TREE, /(?:^|\/)came-late$/],
    ['its git directory', INTO_GIT_DIRECTORY, /(?:^|\/)CAME_LATE$/],
  ])('of a rollback, since something came into %s', async (_title, body, more) => {
    const dress = writing(body);
    let names: string[] = [];
    await at(true, async (place) => {
      names = await stepsOf(place, APPLY, dress);
      expect(existsSync(place.desk)).toBe(true);
    });
    // Until the tree is gone it is as without.
    const from = names.indexOf('linkSync');
    await each(
      pointsOf(names, 1).filter((point) => !isWhole || point.at > from),
      (point, index) =>
        at(true, async (place) => {
          const [whole, isAll] = [seen(place), index % 2 === 1];
          await crash(place, APPLY, point, dress);
          const isAside = forgetSome(place, isAll);
          const told = `${say('rollback', point, names)}, then ${await next(place, index)}`;
          await bringAll(place, told);
          expectWhole(place, whole, told, { isAll, isAside, more });
        }),
    );
  });

  it('of a purge', async () => {
    const names = await namesOf(PURGE, false, [APPLY]);
    await each(pointsOf(names, 1), (point, index) =>
      at(false, async (place) => {
        const { r, desk } = place;
        const [whole, isAll] = [seen(place), index % 2 === 1];
        await applySweep(r);
        await crash(place, PURGE, point);
        const isAside = forgetSome(place, isAll);
        const told = say('purge', point, names);
        expect([told, missing(r, whole.objects)]).toEqual([told, []]);
        const back = await undo(r, '--last');
        if (existsSync(desk)) {
          // The branch came with it, whose own record may be gone.
          await bringAll(place, told, ['purged']);
          expectWhole(place, whole, told, { isAll, isAside });
        } else expect([told, back.code]).toEqual([told, 2]);
        const { code } = await runCli([...PURGE, '--json'], { cwd: r.work, env: r.env });
        expect([told, [0, 1].includes(code ?? -1)]).toEqual([told, true]);
        expect([told, restsOf(r), treesIn(r)]).toEqual([told, [], []]);
        expect(filesBelow(r.path('.git/coppice/trash'))).toEqual([]);
      }),
    );
  });

  it("while git's lock is taken leaves none behind", async () => {
    const steps = (await stepsWith(/worktrees\/desk\/locked/)).map((step): Point => ({ at: step, when: 'after' }));
    expect(steps.length).toBeGreaterThan(0);
    await each(isWhole ? steps : steps.slice(0, 1), (point) =>
      at(true, async (place) => {
        const whole = seen(place);
        await crash(place, APPLY, point);
        await undo(place.r, '--last');
        expectWhole(place, whole, `lock, after ${point.at}`, { isAll: false, isAside: false });
      }),
    );
  });

  it('of a retire, after which somebody deletes its folder', async () => {
    const all = await stepsWith(/worktrees\/desk\/locked/);
    await at(true, async (place) => {
      const { r, desk } = place;
      await crash(place, APPLY, { at: (all.at(-1) ?? 0) + 40, when: 'before' });
      if (!existsSync(desk)) throw new Error('it was to be at home still');
      rmSync(desk, { recursive: true });
      await undo(r, '--last');
      expect(restsOf(r)).toEqual([]);
      const { json } = await runCli(['history', '--json'], { cwd: r.work, env: r.env });
      expect(json?.schema === 'coppice.history.v1' ? json.acts.map(({ end }) => end) : []).not.toContain('unfinished');
    });
  });

  it('of an undo, after which somebody works in it, leaves it to them', async () => {
    let last = 0;
    await at(true, async (place) => {
      await applySweep(place.r);
      await stepsOf(place, UNDO);
      last = stepsOn(place.r.places.root).findLastIndex(([, told]) => /worktrees\/desk\/locked/.test(told)) + 1;
    });
    await at(true, async (place) => {
      const { r, desk } = place;
      await applySweep(r);
      await crash(place, UNDO, { at: last, when: 'before' });
      writeFileSync(join(desk, 'mine'), 'staged');
      gitAt(r, desk, 'add', 'mine');
      rmSync(join(desk, 'mine'));
      await runCli(['purge', '--apply'], { cwd: r.work, env: r.env });
      expect(gitAt(r, desk, 'show', ':mine')).toBe('staged');
      expect(restsOf(r)).toEqual([]);
    });
  });

  it('of what ends an earlier one', async () => {
    for (const [what, words, first, dress] of [
      ['retire', APPLY, [], plain],
      ['undo', UNDO, [APPLY], plain],
    ] as const) {
      // The other one is in the whole form.
      if (!isWhole && (what === 'undo') !== (seed % 2 === 0)) continue;
      const names = await namesOf(words, true, first);
      const moves = names.flatMap((name, index) => (name === 'renameSync' ? [index + 1] : []));
      const firsts = isWhole ? moves.filter((_, index) => index % 3 === seed % 3) : moves.slice(-4, -3);
      for (const [turn, step] of firsts.entries()) {
        const cut: Point = { at: step, when: 'after' };
        const prepare = async (place: Planted) => {
          for (const before of first) await runCli(before, { cwd: place.r.work, env: place.r.env });
          await crash(place, words, cut, dress);
        };
        const again = NEXT[turn % NEXT.length] as readonly string[];
        let later: string[] = [];
        await at(true, async (place) => {
          await prepare(place);
          later = await stepsOf(place, again);
        });
        await each(pointsOf(later, 1), (point, index) =>
          at(true, async (place) => {
            const [whole, isAll] = [seen(place), index % 2 === 1];
            await prepare(place);
            await crash(place, again, point);
            const isAside = forgetSome(place, isAll);
            const told = `${say(what, cut, names)}, ${say(again.join(' '), point, later)}, then ${await next(place, index)}`;
            await bringAll(place, told);
            expectWhole(place, whole, told, { isAll, isAside });
          }),
        );
      }
    }
  });
});
