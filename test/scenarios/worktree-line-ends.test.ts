/** Line ends that the account's settings convert: what was checked out so is no edit. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA } from '../support/repository.ts';
import { codesIn, expectCodes, temporaryMerged } from '../support/worktree.ts';

it.each([
  ['as checked out', (text: string) => text, []],
  ['with an edit', (text: string) => text.replace('one', 'six'), ['modified']],
])('%s', async (_title, edit, holds) => {
  const r = temporaryMerged();
  const desk = join(r.places.root, 'desk');
  r.git('-c', 'core.autocrlf=true', 'worktree', 'add', '--quiet', desk, 'topic');
  writeFileSync(join(r.places.home, '.gitconfig'), '[core]\n\tautocrlf = true\n');
  const file = join(desk, ALPHA);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('\r\n');
  writeFileSync(file, edit(text));
  // git has to look into it again.
  utimesSync(file, 1_000_000, 1_000_000);
  expectCodes(codesIn(await look(r), 'desk'), { holds });
});
