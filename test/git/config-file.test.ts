/** Sections of a configuration file, by their bytes, as git itself reads them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfBranch, sectionsOf, withoutSections, withSection } from '../../src/git/parse/config-file.ts';
import { parseConfig } from '../../src/git/parse/config.ts';
import { realGit } from '../support/environment.ts';
import { run } from '../support/processes.ts';

function git(text: string): Map<string, readonly string[]> | null {
  const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const result = run(realGit, ['config', '--file', '-', '--list', '-z'], {
    cwd: '/',
    env,
    input: Buffer.from(text, 'latin1'),
  });
  return result.code === 0 ? new Map(parseConfig(result.stdout)) : null;
}

const PIECES = [
  '[core]\n\tbare = false\n',
  '[branch "a"]\n\tremote = o\n\tmerge = refs/heads/a\n',
  '[branch "b"] description = one \\\n [branch \\"a\\"] \n',
  '  [branch "c"]x=1\r\n',
  '[branch.d]\n\ty = 2 ; [branch "a"]\n',
  '[BRANCH "a"]\n# of what follows\n\n',
  '[branch "q\\"\\\\uote"]\n\tz = "# no [branch] \\n"\n',
  '[branch "\xff"]\n\tz = 1\n',
  '[url "x"] insteadOf = "[branch \\"a\\"]"\n',
  '[branch "e"][branch "f"]\n\tw\n',
  '; end\n',
];
const NAMES = ['a', 'b', 'c', 'd', 'q"\\uote', '\xff', 'e', 'f'];

describe('what is taken out and put back', () => {
  it('is nothing else for git, and the same bytes in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
        fc.subarray(NAMES, { minLength: 1 }),
        fc.integer(),
        (pieces, names, order) => {
          const was = pieces.join('');
          const sections = sectionsOf(was);
          expect(sections).not.toBeNull();
          const gone = (sections ?? []).filter((one) => names.some((name) => isOfBranch(one, name)));
          const rest = withoutSections(was, gone);
          const others = [...(git(was) ?? [])].filter(
            ([key]) => !names.some((name) => key.startsWith(`branch.${name}.`)),
          );
          expect([...(git(rest) ?? [])]).toEqual(others);
          // A branch comes back with all of its sections, branches in any order.
          const shuffled = (order % 2 === 0 ? names : names.toReversed()).flatMap((name) =>
            gone.filter((one) => isOfBranch(one, name)),
          );
          let now: string | null = rest;
          for (const section of shuffled) now = now === null ? null : withSection(now, was, section);
          expect(now).toBe(was);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(['[branch "a"', '[branch "a\n"]', '[a]\n\tx = "open\n', '[a]\n\t= 1\n', '[br anch]\n'])(
    'is nothing where git gives up: %j',
    (text) => {
      expect([sectionsOf(text), git(text)]).toEqual([null, null]);
    },
  );
});
