/**
 * A look at worktrees writes nothing: no byte and no time in the repository, in any worktree, in what lies in them, or
 * in the home folder. And hundreds of worktrees are judged as one is.
 */
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { look, runCli, sweepOf } from '../support/cli.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';
import {
  type Build,
  codesIn,
  expectCodes,
  gitAt,
  landMore,
  temporaryDesk,
  temporaryMerged,
} from '../support/worktree.ts';

const admin = (r: Repository, desk: string, file: string) =>
  join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), file);

/** One of many kinds of worktree each, by the hold that it is to have. */
const KINDS: Readonly<Record<string, readonly [hold: string, build: Build]>> = {
  clean: ['recent-write', () => {}],
  touched: ['recent-write', (_r, desk) => utimesSync(join(desk, ALPHA), 1_000_000, 1_000_000)],
  edited: ['modified', (_r, desk) => appendFileSync(join(desk, ALPHA), 'x')],
  staged: [
    'staged',
    (r, desk) => {
      appendFileSync(join(desk, ALPHA), 'x');
      gitAt(r, desk, 'add', ALPHA);
    },
  ],
  hidden: [
    'hidden-edits',
    (r, desk) => {
      gitAt(r, desk, 'update-index', '--skip-worktree', BETA);
      appendFileSync(join(desk, BETA), 'x');
    },
  ],
  untracked: ['untracked', (_r, desk) => writeFileSync(join(desk, 'new'), 'x')],
  remembered: [
    'untracked',
    (r, desk) => {
      gitAt(r, desk, 'update-index', '--untracked-cache');
      gitAt(r, desk, 'status');
      writeFileSync(join(desk, 'new'), 'x');
    },
  ],
  ignored: [
    'recent-write',
    (r, desk) => {
      for (const folder of ['node_modules/a', 'scratch']) mkdirSync(join(desk, folder), { recursive: true });
      writeFileSync(join(desk, 'node_modules/a/index.js'), 'x');
      writeFileSync(join(desk, 'scratch/note'), 'x');
      r.write('.env', 'x');
      writeFileSync(join(desk, '.env'), 'x');
    },
  ],
  nested: [
    'nested-repository',
    (r, desk) => {
      const inner = join(desk, 'scratch/inner');
      r.git('clone', '-q', r.origin, inner);
      utimesSync(join(inner, ALPHA), 1_000_000, 1_000_000);
      appendFileSync(join(inner, BETA), 'x');
    },
  ],
  library: [
    'submodule-commits',
    (r, desk) => {
      gitAt(r, desk, 'submodule', '--quiet', 'update', '--init');
      const lib = join(desk, 'lib');
      utimesSync(join(lib, ALPHA), 1_000_000, 1_000_000);
      appendFileSync(join(lib, BETA), 'x');
    },
  ],
  rebasing: [
    'operation-in-progress',
    (r, desk) => {
      r.tryGit({ cwd: desk }, 'rebase', '-q', '-x', 'false', 'HEAD~1');
    },
  ],
  dropped: [
    'reflog-commits',
    (r, desk) => {
      appendFileSync(join(desk, ALPHA), 'x');
      gitAt(r, desk, 'commit', '-q', '-a', '-m', 'dropped');
      gitAt(r, desk, 'reset', '-q', '--hard', 'HEAD~1');
    },
  ],
  sparse: ['recent-write', (r, desk) => gitAt(r, desk, 'sparse-checkout', 'set', '--no-cone', '/package.json')],
  locked: ['locked', (r, desk) => r.git('worktree', 'lock', desk)],
  writing: ['index-locked', (r, desk) => writeFileSync(admin(r, desk, 'index.lock'), '')],
  damaged: ['repository-damaged', (r, desk) => writeFileSync(admin(r, desk, 'index'), 'nothing')],
  gone: ['missing', (_r, desk) => rmSync(desk, { recursive: true })],
  cut: ['pointer-broken', (_r, desk) => rmSync(join(desk, '.git'))],
};

it('a look writes nothing, whatever there is to see', async () => {
  const r = temporaryMerged();
  landMore(r, () => {
    r.git('submodule', '--quiet', 'add', r.origin, 'lib');
    r.write('.gitattributes', ['*.book filter=book']);
    r.write('page.book', 'x\n');
  });
  for (const [name, [, build]] of Object.entries(KINDS)) build(r, r.worktree(name, 'topic', '-b', `desk/${name}`));
  const told = join(r.places.root, 'told');
  const program = join(r.places.root, 'program');
  writeFileSync(program, `#!/bin/sh\n: > '${told}'\ncat\n`);
  chmodSync(program, 0o755);
  for (const name of ['core.fsmonitor', 'filter.book.clean', 'filter.book.process', 'core.editor', 'diff.external'])
    r.git('config', name, program);
  mkdirSync(r.path('.git/hooks'), { recursive: true });
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-checkout'])
    cpSync(program, r.path(`.git/hooks/${hook}`));
  writeFileSync(join(r.places.home, '.gitconfig'), '[core]\n\tuntrackedCache = true\n[feature]\n\tmanyFiles = true\n');
  rmSync(told, { force: true });

  const before = snapshot(r.places.root);
  /** Names of what is not as it was. */
  const touched = () => {
    const after = snapshot(r.places.root);
    return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  };
  const env = { ...r.env, COPPICE_CACHE: 'off' };
  const args = ['sweep', '--no-fetch', '--json'];
  const sweep = sweepOf(await runCli(args, { cwd: r.work, env }));
  expect(touched()).toEqual([]);
  for (const cwd of [join(r.places.root, 'edited'), join(r.places.root, 'nested/wood')]) {
    await runCli(args, { cwd, env });
    expect(touched()).toEqual([]);
  }
  for (const [name, [hold]] of Object.entries(KINDS)) expect(codesIn(sweep, name).holds, name).toContain(hold);
});

it('a look does not even touch the shared part of a split index', async () => {
  const { r, desk } = temporaryDesk();
  gitAt(r, desk, 'update-index', '--split-index');
  const before = snapshot(r.path('.git/worktrees'));
  expectCodes(codesIn(await look(r), 'desk'), {});
  expect(snapshot(r.path('.git/worktrees'))).toEqual(before);
});

it('three hundred worktrees are judged, each by what is in it', async () => {
  const r = temporaryMerged();
  const first = r.worktree('desk', 'topic', '--detach');
  const dot = readFileSync(join(first, '.git'), 'utf8');
  const from = r.path('.git/worktrees/desk');
  // Copies: adding as many with git would take most of the time.
  for (let at = 1; at < 300; at++) {
    const [place, to] = [`${first}-${at}`, `${from}-${at}`];
    cpSync(first, place, { recursive: true });
    cpSync(from, to, { recursive: true });
    writeFileSync(join(place, '.git'), dot.replace(from, to));
    writeFileSync(join(to, 'gitdir'), `${place}/.git\n`);
    if (at % 50 === 7) writeFileSync(join(place, 'new'), '');
    if (at % 50 === 9) appendFileSync(join(place, ALPHA), 'x');
  }
  const sweep = await look(r);
  expect(sweep.rows.filter(({ kind }) => kind === 'worktree')).toHaveLength(301);
  for (let at = 1; at < 300; at++) {
    const holds = at % 50 === 7 ? ['untracked'] : at % 50 === 9 ? ['modified'] : [];
    expectCodes(codesIn(sweep, `desk-${at}`), { holds });
  }
});
