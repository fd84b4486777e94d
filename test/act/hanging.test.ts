/** A git that says nothing any more: minutes of waiting, all of them at once, and in `npm run torture` alone. */
import { expect, it } from 'vitest';
import {
  APPLY,
  applySweep,
  expectNothingLost,
  filesBelow,
  hook,
  squashedRepository,
  standing,
} from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { hangingGit } from '../support/misbehave.ts';
import { temporaryRepository } from '../support/repository.ts';

it('a git that hangs, or has a hook that hangs', { timeout: 600_000 }, async () => {
  const seedling = squashedRepository('a');
  const hanging = [3, 9, 12, 15, 18].map(async (call) => {
    const r = temporaryRepository(seedling);
    const before = standing(r);
    await runCli(APPLY, { cwd: r.work, env: hangingGit(r.places.root, r.env, call), timeout: 400_000 });
    await expectNothingLost(r, before, `hangs from call ${call} on`);
  });
  const r = temporaryRepository(seedling);
  const before = standing(r);
  hook(r, 'test "$1" != prepared || exec sleep 200');
  expect((await applySweep(r, { timeout: 400_000 })).outcomes.get('a')?.status).toBe('failed');
  expect(filesBelow(r.path('.git/refs')).filter((file) => file.endsWith('.lock'))).toEqual([]);
  r.delete('.git/hooks/reference-transaction');
  await expectNothingLost(r, before, 'a hook that hangs');
  await Promise.all(hanging);
});
