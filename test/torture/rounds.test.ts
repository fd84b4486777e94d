/**
 * Random rounds of people and coppice at work, with kills and gits that do wrong: docs/torture.md. Here are a few of
 * them; `npm run torture` plays a thousand. `COPPICE_TEST_SEED=7` plays that one alone.
 */
import { afterAll, expect, it } from 'vitest';
import { playRound } from './round.ts';
import { forgetSeedlings } from './seedlings.ts';

const only = process.env['COPPICE_TEST_SEED'];
const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const count = Number(process.env['COPPICE_TORTURE_ROUNDS'] ?? (isWhole ? 1000 : 5));
const first = Number(process.env['COPPICE_TORTURE_FIRST'] ?? 1);
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(only)];
/** Rounds at a time: they often wait for a program. */
const AT_ONCE = 3;

/** What is counted of a round's log, so that one sees that it was about something. */
const COUNTED: readonly (readonly [string, RegExp])[] = [
  ['deeds of people', /^git /],
  ['verbs of coppice', /^coppice /],
  ['kills', /^ {2}killed$/],
  ['halts', /^meanwhile:$/],
  ['misdeeds of git', /^coppice .*\(git /],
];

afterAll(forgetSeedlings);

it(`${seeds.length} rounds`, { timeout: 3 * 3_600_000 }, async () => {
  const waiting = [...seeds];
  const failed: number[] = [];
  const tally = new Map<string, number>();
  const add = (what: string, more: number) => tally.set(what, (tally.get(what) ?? 0) + more);
  const began = Date.now();
  const lane = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const { fault, log, taken, retired } = await playRound(seed);
      add('rounds', 1);
      add('branches taken away', taken);
      add('worktrees', retired);
      for (const [what, form] of COUNTED) add(what, log.filter((line) => form.test(line)).length);
      if (fault !== null) {
        failed.push(seed);
        tell(`round ${seed}: npm run torture -- --seed ${seed}\n  ${log.join('\n  ')}\n${fault}\n`);
      } else if (only !== undefined) tell(log.join('\n'));
      if ((tally.get('rounds') ?? 0) % 50 === 0) tell(summary());
    }
  };
  const summary = () => {
    const told = [...tally].map(([what, number]) => `${number} ${what}`).join(', ');
    return `${told}, ${failed.length} failed, ${Math.round((Date.now() - began) / 1000)} s`;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (isWhole) tell(summary());
  expect(failed).toEqual([]);
});

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
