/**
 * A git that fails, is cut off or talks nonsense at any one of its calls. Whatever it is, no branch goes that would not
 * go otherwise, and a later run is none the worse for it.
 */
import { describe, expect, it } from 'vitest';
import { actingBranches, LOOK, look, runCli } from '../support/cli.ts';
import { countGit } from '../support/count-git.ts';
import { MISDEEDS, misbehavingGit, type Misdeed } from '../support/misbehave.ts';
import { MIXTURE, temporaryMixture } from '../support/mixture.ts';

const wouldGo = Object.keys(MIXTURE)
  .filter((name) => MIXTURE[name]?.action === 'delete')
  .sort();

describe.each(Object.keys(MISDEEDS) as Misdeed[])('git does %s', (misdeed) => {
  it('at any of its calls: nothing more goes, nothing is remembered', async () => {
    const r = temporaryMixture();
    const counter = countGit(r.places.root, { ...r.env, COPPICE_CACHE: 'off' });
    const clean = await look(r, { env: counter.env });
    expect(actingBranches(clean)).toEqual(wouldGo);

    for (let nth = 1; nth <= counter.calls().length; nth += 1) {
      const env = misbehavingGit(r.places.root, r.env, misdeed, nth);
      const run = await runCli(LOOK, { cwd: r.work, env });
      const told = `call ${nth}: ${run.stdout.slice(0, 600)}${run.stderr}`;
      expect(run.stdout + run.stderr, told).not.toMatch(/^\s+at |node:internal/m);
      if (run.json?.schema === 'coppice.sweep.v1') {
        expect(wouldGo, told).toEqual(expect.arrayContaining(actingBranches(run.json)));
      } else {
        expect(run.code, told).toBe(2);
      }
    }
    // A silent cut cannot be told from a shorter answer; all others must have left nothing in the cache.
    if (misdeed !== 'cut-silently') expect(await look(r)).toEqual(clean);
  });
});
