/** Attributes, which come with the repository or lie beside it: they name drivers and filters, and change no verdict. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { branchesOf, look } from '../support/cli.ts';
import type { Environment } from '../support/environment.ts';
import { buildMixture, MIXTURE } from '../support/mixture.ts';
import { ALPHA, Repository } from '../support/repository.ts';
import { expectVerdicts, scenario, stays } from '../support/scenario.ts';

const LINES = {
  'a merge driver that keeps ours': '* merge=ours',
  'a merge that takes both sides': '* merge=union',
  'no merge at all': '* -merge',
  'a diff driver that shows nothing': '* diff=silent',
  'everything binary': '* binary',
  'no diff at all': '* -diff',
  'line ends of another system': '* text eol=crlf',
  'text found by guessing': '* text=auto',
  'a filter that fails': '* filter=broken',
  keywords: '* ident',
  'another encoding': '* working-tree-encoding=UTF-16',
  'blanks that do not matter': '* whitespace=-trailing-space,-indent-with-non-tab',
  'files that do not count': '* export-ignore linguist-generated=true conflict-marker-size=1',
};

let r: Repository;
let env: Environment;
let plain: ReturnType<typeof branchesOf>;

beforeAll(async () => {
  r = new Repository();
  buildMixture(r);
  const drivers = [
    ['merge.ours.driver', 'true'],
    ['diff.silent.command', 'true'],
    ['diff.silent.textconv', 'true'],
    ['diff.silent.xfuncname', '^(.*)$'],
    ['filter.broken.clean', 'false'],
    ['filter.broken.smudge', 'false'],
    ['filter.broken.required', 'true'],
  ];
  for (const [name, value] of drivers) r.git('config', name as string, value as string);
  env = { ...r.env, COPPICE_CACHE: 'off' };
  const sweep = await look(r, { env });
  expectVerdicts(branchesOf(sweep), MIXTURE);
  plain = branchesOf(sweep);
});

afterAll(() => r.remove());

const besides = () => join(r.work, '.git', 'info');
const inTree = () => join(r.work, '.gitattributes');

afterEach(() => {
  rmSync(join(besides(), 'attributes'), { force: true });
  rmSync(inTree(), { force: true });
});

describe('attributes beside the repository', () => {
  for (const [title, line] of Object.entries(LINES)) {
    it(`${title}: change nothing`, async () => {
      mkdirSync(besides(), { recursive: true });
      writeFileSync(join(besides(), 'attributes'), `${line}\n`);
      writeFileSync(inTree(), `${line}\n`);
      expect(branchesOf(await look(r, { env }))).toEqual(plain);
    });
  }
});

describe('attributes in the tree', () => {
  scenario(
    'a merge driver that keeps ours, and main changed the same lines',
    { topic: stays('unmerged') },
    (repository) => {
      repository.write('.gitattributes', ['lock.json merge=ours']);
      repository.write(
        'lock.json',
        Array.from({ length: 20 }, (_, line) => `entry ${line}`),
      );
      repository.commit('a lock file');
      repository.git('config', 'merge.ours.driver', 'true');
      repository.branch('topic');
      repository.change('lock.json', 10, 'of the branch');
      repository.toMain();
      repository.change('lock.json', 10, 'of main');
      repository.track('topic');
    },
  );

  for (const attribute of [
    'merge=union',
    '-diff',
    'binary',
    'diff=silent',
    'text eol=crlf',
    '-merge',
    'merge=binary',
  ]) {
    scenario(`${attribute} hides no work`, { topic: stays('unmerged') }, (repository) => {
      repository.write('.gitattributes', [`* ${attribute}`]);
      repository.git('config', 'diff.silent.textconv', 'true');
      repository.commit('attributes');
      repository.branch('topic');
      repository.change(ALPHA, 10, 'one');
      repository.toMain();
      repository.change(ALPHA, 10, 'main');
      repository.track('topic');
    });
  }

  scenario('that the branch itself brings', { topic: stays('unmerged') }, (repository) => {
    repository.git('config', 'merge.ours.driver', 'true');
    repository.branch('topic');
    repository.write('.gitattributes', ['* merge=ours -diff']);
    repository.edit(ALPHA, 10, 'one');
    repository.commit('attributes and work');
    repository.toMain();
    repository.write('.gitattributes', ['* merge=ours -diff']);
    repository.commit('attributes');
    repository.track('topic');
  });
});
