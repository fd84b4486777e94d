/** Nothing that may keep a row is missing from what `npm run mutate` takes out. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { HOLD_CODES } from '../../src/judge/evidence.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const list = execFileSync(process.execPath, ['scripts/mutate.mjs', '--list'], { cwd: root, encoding: 'utf8' });

/** Kinds of identity are codes of their own, made at one place. */
const OF_IDENTITY: readonly string[] = ['missing', 'pointer-broken', 'wrong-occupant', 'repository-damaged'];

it('every code of a hold is taken out', () => {
  const codes = HOLD_CODES.filter((code) => !OF_IDENTITY.includes(code));
  expect(codes.filter((code) => !list.includes(`holds('${code}') is nothing`))).toEqual([]);
  expect(list).toContain('holds(identity.kind) is nothing');
});

it('every file of a hold has something taken out', () => {
  const files = readdirSync(join(root, 'src/judge/holds'), { recursive: true, encoding: 'utf8' });
  const holds = files.filter((file) => file.endsWith('.ts') && !/(^|\/)hold\.ts$/.test(file));
  expect(holds.length).toBeGreaterThan(40);
  expect(holds.filter((file) => !list.includes(`src/judge/holds/${file}:`))).toEqual([]);
});

it.each(['src/judge/branches.ts', 'src/judge/worktrees.ts'])('every hold of the tables in %s is taken out', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const tables = [...text.matchAll(/const (\w+): readonly \w+Hold\[\] = \[([^;]*)\];/g)];
  expect(tables.length).toBeGreaterThan(2);
  for (const [, table, entries = ''] of tables)
    for (const name of entries.split(',').map((entry) => entry.trim()))
      if (/^\w+$/.test(name)) expect(list).toContain(`${table} without ${name}\n`);
});
