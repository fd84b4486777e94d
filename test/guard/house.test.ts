import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf } from './house.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .toSorted();

describe('the sources', () => {
  test('are there', () => {
    expect(FILES).toContain(join('judge', 'row.ts'));
  });

  test('keep to the house', () => {
    const sources = FILES.filter((file) => !file.endsWith('.test.ts'));
    expect(sources.flatMap((file) => faultsOf(file, read(file)))).toEqual([]);
  });

  test('have at most 300 lines each', () => {
    expect(FILES.filter((file) => read(file).trimEnd().split('\n').length > 300)).toEqual([]);
  });

  test('switch no rule of the house off', () => {
    const off = /(?:oxlint|eslint)-disable(?!.*--)|(?:oxlint|eslint)-disable.*(?:no-restricted|no-console|max-lines)/;
    expect(FILES.filter((file) => off.test(read(file)))).toEqual([]);
  });
});

describe('an import that breaks the house is seen', () => {
  test.each([
    // What the lint rules see as well.
    ['judge/a.ts', "import 'node:fs';"],
    ['judge/a.ts', "import 'valibot';"],
    ['judge/a.ts', "import '../git/b.ts';"],
    ['survey/a.ts', "import '../render/b.ts';"],
    ['state/a.ts', "import '../render/b.ts';"],
    ['state/a.ts', "export const a = import('fs-native-extensions');"],
    ['render/a.ts', "import type { Lease } from '../state/leases.ts';"],
    ['git/read.ts', "import 'node:child_process';"],
    ['commands/sweep.ts', "import '../git/run.ts';"],
    ['commands/sweep.ts', "import 'node:fs';"],
    ['render/a.ts', "import 'node:process';"],
    ['wire.ts', "import 'node:module';"],
    ['wire.ts', "import 'node:vm';"],
    ['cli.ts', "import './act/retire.ts';"],
    // What they cannot see: where a path really leads, how a module is loaded, and which form of import it is.
    ['judge/a.ts', "import './holds/../../git/b.ts';"],
    ['judge/holds/a.ts', "import '../facts/../../git/b.ts';"],
    ['judge/a.ts', "export type A = import('../git/b.ts').B;"],
    ['judge/a.ts', 'export const a = import(`../git/b.ts`);'],
    ['judge/a.ts', "export const a = (name: string) => import('../' + name);"],
    ['judge/a.ts', "const a = require('node:fs');"],
    ['judge/a.ts', "import a = require('node:fs');"],
    ['judge/a.ts', "export * from '../git/b.ts';"],
    ['contract/a.ts', "import { SPENT_CODES } from '../judge/evidence.ts';"],
    ['contract/a.ts', "import { type Row } from '../judge/row.ts';"],
    ['render/a.ts', "import { context } from '../context.ts';"],
    ['commands/sweep.ts', "import { verbs } from '../app.ts';"],
    ['commands/sweep.ts', "import { retire } from '../state/leases.ts';"],
    ['app.ts', "import { sweep } from './commands/sweep.ts';"],
    ['app.ts', "export { sweep } from './commands/sweep.ts';"],
    ['commands/support/verb.ts', "import { sweep } from '../sweep.ts';"],
    ['cli.ts', "const a = await import('./commands/sweep.ts');"],
    ['git/run.ts', "import '../../test/support/clock.ts';"],
    ['git/run.ts', "import './run.test.ts';"],
    ['elsewhere/a.ts', 'export const a = 1;'],
    ['judge/a.ts', "import '#judge';"],
    ['config/a.ts', "import 'fs';"],
  ])('%s: %s', (file, source) => {
    expect(faultsOf(file, source)).toHaveLength(1);
  });
});

describe('an import that keeps to it passes', () => {
  test.each([
    ['judge/holds/a.ts', "import type { Fact } from '../facts/fact.ts';"],
    ['contract/a.ts', "import * as v from 'valibot';\nimport type { Row } from '../judge/row.ts';"],
    ['render/a.ts', "import { styleText } from 'node:util';\nimport width from 'fast-string-width';"],
    ['render/a.ts', "import type { Output } from '../context.ts';"],
    ['survey/a.ts', "import { join } from 'node:path';\nimport '../git/run.ts';\nimport '../forge/port.ts';"],
    ['git/run.ts', "import { spawn } from 'node:child_process';"],
    ['system/file-lock.ts', "export const a = import('fs-native-extensions');"],
    ['state/a.ts', "import * as v from 'valibot';\nimport '../system/files.ts';\nimport '../config/load.ts';"],
    ['system/processes/ps.ts', "import { spawn } from 'node:child_process';"],
    ['config/a.ts', "import { parse } from 'smol-toml';\nimport { readFileSync } from 'node:fs';"],
    ['commands/sweep.ts', "import type { Context } from '../context.ts';\nimport '../act/retire.ts';"],
    ['app.ts', "export const load = () => import('./commands/sweep.ts');\nimport './commands/support/verb.ts';"],
    ['wire.ts', "import process from 'node:process';\nimport './act/retire.ts';"],
    ['cli.ts', "import { Script } from 'node:vm';"],
    ['context.ts', "import type { Lease } from './state/leases.ts';"],
  ])('%s: %s', (file, source) => {
    expect(faultsOf(file, source)).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}
