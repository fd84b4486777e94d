/** The output in the README is what a run prints. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { placesIn, programEnvironment } from '../support/environment.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runAlongside } from '../support/processes.ts';
import { blocksOf, read } from './documents.ts';

const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

it('every line of the sample is one of the demo', async () => {
  const folder = temporaryFolder();
  const env = { ...programEnvironment(placesIn(folder)), TMPDIR: folder };
  const { code, stdout } = await runAlongside(process.execPath, [entry, 'demo'], { cwd: folder, env });
  expect(code).toBe(0);
  const printed = linesOf(stdout.toString('utf8'));
  const [sample = ''] = blocksOf(read('README.md'), 'text');
  const shown = linesOf(sample).filter((line) => line.trim() !== '…');
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
});

/** Lines, with one name for the folder that is another one each time. */
function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .replaceAll(/\S*\/coppice-demo-\w+\//g, '/tmp/coppice-demo-XXXXXX/')
    .split('\n');
}
