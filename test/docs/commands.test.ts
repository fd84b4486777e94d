/** What the documents tell people to type exists: npm scripts, verbs, flags. */
import { describe, expect, test } from 'vitest';
import { VERBS } from '../../src/app.ts';
import { flagNames } from '../../src/commands/support/verb-page.ts';
import { codeOf, DOCUMENTS, read } from './documents.ts';

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

/** What follows a program's name: everything up to where a shell would start something else. */
const NPM = /^npm(?: --prefix \S+)? (?<script>run [\w:-]+|start|test)(?: --(?<rest> .*))?$/;
const COPPICE = /^(?:coppice|node dist\/cli\.js)(?<rest> .*)?$/;
/** Documents that speak of other programs' flags, and of what is not built. */
const FLAGS_CHECKED = ['README.md', 'docs/exit-codes.md', 'docs/merge-proof.md', 'docs/reference.md'];
const OTHER_FLAGS = ['--prefix', '--symref'];

test('commands are told from other code', () => {
  expect(callOf('npm --prefix ~/x start -- sweep --all')).toEqual({ script: 'start', words: ['sweep', '--all'] });
  expect(callOf('npm run bench -- --quick')).toEqual({ script: 'bench', words: null });
  expect(callOf('coppice -C DIR sweep')).toEqual({ script: null, words: ['-C', 'DIR', 'sweep'] });
  expect(callOf('npm start -- ARGS')).toEqual({ script: 'start', words: ['ARGS'] });
  expect(callOf('git branch -d x')).toBeNull();
});

describe.each(DOCUMENTS)('%s', (document) => {
  const calls = codeOf(read(document)).flatMap((code) => {
    const call = callOf(code);
    return call === null ? [] : [{ code, ...call }];
  });

  test('names npm scripts that there are', () => {
    expect(calls.filter(({ script }) => script !== null && scripts[script] === undefined)).toEqual([]);
  });

  test('names verbs that there are, with flags that they take', () => {
    expect(calls.filter(({ words }) => words !== null && !isCall(words))).toEqual([]);
  });
});

test.each(FLAGS_CHECKED)('%s names no flag that no verb has', (document) => {
  const all = [...VERBS.flatMap(flagNames), '--version', ...OTHER_FLAGS];
  const named = codeOf(read(document)).flatMap((code) =>
    code.startsWith('git ') ? [] : [...code.matchAll(/(?<=^|\s)--[a-z][\w-]*/g)].map(([flag]) => flag),
  );
  expect(named.filter((flag) => !all.includes(flag))).toEqual([]);
});

test('the README names every way to begin', () => {
  const calls = codeOf(read('README.md'));
  for (const call of ['npm start', 'npm test', 'npm --prefix ~/src/coppice start -- sweep'])
    expect(calls).toContain(call);
});

test('AGENTS.md names every check, and is short enough to be read', () => {
  const calls = codeOf(read('AGENTS.md'));
  for (const call of ['npm run check', 'npm test', 'npm run build', 'npm run schema', '.ci/run'])
    expect(calls).toContain(call);
  expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

function callOf(code: string): { script: string | null; words: string[] | null } | null {
  const npm = NPM.exec(code)?.groups;
  if (npm) {
    const script = (npm['script'] ?? '').replace(/^run /, '');
    return { script, words: script === 'start' && npm['rest'] !== undefined ? wordsOf(npm['rest']) : null };
  }
  const coppice = COPPICE.exec(code)?.groups;
  return coppice ? { script: null, words: wordsOf(coppice['rest'] ?? '') } : null;
}

function wordsOf(rest: string): string[] {
  return rest.split(' ').filter((word) => word !== '');
}

/** Words in capitals stand for what a person puts in. */
function isCall(words: readonly string[]): boolean {
  const [first, second, ...rest] = words[0] === '-C' ? words.slice(2) : words;
  if (first === undefined || first === '--version' || /^[A-Z]+$/.test(first)) return true;
  const verb = VERBS.find(({ name }) => name === first);
  const following = [second, ...rest];
  // What follows is of another program.
  const end = following.indexOf('--');
  const own = end < 0 ? following : following.slice(0, end);
  const flags = own.filter((word) => word?.startsWith('-') === true);
  return verb !== undefined && flags.every((flag) => flagNames(verb).includes(flag as string));
}
