import fc from 'fast-check';
import { expect, it } from 'vitest';
import { protectedBy } from '../../src/config/branch-patterns.ts';
import { didYouMean } from '../../src/config/did-you-mean.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/table.ts';

const DEFAULT = SETTINGS['protect.branches'].default;

it.each([
  'main',
  'master',
  'trunk',
  'develop',
  'development',
  'dev',
  'staging',
  'production',
  'gh-pages',
  'release/1.0',
  'release/1/fix',
])('%s is protected by default', (name) => expect(protectedBy(DEFAULT)(name)).toBe(true));

it.each(['mainly', 'Main', 'release', 'my/main', 'feature/x', 'dev2', ''])('%j is not', (name) => {
  expect(protectedBy(DEFAULT)(name)).toBe(false);
});

it.each([
  [['!main'], 'main', false],
  [['!release/*', 'release/keep'], 'release/keep', true],
  [['!release/*', 'release/keep'], 'release/x', false],
  [['!*'], 'main', false],
  [['a*b*c'], 'abc', true],
  [['a*b*c'], 'a1b2c', true],
  [['a*b*c'], 'acb', false],
  [['ab*ba'], 'aba', false],
  [['*'], 'x', true],
  [['**'], 'x', true],
  [['a*a*a'], 'aa', false],
  [['.+'], 'xx', false],
  [['ü/*'], Buffer.from('ü/x').toString('latin1'), true],
  [['x*'], 'x\xff', true],
] as const)('%j on %j', (more, name, expected) => {
  expect(protectedBy([...DEFAULT, ...more])(name)).toBe(expected);
});

it('matches what a regular expression matches', () => {
  const letter = fc.constantFrom('a', 'b', '/', '*');
  const word = fc.array(letter, { minLength: 1, maxLength: 8 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, word, (pattern, name) => {
      const branch = name.replaceAll('*', 'c');
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(protectedBy([pattern])(branch)).toBe(expression.test(branch));
    }),
    { numRuns: 3000 },
  );
});

it('finds every setting by a slip of one letter', () => {
  for (const key of SETTING_KEYS.filter((name) => name.length > 4)) {
    expect(didYouMean(key.slice(0, 2) + key.slice(3), SETTING_KEYS)[0]).toBe(key);
  }
  expect(didYouMean('zzzzzz', SETTING_KEYS)).toEqual([]);
  expect(didYouMean('x'.repeat(100_000), SETTING_KEYS)).toEqual([]);
});
