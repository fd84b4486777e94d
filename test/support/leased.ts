/** Leases as tests of the verb begin with them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type CliOptions, entry } from './cli.ts';
import { leaseInside } from './inside.ts';
import { runAlongside } from './processes.ts';
import { Repository, temporaryRepository } from './repository.ts';

export const here = (cwd: string) => ({ cwd });

export const holding = (r: Repository, token: string) => ({ env: { ...r.env, COPPICE_LEASE_TOKEN: token } });

export const tokenIn = (file: string | null | undefined) => readFileSync(file as string, 'utf8').trim();

/** Fails when coppice has written anything. */
export function untouched(r: Repository): void {
  expect(readdirSync(join(r.work, '.git')).filter((name) => name.startsWith('coppice'))).toEqual([]);
}

let built: Repository | null = null;

afterAll(() => {
  built?.remove();
  built = null;
});

/** A repository with a worktree `app-x`: built once in a test file, and copied for each test. */
export function withWorktree(): { r: Repository; tree: string } {
  if (built === null) {
    const first = new Repository();
    built = first;
    first.worktree('app-x');
  }
  const r = temporaryRepository(built);
  const tree = join(r.places.root, 'app-x');
  const gitDir = join(r.work, '.git', 'worktrees', 'app-x');
  // Both name each other by path.
  writeFileSync(join(tree, '.git'), `gitdir: ${gitDir}\n`);
  writeFileSync(join(gitDir, 'gitdir'), `${join(tree, '.git')}\n`);
  return { r, tree };
}

/** A lease on a worktree of its own, and its token. */
export async function leased(args: readonly string[] = [], lease: typeof leaseInside = leaseInside) {
  const { r, tree } = withWorktree();
  const { json } = await lease(r, ['acquire', ...args], here(tree));
  // As it can be given to a program: coppice prints the home folder as ~, and this is none in it.
  return { r, tree, file: json.tokenFile as string, token: tokenIn(json.tokenFile), json };
}

/** A run of the built program whose stdout may be no document. */
export async function runRaw(args: readonly string[], r: Repository, options: Partial<CliOptions> = {}) {
  const { cwd = r.work, env = r.env, ...rest } = options;
  const finished = await runAlongside(process.execPath, [entry, ...args], { cwd, env, ...rest });
  return { ...finished, stdout: finished.stdout.toString('utf8') };
}

/** How many ended with which exit code. */
export function codesOf(results: readonly { readonly code: number | null }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of results) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  return counts;
}
