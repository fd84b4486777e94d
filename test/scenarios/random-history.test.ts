/**
 * Random histories of known truth: what is not on main, or was taken back there, never goes; plain merges are found.
 *
 * COPPICE_TEST_SEED=n runs one history only, COPPICE_TEST_SEEDS=n that many.
 */
import { describe, expect, it } from 'vitest';
import { branchesOf, look } from '../support/cli.ts';
import { type Kind, KINDS, Plan } from '../support/history/plan.ts';
import { temporaryRepository } from '../support/repository.ts';

const BRANCHES = 78;
const only = process.env['COPPICE_TEST_SEED'];
const count = Number(process.env['COPPICE_TEST_SEEDS'] ?? 10);
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)];

describe('a random history', () => {
  it.each(seeds)('of seed %i: nothing false goes, what is plain is found, the cache tells the same', async (seed) => {
    const repository = temporaryRepository();
    const plan = new Plan(seed, repository.clock.now);
    plan.grow(BRANCHES);
    plan.build(repository);

    const uncached = await look(repository, { env: { ...repository.env, COPPICE_CACHE: 'off' } });
    const rows = branchesOf(uncached);
    const wrong = plan.branches.flatMap(({ name, truth }) => {
      const row = rows.get(name);
      const fits = row !== undefined && (truth === 'may-go' || row.action === (truth === 'goes' ? 'delete' : 'keep'));
      return fits ? [] : [`${name} ${truth}: ${row?.action}, ${row?.reason.code}: ${row?.reason.text}`];
    });
    expect(wrong, `COPPICE_TEST_SEED=${seed}`).toEqual([]);

    expect(await look(repository), 'with an empty cache').toEqual(uncached);
    expect(await look(repository), 'with a full cache').toEqual(uncached);
  });

  it('has branches of every kind', () => {
    const kinds = new Set<Kind>();
    for (const seed of [1, 2, 3]) {
      const plan = new Plan(seed, 0);
      plan.grow(BRANCHES);
      for (const branch of plan.branches) kinds.add(branch.kind);
    }
    expect([...kinds].sort()).toEqual([...KINDS].sort());
  });
});
