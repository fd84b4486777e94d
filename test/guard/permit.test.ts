/** A change without a permit does not compile, nor does a permit that judge did not mint. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What stands above the lines of each case. */
const HEAD: readonly string[] = [
  `import * as judge from '${root}/src/judge/permit.ts';`,
  `import { runWrite, transact } from '${root}/src/git/write.ts';`,
  `import { deleteEntry } from '${root}/src/act/purging.ts';`,
  `import { restoreBranches } from '${root}/src/act/branches/restore.ts';`,
  `import { retireWorktree } from '${root}/src/act/worktrees/retire.ts';`,
  `import { returnWorktree } from '${root}/src/act/worktrees/return.ts';`,
  `import { archiveIgnored } from '${root}/src/act/notes/archive.ts';`,
  `import { forgetNote } from '${root}/src/act/notes/forget.ts';`,
  `import { purgeHeld } from '${root}/src/act/purge-held.ts';`,
  `import { reclaimCache } from '${root}/src/act/caches/reclaim.ts';`,
  `import { deleteBranches } from '${root}/src/act/branches/delete.ts';`,
  `import type { LockedWorktree, UnlockPermit } from '${root}/src/judge/permit.ts';`,
  'const { permitUnlock, permitBranch, permitRestore, permitPurge, permitWorktree, permitReturn, permitCache } = judge;',
  'declare const [git, row, vacancy, acting, entry, saved, facts, berth, looked, request]: any[];',
  'void [runWrite, transact, deleteEntry, restoreBranches, deleteBranches, permitUnlock, permitBranch, permitRestore, permitPurge];',
  'void [archiveIgnored, forgetNote, retireWorktree, returnWorktree, purgeHeld, permitWorktree, permitReturn];',
  'void [reclaimCache, permitCache];',
  'void [git, row, vacancy, acting, entry, saved, facts, berth, looked, request];',
];

/** What the compiler says of a file of these lines that lies among the others. */
function compile(...lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'case.mts'),
    [...HEAD, 'declare const worktree: LockedWorktree;', ...lines, ''].join('\n'),
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      compilerOptions: { typeRoots: [`${root}/node_modules/@types`] },
      include: ['case.mts', `${root}/src/system/fs-native-extensions.d.ts`],
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

const BRANCH = 'permitBranch(row)';
const BACK = 'permitRestore(saved.tip, vacancy, false)';
const GOING = 'permitWorktree(row, facts)';
const COMING = "permitReturn('', berth)";
const CACHE = 'permitCache(row, facts)';
const PURGE = "permitPurge('', 0, 0, 1)";
const FAKE = "{ row: '', ref: saved.ref, tip: saved.tip, run: '', evidence: '', why: '' }";

/** What changes something, and what it takes. */
const CHANGES: readonly (readonly [minted: string, use: (permit: string) => string])[] = [
  [BRANCH, (permit) => `void runWrite([${permit}], git, ['pack-objects']);`],
  [BACK, (permit) => `void transact([${permit}], git, [], () => 'commit');`],
  [
    BRANCH,
    (permit) =>
      `void deleteBranches(acting, [{ permit: ${permit}, saved, reflog: null }], { run: '', isAnchored: true });`,
  ],
  [GOING, (permit) => `void retireWorktree(acting, ${permit}, looked, request);`],
  [
    COMING,
    (permit) =>
      `void returnWorktree(acting, { permit: ${permit}, kept: request, places: request, head: 'same', isRollback: false });`,
  ],
  [PURGE, (permit) => `void purgeHeld(${permit}, acting, request);`],
  [CACHE, (permit) => `void reclaimCache(acting, ${permit}, looked, request);`],
  [PURGE, (permit) => `deleteEntry(${permit}, acting, entry);`],
  [GOING, (permit) => `archiveIgnored(${permit}, acting, request);`],
  [PURGE, (permit) => `forgetNote(${permit}, acting, '');`],
  [BACK, (permit) => `void restoreBranches(acting, entry, [{ permit: ${permit}, saved, ref: saved.ref }]);`],
];

test('whatever changes something takes what judge minted', () => {
  const lines = CHANGES.map(
    ([minted, use], at) => `const p${at} = ${minted}; if (p${at} !== null) { ${use(`p${at}`)} }`,
  );
  expect(compile(...lines)).toBe('');
});

test('and nothing else: not what may be nothing, what somebody put together, or leave for something else', () => {
  const [, , [, deleting]] = CHANGES as readonly [unknown, unknown, (typeof CHANGES)[number]];
  const lines = [
    ...CHANGES.map(([minted, use]) => use(minted)),
    ...CHANGES.map(([, use]) => use(FAKE)),
    ...[BACK, PURGE].map((minted) =>
      deleting(`${minted} as NonNullable<ReturnType<typeof ${minted.replace(/\(.*/, '')}>>`),
    ),
  ];
  const said = compile(...lines);
  for (const [at, line] of lines.entries()) expect(said, line).toContain(`case.mts(${HEAD.length + 2 + at},`);
});

test('what somebody puts together is not', () => {
  const lock = "{ reason: '', owner: null, pid: 7, alive: false, aside: null }";
  expect(compile(USE, `use({ worktree, lock: ${lock} });`)).toContain('error TS');
  expect(compile(USE, 'use(permitUnlock(worktree));')).toContain('error TS');
  expect(compile(USE, 'use(worktree);')).toContain('error TS');
});
