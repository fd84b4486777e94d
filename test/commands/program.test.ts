/** What V8 made of the program when it was built: taken as it is, and never needed. */
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { entry } from '../support/cli.ts';
import { temporaryFolder } from '../support/folders.ts';
import { run } from '../support/processes.ts';

const dist = dirname(entry);
const built = () => JSON.stringify(readdirSync(dist).filter((name) => name.startsWith('program-')));

it('is of this program and this V8', () => {
  const source = /"(program-[0-9a-f]+\.js)"/.exec(readFileSync(entry, 'utf8'))?.[1] ?? '';
  expect(built()).toContain(source);
  const text = `(function (exports, require, module) {${readFileSync(join(dist, source), 'latin1')}\n})`;
  const script = new Script(text, { cachedData: readFileSync(join(dist, `${source}.v8`)) });
  expect(script.cachedDataRejected).toBe(false);
});

it.each<[string, (file: string) => void]>([
  ['is not there', (file) => rmSync(file)],
  ['is cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 1000))],
  [
    'is damaged',
    (file) =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, at) => (at % 4096 === 999 ? ~byte : byte)),
      ),
  ],
  ['is of another', (file) => writeFileSync(file, new Script('(function () {})').createCachedData())],
  ['is empty', (file) => writeFileSync(file, '')],
])('that %s: all is the same', (_title, change) => {
  const folder = temporaryFolder();
  const copy = join(folder, 'dist');
  cpSync(dist, copy, { recursive: true });
  symlinkSync(join(dirname(dist), 'node_modules'), join(folder, 'node_modules'));
  for (const name of readdirSync(copy)) if (name.endsWith('.v8')) change(join(copy, name));
  const help = (file: string) =>
    run(process.execPath, [file, '--help'], { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
  expect(help(join(copy, 'cli.js'))).toEqual(help(entry));
  expect(help(entry).stdout.toString()).toContain('sweep');
});
