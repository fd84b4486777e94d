/** The lists of codes in the documents are those of the code. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOLD_CODES, NOTED_CODES, SPENT_CODES } from '../../src/judge/evidence.ts';
import { EXIT_CODES } from '../../src/render/help.ts';
import { read, ROOT } from './documents.ts';

describe('docs/holds.md', () => {
  test.each([
    ['Speaks for removal', SPENT_CODES],
    ['Keeps the row', HOLD_CODES],
    ['Worth knowing', NOTED_CODES],
  ])('%s: the codes of the code, in its order, each with a meaning', (title, codes) => {
    const rows = rowsBelow('docs/holds.md', title).map(([code = '', meaning = '']) => ({ code, meaning }));
    expect(rows.map(({ code }) => code)).toEqual(codes.map((code) => `\`${code}\``));
    for (const { code, meaning } of rows) expect(meaning, code).toMatch(/^[A-Z].*\.$/);
  });

  test('each code is expected by a scenario', () => {
    const scenarios = readdirSync(join(ROOT, 'test/scenarios')).map((file) => read(join('test/scenarios', file)));
    const codes = [...SPENT_CODES, ...HOLD_CODES, ...NOTED_CODES];
    expect(codes.filter((code) => !scenarios.some((text) => text.includes(`'${code}'`)))).toEqual([]);
  });

  test('has no other list', () => {
    const codes = read('docs/holds.md').match(/^\| `[a-z-]+` \|/gm) ?? [];
    expect(codes).toHaveLength(SPENT_CODES.length + HOLD_CODES.length + NOTED_CODES.length);
  });
});

describe('docs/exit-codes.md', () => {
  test('has the exit codes of the code', () => {
    expect(rowsBelow('docs/exit-codes.md', 'Exit codes').map(([code]) => code)).toEqual(
      EXIT_CODES.map(([code]) => code),
    );
  });

  test('names error codes that there are', () => {
    const named = rowsBelow('docs/exit-codes.md', 'With `--json`').flatMap(
      ([codes = '']) => codes.match(/[a-z]+(?:-[a-z]+)+/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(10);
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read(join('src', file)));
    expect(named.filter((code) => !sources.some((source) => source.includes(`'${code}'`)))).toEqual([]);
  });
});

/** The cells of the tables below one heading, without their heads. */
function rowsBelow(document: string, title: string): string[][] {
  const sections = read(document).split(/^#+ /m);
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
