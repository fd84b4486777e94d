/** Variables that lead git elsewhere or make it speak otherwise. coppice gives none of them on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchesOf, look, runCli } from '../support/cli.ts';
import type { Environment } from '../support/environment.ts';
import { buildMixture, MIXTURE } from '../support/mixture.ts';
import { Repository } from '../support/repository.ts';
import { expectVerdicts } from '../support/scenario.ts';

let r: Repository;
let quiet: Environment;
let plain: unknown;
let decoy: string;

beforeAll(async () => {
  r = new Repository();
  buildMixture(r);
  quiet = { ...r.env, COPPICE_CACHE: 'off' };
  const sweep = await look(r, { env: quiet });
  expectVerdicts(branchesOf(sweep), MIXTURE);
  plain = sweep;
  decoy = join(r.places.root, 'decoy');
  mkdirSync(decoy);
  r.gitWith({ cwd: decoy }, 'init', '--quiet', '--initial-branch=main');
  r.gitWith({ cwd: decoy }, 'commit', '--quiet', '--allow-empty', '--message=decoy');
});

afterAll(() => r.remove());

/** Values; `@` stands for the git directory of another repository, `#` for a commit that was not merged. */
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another repository': { GIT_DIR: '@' },
  'another repository and work tree': { GIT_DIR: '@', GIT_WORK_TREE: '/' },
  'another common folder': { GIT_COMMON_DIR: '@' },
  'another index': { GIT_INDEX_FILE: '@/index' },
  'another object store': { GIT_OBJECT_DIRECTORY: '@/objects' },
  'more object stores': { GIT_ALTERNATE_OBJECT_DIRECTORIES: '@/objects:/nowhere' },
  'a namespace': { GIT_NAMESPACE: 'elsewhere' },
  'a quarantine': { GIT_QUARANTINE_PATH: '@/objects' },
  grafts: { GIT_GRAFT_FILE: '@/grafts' },
  'another place for replaced objects': { GIT_REPLACE_REF_BASE: 'refs/heads/' },
  'replaced objects, explicitly': { GIT_NO_REPLACE_OBJECTS: '0' },
  'a shallow file': { GIT_SHALLOW_FILE: '@/shallow' },
  'a diff program': { GIT_EXTERNAL_DIFF: 'true', GIT_DIFF_OPTS: '--unified=0' },
  traces: {
    GIT_TRACE: '1',
    GIT_TRACE_PACKET: '1',
    GIT_TRACE_SETUP: '1',
    GIT_TRACE2: '1',
    GIT_TRACE2_EVENT: '1',
    GIT_TRACE_CURL: '1',
  },
  'a pager': { GIT_PAGER: 'rev', PAGER: 'rev', GIT_PAGER_IN_USE: '1', LESS: '-FX', LV: '-c' },
  'pathspecs of another kind': { GIT_GLOB_PATHSPECS: '1', GIT_ICASE_PATHSPECS: '1' },
  'literal pathspecs': { GIT_LITERAL_PATHSPECS: '1' },
  'a prefix': { GIT_PREFIX: 'wood/', GIT_INTERNAL_TOPLEVEL: '/' },
  'programs of another git': { GIT_EXEC_PATH: '/nowhere' },
  'templates and attributes': { GIT_TEMPLATE_DIR: '/nowhere', GIT_ATTR_SOURCE: 'main', GIT_ATTR_NOSYSTEM: '0' },
  configuration: {
    GIT_CONFIG: '@/config',
    GIT_CONFIG_GLOBAL: '@/evil',
    GIT_CONFIG_SYSTEM: '@/evil',
    GIT_CONFIG_NOSYSTEM: '0',
  },
  'what a hook gets': {
    GIT_DIR: '@',
    GIT_INDEX_FILE: '@/index',
    GIT_PREFIX: '',
    GIT_REFLOG_ACTION: 'push',
    GIT_EDITOR: ':',
  },
  'a ceiling': { GIT_CEILING_DIRECTORIES: '/', GIT_DISCOVERY_ACROSS_FILESYSTEM: '0' },
  'another default': {
    GIT_DEFAULT_HASH: 'sha256',
    GIT_DEFAULT_REF_FORMAT: 'reftable',
    GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME: 'x',
  },
  colours: { CLICOLOR_FORCE: '1', FORCE_COLOR: '3', TERM: 'xterm-256color', COLORTERM: 'truecolor' },
  'another language': { LANG: 'tr_TR.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' },
  'another time zone': { TZ: 'Pacific/Kiritimati' },
  protocols: {
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '1',
    GIT_SSH_COMMAND: 'false',
    GIT_ASKPASS: 'false',
  },
  'optional locks': { GIT_OPTIONAL_LOCKS: '1', GIT_FLUSH: '0', GIT_NO_LAZY_FETCH: '0' },
  'dates and names': { GIT_AUTHOR_DATE: 'never', GIT_COMMITTER_DATE: 'never', GIT_AUTHOR_NAME: '' },
  'index magic': { GIT_INDEX_VERSION: '2', GIT_TEST_SPLIT_INDEX: '1', GIT_FORCE_UNTRACKED_CACHE: '1' },
};

describe('the environment', () => {
  for (const [title, variables] of Object.entries(VARIABLES)) {
    it(`names ${title}: changes nothing`, async () => {
      const other = join(decoy, '.git');
      writeFileSync(join(other, 'grafts'), `${r.id('main')} ${r.id('plain')}\n`);
      writeFileSync(join(other, 'shallow'), `${r.id('main')}\n`);
      writeFileSync(join(other, 'evil'), '[diff]\n\texternal = true\n[core]\n\tpager = rev\n');
      const values = Object.entries(variables).map(([name, value]) => [name, value.replace('@', other)]);
      expect(await look(r, { env: { ...quiet, ...Object.fromEntries(values) } })).toEqual(plain);
    });
  }

  it('has hardly anything in it: changes nothing', async () => {
    const { PATH, HOME } = quiet;
    const env = { PATH: PATH as string, HOME: HOME as string, COPPICE_CACHE: 'off' };
    expect(await look(r, { env })).toEqual(plain);
  });

  it('has no home folder: is judged all the same', async () => {
    const { HOME: _home, ...env } = quiet;
    const sweep = await look(r, { env });
    expectVerdicts(branchesOf(sweep), MIXTURE);
  });
});

describe('the program git', () => {
  it('is never taken from the repository', async () => {
    const trap = join(r.places.root, 'trapped');
    const body = `#!/bin/sh\necho sprung > ${trap}\nexit 1\n`;
    for (const folder of ['.', 'bin', 'node_modules/.bin']) {
      mkdirSync(join(r.work, folder), { recursive: true });
      writeFileSync(join(r.work, folder, 'git'), body, { mode: 0o755 });
    }
    const { PATH } = quiet;
    const inside = ['', '.', './bin', 'node_modules/.bin', r.work, join(r.work, 'bin')].join(':');
    const run = await runCli(['sweep', '--json', '--no-fetch', '--offline'], {
      cwd: r.work,
      env: { ...quiet, PATH: `${inside}:${PATH}` },
    });
    expect(() => r.gitWith({ cwd: r.places.root }, 'hash-object', trap)).toThrow();
    if (run.json?.schema === 'coppice.sweep.v1') expectVerdicts(branchesOf(run.json), MIXTURE);
    else expect(run.code).toBe(2);
  });
});
