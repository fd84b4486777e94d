/** No file of the project speaks of the place where it was written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitEnvironment, placesIn, realGit } from '../support/environment.ts';
import { temporaryFolder } from '../support/folders.ts';
import { run } from '../support/processes.ts';
import { ROOT } from './documents.ts';

// Put together here, so that this file passes too.
const FORBIDDEN = [['', 'work', ''].join('/'), ['..', 'shared'].join('/')];

it('no file names its folders', () => {
  const files = projectFiles();
  expect(files).toContain('README.md');
  expect(files).toContain('test/docs/workplace.test.ts');
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'latin1');
    return FORBIDDEN.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

/** What git has of the project, and what it would take if asked to. */
function projectFiles(): string[] {
  const env = gitEnvironment(placesIn(temporaryFolder()));
  const list = (...args: readonly string[]) => {
    const { code, stdout, stderr } = run(realGit, ['-c', 'safe.directory=*', 'ls-files', '-z', ...args], {
      cwd: ROOT,
      env,
    });
    if (code !== 0) throw new Error(`git ls-files: ${stderr}`);
    return stdout
      .toString('utf8')
      .split('\0')
      .filter((file) => file !== '');
  };
  const gone = new Set(list('--deleted'));
  return list('--cached', '--others', '--exclude-standard').filter(
    (file) => !gone.has(file) && !/^(?:node_modules|dist)\//.test(file),
  );
}
