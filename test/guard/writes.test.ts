/** Only `src/act` has git write, and only through `src/git/write.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  // The throw-away repository is built with all of git.
  .filter((file) => file.endsWith('.ts') && !file.startsWith('demo/'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

/** The commands of git that this build has it run. */
const LOOKS = [
  'cat-file',
  'check-attr',
  'check-ref-format',
  'config',
  'diff-files',
  'diff-index',
  'diff-tree',
  'for-each-ref',
  // Without -w.
  'hash-object',
  'log',
  'ls-files',
  'ls-remote',
  'ls-tree',
  'mktree',
  'rev-list',
  'rev-parse',
  'show-index',
  'stash',
  'status',
  'symbolic-ref',
  'verify-pack',
  'version',
  'worktree',
];
/** It brings what the remote has, and nothing else. */
const FETCH = ['fetch'];
const WRITES = ['update-ref', 'pack-objects', 'index-pack', 'unpack-objects'];

test('commands that write are named where they are run with a permit', () => {
  const named = FILES.filter(({ text }) => WRITES.some((word) => text.includes(`'${word}'`))).map(({ file }) => file);
  expect(named.sort()).toEqual(['act/branches/pack.ts', 'act/branches/restore.ts', 'git/write.ts']);
});

test('only act has git write, and it does so in no other way', () => {
  const importing = FILES.filter(({ text }) => /from '[^']*\/write\.ts'/.test(text) && /git\/write\.ts/.test(text));
  expect(importing.map(({ file }) => file).filter((file) => !file.startsWith('act/'))).toEqual([]);
  const environment = FILES.filter(({ text }) => text.includes('writeEnv')).map(({ file }) => file);
  expect(environment.sort()).toEqual(['git/run.ts', 'git/write.ts']);
});

test('every command of git in the sources is known here', () => {
  const found = new Set<string>();
  for (const { text } of FILES) {
    for (const [, word = ''] of text.matchAll(
      /(?:runGit|startGit|runWrite)\((?:[^()[\]]|\([^()]*\))*\[\s*'([a-z-]+)'/g,
    ))
      found.add(word);
  }
  expect([...found].filter((word) => ![...LOOKS, ...FETCH, ...WRITES].includes(word))).toEqual([]);
  expect(found.size).toBeGreaterThan(8);
});

test('no text of ours forces anything', () => {
  const force = /'(?:-D|--force|-f|--delete)'|branch -D|rm -rf/;
  expect(FILES.filter(({ text }) => force.test(text)).map(({ file }) => file)).toEqual([]);
});
