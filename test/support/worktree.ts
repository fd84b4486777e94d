/** Linked worktrees to judge. Each begins as one of a merged branch, clean and with nothing against it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowDocument, SweepDocument } from '../../src/contract/sweep.ts';
import { type CliOptions, look } from './cli.ts';
import { ALPHA, Repository, temporaryRepository } from './repository.ts';

export type WorktreeRow = Extract<RowDocument, { kind: 'worktree' }>;

/** Does something to the worktree in the folder `desk`. */
export type Build = (r: Repository, desk: string) => void;

/** The same; a promise is waited for. */
export type SlowBuild = (...args: Parameters<Build>) => unknown;

export interface Codes {
  readonly action: string;
  readonly holds: string[];
  readonly noted: string[];
  readonly spent: string[];
}

export interface Wanted {
  /** All the holds, in any order. None: it would go. */
  readonly holds?: readonly string[];
  /** Codes that must be among what is worth knowing. */
  readonly noted?: readonly string[];
  /** Codes that must not. */
  readonly notNoted?: readonly string[];
}

export interface Case extends Wanted {
  readonly build: SlowBuild;
}

export type Cases = Readonly<Record<string, Case>>;

/** Names that the fixture's own `.gitignore` has, one a kind of thing. */
const IGNORED = ['node_modules', '.env*', 'scratch', '*.log', 'dist', '.venv', '__pycache__', 'target'];

let built: Repository | null = null;

afterAll(() => {
  built?.remove();
  built = null;
});

/** `topic` squashed into main, main published, nothing else. Built once a test file, copied for each test. */
export function temporaryMerged(): Repository {
  built ??= buildMerged();
  return temporaryRepository(built);
}

/** The same for several tests; whoever asks removes it. */
export function newMerged(): Repository {
  built ??= buildMerged();
  return new Repository(built);
}

function buildMerged(): Repository {
  const r = new Repository();
  r.write('.gitignore', IGNORED);
  r.write('package.json', ['{}']);
  r.write('package-lock.json', ['{}']);
  r.commit('start');
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.toMain();
  r.squash('topic');
  r.publish();
  return r;
}

/** Such a repository with one worktree, at `desk` and on `topic`. */
export function temporaryDesk(): { r: Repository; desk: string } {
  const r = temporaryMerged();
  return { r, desk: r.worktree('desk', 'topic') };
}

/** More on `topic`, which main then takes over as well: for files that the worktrees are to have tracked. */
export function landMore(r: Repository, write: () => void): void {
  r.checkout('topic');
  write();
  r.commit('more');
  r.toMain();
  r.squash('topic', 'topic (#2)');
  r.publish();
}

/** Fails when git's own status sees what a test hides from it. */
export function expectUnseen(r: Repository, desk: string): void {
  expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
}

/** git in a worktree; throws when it fails. */
export function gitAt(r: Repository, desk: string, ...args: readonly string[]): string {
  return r
    .gitWith({ cwd: desk }, ...args)
    .toString()
    .trim();
}

/** What is found of the worktree in `desk`, in a repository of its own. */
export async function codesOf(build: SlowBuild, options: Partial<CliOptions> = {}): Promise<Codes> {
  const { r, desk } = temporaryDesk();
  await build(r, desk);
  return codesIn(await look(r, options), 'desk');
}

/** What is found of the worktree whose git directory has that name; `@` is the main one. */
export function codesIn(sweep: SweepDocument, admin: string): Codes {
  const row = rowOf(sweep, admin);
  const codes = (effect: string) => row.evidence.filter((one) => one.effect === effect).map(({ code }) => code);
  return { action: row.action, holds: codes('holds'), noted: codes('noted'), spent: codes('spent') };
}

export function rowOf({ rows }: SweepDocument, admin: string): WorktreeRow {
  const row = rows.find(({ id }) => id === `worktree:${admin}`);
  if (row?.kind !== 'worktree') throw new Error(`no row for the worktree: ${JSON.stringify(rows.map(({ id }) => id))}`);
  return row;
}

/** Fails unless these are the holds and, among the rest, what is asked for. */
export function expectCodes(codes: Codes, { holds = [], noted = [], notNoted = [] }: Wanted): void {
  const told = JSON.stringify(codes);
  expect([...codes.holds].sort(), told).toEqual([...holds].sort());
  expect(codes.action, told).toBe(holds.length === 0 && codes.spent.length > 0 ? 'remove' : 'keep');
  expect(codes.noted, told).toEqual(expect.arrayContaining([...noted]));
  for (const code of notNoted) expect(codes.noted, told).not.toContain(code);
}

/** A test of one worktree in a repository of its own: for what other worktrees would notice. */
export function alone(title: string, { build, ...wanted }: Case, options: Partial<CliOptions> = {}): void {
  it(title, async () => expectCodes(await codesOf(build, options), wanted));
}

/**
 * A test for each worktree of one repository, which is looked at once: for what happens in the worktrees alone.
 * @param prepare does something to the repository before there are worktrees.
 */
export function together(cases: Cases, prepare: (r: Repository) => void = () => {}): void {
  const faults = new Map<string, unknown>();
  let sweep: SweepDocument | null = null;
  let r: Repository | null = null;
  beforeAll(async () => {
    r = newMerged();
    prepare(r);
    for (const [at, [title, { build }]] of Object.entries(cases).entries()) {
      try {
        await build(r, r.worktree(`desk-${at}`, 'topic', '-b', `desk/${at}`));
      } catch (fault) {
        faults.set(title, fault);
      }
    }
    sweep = await look(r);
  });
  afterAll(() => r?.remove());
  for (const [at, [title, one]] of Object.entries(cases).entries()) {
    it(title, () => {
      if (faults.has(title)) throw faults.get(title);
      expectCodes(codesIn(sweep as unknown as SweepDocument, `desk-${at}`), one);
    });
  }
}
