/** What is named, or looks like it, and must not be touched: main worktrees, neighbours, what others use. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applySweep } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { leaseInside } from '../support/inside.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import type { Repository } from '../support/repository.ts';
import { temporaryMerged } from '../support/worktree.ts';
import { bringBack, changes, seen } from './seen.ts';

const rm = (r: Repository, name: string, cwd = r.work, env = r.env) =>
  runCli(['rm', name, '--no-fetch', '--idle', '0s'], { cwd, env });

describe('the main worktree', () => {
  it('is not put aside under any name', async () => {
    const r = temporaryMerged();
    r.checkout('topic');
    const link = join(r.places.root, 'link');
    symlinkSync(r.work, link);
    const desk = r.worktree('desk', 'main', '--detach');
    const before = seen(r);
    for (const name of ['.', '..', 'work', 'worktree:@', r.work, link, r.path('.git'), 'topic']) await rm(r, name);
    for (const name of [r.work, '../work']) await rm(r, name, desk);
    expect(changes(before, seen(r))).toEqual([]);
  });
});

describe('names that are like each other', () => {
  const NAMES = ['x/43-a', 'x/143-b', 'feat', 'feat-2', 'a.b', 'axb', 'with space', 'new\nline'];

  it('only the one that is named goes', async () => {
    const r = temporaryMerged();
    const desks = NAMES.map((name, at) => {
      const isBranch = !/\s/.test(name);
      return r.worktree(name.replace('/', '-'), 'topic', ...(isBranch ? ['-b', name] : ['-b', `odd-${at}`]));
    });
    const before = seen(r);
    for (const name of ['43', '*', 'fea', 'space']) await rm(r, name);
    expect(changes(before, seen(r))).toEqual([]);
    for (const at of [0, 7]) {
      await rm(r, desks[at] as string);
      expect(desks.map((desk) => existsSync(desk))).toEqual(desks.map((_, index) => index !== at));
      await bringBack(r);
      expect(changes(before, seen(r))).toEqual([]);
    }
  });
});

describe('what somebody uses', () => {
  it.skipIf(!canOccupy)('stays, by a sweep and by its name; the one beside it goes', async () => {
    const r = temporaryMerged();
    const [leased = '', inside = '', writing = '', free = ''] = ['leased', 'inside', 'writing', 'free'].map((name) =>
      r.worktree(name, 'topic', '-b', `b/${name}`),
    );
    await leaseInside(r, ['acquire'], { cwd: leased });
    const people = [
      await occupy([['cd', join(inside, 'wood')]]),
      await occupy([['write', join(writing, 'package.json')]]),
    ];
    const before = seen(r);
    await applySweep(r);
    for (const desk of [leased, inside, writing]) await rm(r, desk);
    expect([leased, inside, writing, free].map((desk) => existsSync(desk))).toEqual([true, true, true, false]);
    await bringBack(r);
    expect(changes(before, seen(r))).toEqual([]);
    await Promise.all(people.map((one) => one.end()));
  });
});

describe('an environment of somebody else', () => {
  it.each(['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY'])(
    '%s: what stays and what goes is the same',
    async (variable) => {
      const r = temporaryMerged();
      const desk = r.worktree('desk', 'topic', '-b', 'b/desk');
      const other = r.worktree('other', 'topic', '-b', 'b/other');
      r.gitWith({ cwd: other }, 'commit', '--quiet', '--allow-empty', '--message=x');
      r.gitWith({ cwd: other }, 'rm', '--quiet', 'package.json');
      const before = seen(r);
      const env = { ...r.env, [variable]: r.path('.git/worktrees/other') };
      await applySweep(r, { env });
      await rm(r, other, r.work, env);
      expect([existsSync(desk), existsSync(other)]).toEqual([false, true]);
      await bringBack(r);
      expect(changes(before, seen(r))).toEqual([]);
    },
  );
});
