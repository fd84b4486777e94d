/** Worktrees that stay with uncommitted work: of which a copy would be made, and of which none. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applySweep } from '../support/acts.ts';
import { look } from '../support/cli.ts';
import { put } from '../support/saved.ts';
import { settings } from '../support/state.ts';
import { codesIn, expectCodes, gitAt, temporaryMerged } from '../support/worktree.ts';

it('in a managed root they are copied once', async () => {
  const r = temporaryMerged();
  settings(r, `roots.also = ["${join(r.places.root, 'managed')}"]\n`);
  const places = { inside: 'managed/inside', outside: 'outside', shut: 'managed/shut', clean: 'managed/clean' };
  for (const [name, folder] of Object.entries(places)) {
    const desk = r.worktree(folder, 'topic', '-b', name);
    if (name !== 'clean') put('later\n', desk, 'package.json');
    // More than is copied by itself.
    if (name === 'shut') for (let at = 0; at <= 10_000; at += 1) put('', desk, `new/${at}`);
    gitAt(r, desk, 'status');
  }
  const first = await look(r);
  const actions = Object.keys(places).map((name) => [name, codesIn(first, name).action]);
  expect(Object.fromEntries(actions)).toEqual({ inside: 'save-patch', outside: 'keep', shut: 'keep', clean: 'remove' });
  expectCodes(codesIn(first, 'shut'), { holds: ['modified', 'untracked'], noted: ['not-saved'] });
  expect(codesIn(first, 'outside').noted).not.toContain('not-saved');
  await applySweep(r);
  expectCodes(codesIn(await look(r), 'inside'), {
    holds: ['modified'],
    noted: ['already-saved'],
    notNoted: ['not-saved'],
  });
});
