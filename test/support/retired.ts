/** Worktrees that were put aside: everything of one that must come back. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { OutcomeDocument } from '../../src/contract/outcome.ts';
import { type AppliedSweep, applySweep } from './acts.ts';
import type { CliOptions } from './cli.ts';
import { stateOf } from './state.ts';
import type { Repository } from './repository.ts';

/** One line a file or folder: kind, mode, owner, inode, content, and of files and links the time. */
export function wholeOf(root: string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const visit = (path: Buffer) => {
    const stats = lstatSync(path, { bigint: true });
    const content = stats.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : stats.isSymbolicLink()
        ? readlinkSync(path)
        : '';
    const { mode, uid, gid, ino, size, mtimeNs } = stats;
    // Nothing gives a folder its time back to the last digit.
    const time = stats.isDirectory() ? mtimeNs / 1_000_000n : mtimeNs;
    const name = relative(root, path.toString('latin1')) || '.';
    seen.set(name, [mode.toString(8), uid, gid, ino, stats.isDirectory() ? '' : size, time, content].join(' '));
    if (!stats.isDirectory()) return;
    for (const entry of readdirSync(path, { encoding: 'buffer' }))
      visit(Buffer.concat([path, Buffer.from('/'), entry]));
  };
  visit(Buffer.from(root));
  return seen;
}

/** What a worktree's git directory holds, without the times and inodes of its files. */
export function heldBy(r: Repository, desk: string): ReadonlyMap<string, string> {
  const whole = wholeOf(r.path(join('.git/worktrees', basename(desk))));
  return new Map([...whole].map(([path, line]) => [path, line.split(' ').toSpliced(3, 3).join(' ')]));
}

/** A sweep that acts, and what became of the worktree in `desk`. */
export async function retire(
  r: Repository,
  desk: string,
  options: Partial<CliOptions> = {},
): Promise<AppliedSweep & { readonly outcome: OutcomeDocument }> {
  const applied = await applySweep(r, options);
  const row = applied.sweep.rows.find(({ id }) => id === `worktree:${basename(desk)}`);
  if (row?.outcome === undefined) throw new Error(`nothing became of ${desk}: ${JSON.stringify(row)}`);
  return { ...applied, outcome: row.outcome };
}

/** Entries of the trash that hold a tree. */
export function treesIn(r: Repository): string[] {
  const trash = stateOf(r, 'trash');
  return readdirSync(trash).filter((name) => readdirSync(join(trash, name)).includes('tree'));
}
