import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROKEN, CLEAN, type Example } from './layer-examples.ts';

const ROOT = join(import.meta.dirname, '..', '..');

interface Report {
  readonly files: number;
  readonly rules: number;
  rulesOf(file: string): readonly string[];
}

const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

describe('oxlint, with the configuration of this repository,', () => {
  const broken = Object.values(BROKEN).flat();
  let report: Report;
  beforeAll(() => {
    report = lint(plant(broken), ['src']);
  });

  test('reads every example', () => {
    expect(new Set(broken.map(({ file }) => file)).size).toBe(broken.length);
    expect(report.files).toBe(broken.length);
  });

  test.each(Object.entries(BROKEN))('names the broken rule: %s', (_part, examples) => {
    const found = examples.map((one) => ({ ...one, rules: report.rulesOf(one.file) }));
    expect(found).toEqual(examples);
  });

  test('passes what keeps to the house', () => {
    const kept = lint(plant(CLEAN), ['src', 'test']);
    expect(kept.files).toBe(CLEAN.length);
    expect(CLEAN.map((one) => ({ ...one, rules: kept.rulesOf(one.file) }))).toEqual(CLEAN);
  });

  test('reads every file of the real tree', () => {
    const folders = ['src', 'test', 'scripts'];
    const files = folders.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }));
    const real = lint(ROOT, folders);
    expect(real.files).toBe(files.filter((file) => /\.(ts|mjs)$/.test(file)).length);
    expect(real.files).toBeGreaterThan(20);
    expect(real.rules).toBeGreaterThan(50);
  });
});

/** A folder with the real lint configuration and the examples in it. */
function plant(examples: readonly Example[]): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'coppice-layers-')));
  trees.push(tree);
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) cpSync(join(ROOT, name), join(tree, name));
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const { file, source } of examples) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), `${source}\n`);
  }
  return tree;
}

/** Runs the real oxlint, as `npm run lint` does. */
function lint(folder: string, paths: readonly string[]): Report {
  const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format=json', ...paths], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`);
  const { diagnostics, number_of_files, number_of_rules } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
    readonly number_of_files: number;
    readonly number_of_rules: number;
  };
  return {
    files: number_of_files,
    rules: number_of_rules,
    rulesOf: (file) => {
      const codes = diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);
      return codes.map((code) => code.replace(/^.*\((.*)\)$/, '$1')).toSorted();
    },
  };
}
