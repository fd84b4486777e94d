/** A change without a permit does not compile, nor does a permit that judge did not mint. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What the compiler says of a file of these lines that lies among the others. */
function compile(...lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const head = [`import { permitUnlock, type LockedWorktree, type UnlockPermit } from '${root}/src/judge/permit.ts';`];
  writeFileSync(
    join(folder, 'case.mts'),
    [...head, 'declare const worktree: LockedWorktree;', ...lines, ''].join('\n'),
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      compilerOptions: { typeRoots: [`${root}/node_modules/@types`] },
      include: ['case.mts'],
    }),
  );
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    return '';
  } catch (fault) {
    return String((fault as { stdout?: string }).stdout);
  }
}

const USE = 'export const use = (permit: UnlockPermit) => permit.lock.pid;';

test('what judge mints is taken', () => {
  expect(compile(USE, 'const permit = permitUnlock(worktree);', 'if (permit !== null) use(permit);')).toBe('');
});

test('what somebody puts together is not', () => {
  const lock = "{ reason: '', owner: null, pid: 7, alive: false }";
  expect(compile(USE, `use({ worktree, lock: ${lock} });`)).toContain('error TS');
  expect(compile(USE, 'use(permitUnlock(worktree));')).toContain('error TS');
  expect(compile(USE, 'use(worktree);')).toContain('error TS');
});
