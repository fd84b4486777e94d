/** Acting on repositories: sweeping for real, undoing, and everything that must come back. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OutcomeDocument } from '../../src/contract/outcome.ts';
import type { SweepDocument } from '../../src/contract/sweep.ts';
import type { UndoDocument } from '../../src/contract/undo.ts';
import { branchesOf, type CliOptions, type CliResult, runCli } from './cli.ts';
import { realGit } from './environment.ts';
import { run } from './processes.ts';
import { type Repository, temporaryRepository } from './repository.ts';
import type { Start } from './template.ts';

export const APPLY = ['sweep', '--apply', '--json', '--no-fetch', '--idle', '0s'] as const;

export interface AppliedSweep extends CliResult {
  readonly sweep: SweepDocument;
  /** By the branch's name. */
  readonly outcomes: ReadonlyMap<string, OutcomeDocument>;
}

/** A sweep that acts; anything but a sweep fails the test. */
export async function applySweep(r: Repository, options: Partial<CliOptions> = {}): Promise<AppliedSweep> {
  const result = await runCli(APPLY, { cwd: r.work, env: r.env, ...options });
  if (result.json?.schema !== 'coppice.sweep.v1' || result.json.mode !== 'apply') {
    throw new Error(`no sweep that acted, but exit ${result.code}: ${result.stdout}${result.stderr}`);
  }
  const outcomes = new Map(
    [...branchesOf(result.json)].map(([name, { outcome }]) => {
      if (outcome === undefined) throw new Error(`${name} has no outcome`);
      return [name, outcome];
    }),
  );
  return { ...result, sweep: result.json, outcomes };
}

/** Runs `undo`. */
export async function undo(
  r: Repository,
  ...words: readonly string[]
): Promise<CliResult & { rows: UndoDocument['rows'] }> {
  const result = await runCli(['undo', '--json', ...words], { cwd: r.work, env: r.env });
  return { ...result, rows: result.json?.schema === 'coppice.undo.v1' ? result.json.rows : [] };
}

/** Runs a command that coppice printed. */
export async function runPrinted(r: Repository, command: string | null | undefined): Promise<CliResult> {
  const [program, ...words] = (command ?? '').split(' ');
  if (program !== 'coppice') throw new Error(`no command of coppice: ${command}`);
  return runCli(words, { cwd: r.work, env: r.env });
}

/** A branch of two commits, one amended, whose whole change is squashed into main; it tracks its remote branch. */
export function squashed(r: Repository, name: string): string {
  const file = `${Buffer.from(name).toString('hex').slice(0, 40)}.txt`;
  r.toMain();
  r.branch(name);
  r.write(file, ['one']);
  r.commit('one');
  r.write(file, ['one', 'two']);
  r.commit('two');
  r.write(file, ['one', 'two', 'three']);
  const tip = r.amend();
  r.track(name);
  r.toMain();
  r.squash(name);
  return tip;
}

/** A repository with these branches squashed into main, and main published. */
export function squashedRepository(...names: readonly string[]): Repository {
  return squashedFrom({}, ...names);
}

export function squashedFrom(start: Start, ...names: readonly string[]): Repository {
  const r = temporaryRepository(start);
  for (const name of names) squashed(r, name);
  r.publish();
  return r;
}

/** All that must be as it was after an undo: refs but coppice's own, reflogs and the configuration by their bytes. */
export function standing(r: Repository): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  for (const line of r.git('-c', 'safe.directory=*', 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')) {
    const [ref = '', oid = ''] = line.split(' ');
    if (!ref.startsWith('refs/coppice/')) seen.set(ref, oid);
  }
  for (const file of filesBelow(r.path('.git/logs/refs/heads'))) seen.set(file, readFileSync(file, 'latin1'));
  seen.set('config', readFileSync(r.path('.git/config'), 'latin1'));
  seen.set('HEAD', readFileSync(r.path('.git/HEAD'), 'latin1'));
  return seen;
}

export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every object that a ref, a HEAD or a reflog reaches, with its bytes as their id. */
export function reachable(r: Repository): ReadonlySet<string> {
  return new Set(
    r.git('rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects', 'HEAD').split('\n'),
  );
}

/** Whatever it said: nothing is lost, and what was done can be undone. */
export async function expectNothingLost(
  r: Repository,
  before: ReadonlyMap<string, string>,
  told: string,
): Promise<void> {
  const back = await undo(r, '--last');
  const isBack = back.json?.schema === 'coppice.error.v1' && back.json.code === 'nothing-to-undo';
  expect([told, back.code === 0 || isBack, back.json]).toEqual([told, true, expect.anything()]);
  expect([told, standing(r)]).toEqual([told, before]);
}

/** Takes away everything that git does not need any more. */
export function forget(r: Repository): void {
  r.git('reflog', 'expire', '--expire=now', '--all');
  r.git('gc', '--quiet', '--prune=now');
}

/** Those of `objects` that are not here, or not of the bytes that their id says. */
export function missing(r: Repository, objects: ReadonlySet<string>): string[] {
  const told = run(realGit, ['cat-file', '--batch-check', '--buffer'], {
    cwd: r.work,
    env: r.env,
    input: [...objects].map((oid) => `${oid}\n`).join(''),
  });
  return told.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.endsWith(' missing'));
}

/** Installs a hook of the repository, a POSIX shell script that runs in the git directory. */
export function hook(r: Repository, body: string, name = 'reference-transaction'): void {
  r.write(`.git/hooks/${name}`, `#!/bin/sh\ncd '${r.path('.git')}'\n${body}\n`);
  r.executable(`.git/hooks/${name}`);
}

/** The steps of the journal: verb, step, subject. */
export function journalOf(r: Repository): string[] {
  return filesBelow(r.path('.git/coppice/journal'))
    .sort()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1))
    .map((line) => {
      const { verb, step, subject } = JSON.parse(line) as Record<string, string>;
      return `${verb} ${step} ${subject}`;
    });
}
