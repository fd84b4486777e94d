/** What tools make again in worktrees that stay: what counts as that, and what keeps it. */
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowDocument } from '../../src/contract/sweep.ts';
import { known } from '../../src/judge/facts/fact.ts';
import { judgeCaches } from '../../src/judge/caches.ts';
import { errorOf, runCli, sweepOf } from '../support/cli.ts';
import { say } from '../support/inside.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import type { Repository } from '../support/repository.ts';
import { settings } from '../support/state.ts';
import { gitAt, landMore, temporaryDesk, temporaryMerged } from '../support/worktree.ts';
import { desk as sample, emptySurvey } from '../judge/samples.ts';

type CacheRow = Extract<RowDocument, { kind: 'cache' }>;

const LOOK_AT = ['sweep', '--only', 'cache', '--json', '--idle', '0s'];

async function cachesOf(r: Repository, ...words: readonly string[]): Promise<readonly CacheRow[]> {
  const { rows } = sweepOf(await runCli([...LOOK_AT, ...words], { cwd: r.work, env: r.env }));
  return rows.map((row) => {
    if (row.kind !== 'cache') throw new Error(`a row of a ${row.kind}`);
    return row;
  });
}

function put(...parts: readonly string[]): string {
  const path = join(...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x'.repeat(5000));
  return path;
}

/** A worktree with work that nobody has merged, which stays, and with two folders that tools make again. */
function deskWithCaches(): { r: Repository; desk: string } {
  const { r, desk } = temporaryDesk();
  put(desk, 'work.txt');
  put(desk, '.env');
  put(desk, 'node_modules/pkg/index.js');
  put(desk, 'dist/out.js');
  return { r, desk };
}

const holdsOf = ({ evidence }: CacheRow) => evidence.filter(({ effect }) => effect === 'holds').map(({ code }) => code);

describe('what tools make again in a linked worktree', () => {
  it('would go, whatever else is in it, with its size and what shows that it is made again', async () => {
    const { r, desk } = deskWithCaches();
    const rows = await cachesOf(r);
    expect(rows).toMatchObject([
      {
        id: 'cache:desk',
        path: desk,
        action: 'remove',
        reason: { code: 'rebuildable' },
        state: {
          folders: [
            { path: 'dist', why: 'made by the tool of package.json' },
            { path: 'node_modules', why: 'installed from package-lock.json' },
          ],
        },
      },
    ]);
    const [{ state }] = rows as [CacheRow];
    expect(state.folders.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(state.bytes);
    expect(state.bytes).toBeGreaterThan(10_000);
  });

  it('is asked for by its name alone', async () => {
    const { r } = deskWithCaches();
    const { rows } = sweepOf(await runCli(['sweep', '--json'], { cwd: r.work, env: r.env }));
    expect(rows.some(({ kind }) => kind === 'cache')).toBe(false);
  });

  it('is not told of a worktree that goes as a whole, and of no main one', async () => {
    const { r, desk } = temporaryDesk();
    put(desk, 'node_modules/pkg/index.js');
    put(r.work, 'node_modules/pkg/index.js');
    const both = ['sweep', '--only', 'cache,worktree', '--json', '--idle', '0s'];
    const { rows } = sweepOf(await runCli(both, { cwd: r.work, env: r.env }));
    expect(rows.map(({ id }) => id)).toEqual(['worktree:@', 'worktree:desk']);
    expect((await cachesOf(r)).map(({ id }) => id)).toEqual(['cache:desk']);
  });

  it.each<readonly [string, (r: Repository, desk: string) => void, readonly string[]]>([
    ['a folder without what a tool makes it from', (_r, desk) => put(desk, 'target/debug/app'), []],
    ['a folder that git does not ignore', (_r, desk) => put(desk, 'coverage/x'), []],
    ['an empty folder', (_r, desk) => mkdirSync(join(desk, 'node_modules')), []],
    ['a link to one', (_r, desk) => symlinkSync('/usr/share', join(desk, 'node_modules')), []],
    ['files alone', (_r, desk) => put(desk, 'all.log'), []],
    ['a secret beside it', (_r, desk) => [put(desk, 'scratch/x'), put(desk, '__pycache__/a.pyc')], ['__pycache__']],
    ['a folder deep inside', (_r, desk) => [put(desk, 'a/package.json'), put(desk, 'a/dist/x')], ['a/dist']],
    ['one within another', (_r, desk) => put(desk, 'node_modules/a/node_modules/b/x'), ['node_modules']],
  ])('%s', async (_title, build, folders) => {
    const { r, desk } = temporaryDesk();
    build(r, desk);
    const rows = await cachesOf(r);
    expect(rows.flatMap(({ state }) => state.folders.map(({ path }) => path))).toEqual(folders);
  });

  it('is none where git has a file of it', async () => {
    const r = temporaryMerged();
    landMore(r, () => {
      put(r.work, 'dist/kept.js');
      r.git('add', '--force', 'dist/kept.js');
    });
    const desk = r.worktree('desk', 'topic');
    put(desk, 'dist/out.js');
    put(desk, 'node_modules/a/x');
    const rows = await cachesOf(r);
    expect(rows.flatMap(({ state }) => state.folders.map(({ path }) => path))).toEqual(['node_modules']);
  });

  it('is what the settings name, too', async () => {
    const { r, desk } = temporaryDesk();
    settings(r, 'ignored.rebuildable = ["scratch"]\n');
    put(desk, 'scratch/x');
    expect(await cachesOf(r)).toMatchObject([{ action: 'remove', state: { folders: [{ path: 'scratch' }] } }]);
  });
});

type Build = (r: Repository, desk: string) => unknown;

const HOLDS: readonly (readonly [code: string, title: string, build: Build])[] = [
  ['protected', 'by the settings', (r, desk) => settings(r, `protect.paths = ["${desk}"]\n`)],
  ['pointer-broken', 'in a worktree of which git knows nothing', (_r, desk) => writeFileSync(join(desk, '.git'), 'x')],
  ['leased', 'while somebody leased it', (r, desk) => say(r, ['lease', 'acquire', '--task', 'T'], { cwd: desk })],
  ['locked', 'while it is locked', (r, desk) => gitAt(r, desk, 'worktree', 'lock', desk)],
  ['operation-in-progress', 'in a bisect', (r, desk) => gitAt(r, desk, 'bisect', 'start')],
  ['index-locked', 'while git writes', (r) => put(r.path('.git/worktrees/desk/index.lock'))],
  [
    'nested-repository',
    'with a repository in it',
    (r, desk) => r.git('init', '--quiet', join(desk, 'node_modules/pkg/own')),
  ],
  [
    'nested-worktree',
    'with a worktree in it',
    (r, desk) => r.git('worktree', 'add', '--quiet', '-b', 'other', join(desk, 'node_modules/other'), 'main'),
  ],
  ['reservations-unread', 'while reservations are in use', (r) => settings(r, 'reservations.enabled = true\n')],
];

describe('stays', () => {
  it.each(HOLDS)('%s: %s', async (code, _title, build) => {
    const { r, desk } = deskWithCaches();
    await build(r, desk);
    const rows = await cachesOf(r);
    const row = rows.find(({ id }) => id === 'cache:desk');
    expect(row, JSON.stringify(rows)).toMatchObject({ action: 'keep' });
    expect(holdsOf(row as CacheRow)).toContain(code);
  });

  it('current-worktree: where one stands', async () => {
    const { r, desk } = deskWithCaches();
    const { rows } = sweepOf(await runCli(LOOK_AT, { cwd: join(desk, 'dist'), env: r.env }));
    expect(rows).toMatchObject([{ id: 'cache:desk', action: 'keep', reason: { code: 'current-worktree' } }]);
  });

  it.skipIf(!canMount)('mount-inside: with something mounted in it, and in it alone', async () => {
    const { r, desk } = deskWithCaches();
    mountEmpty(join(desk, 'scratch'));
    expect((await cachesOf(r)).map(({ action }) => action)).toEqual(['remove']);
    mountEmpty(join(desk, 'node_modules/mounted'));
    expect((await cachesOf(r)).map(holdsOf)).toEqual([['mount-inside']]);
  });

  it.skipIf(!canOccupy)('process-inside: while somebody is in it, or anywhere in its worktree', async () => {
    const { r, desk } = deskWithCaches();
    await occupy([['cd', desk]]);
    expect((await cachesOf(r)).map(holdsOf)).toEqual([['process-inside']]);
  });

  it('recent-write: for a write to what tools make again, too', async () => {
    const { r, desk } = deskWithCaches();
    const then = new Date(Date.now() - 30 * 86_400_000);
    const rest = (path: string) => {
      if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) rest(join(path, name));
      lutimesSync(path, then, then);
    };
    rest(desk);
    const log = r.path('.git/worktrees/desk/logs/HEAD');
    writeFileSync(log, readFileSync(log, 'utf8').replace(/> \d+ /g, `> ${Math.floor(then.getTime() / 1000)} `));
    const ask = async () => sweepOf(await runCli(['sweep', '--only', 'cache', '--json'], { cwd: r.work, env: r.env }));
    expect((await ask()).rows).toMatchObject([{ action: 'remove' }]);
    writeFileSync(join(desk, 'dist/out.js'), 'new');
    expect((await ask()).rows).toMatchObject([
      { action: 'keep', reason: { code: 'recent-write', text: expect.stringContaining('dist') } },
    ]);
  });

  it.skipIf(!isRoot)('trash-unreachable: where this account may not move it', async () => {
    const { r, desk } = deskWithCaches();
    giveAway(r.places.root);
    chmodSync(join(desk, 'node_modules'), 0o555);
    const { rows } = sweepOf(await runCli(LOOK_AT, { cwd: r.work, env: r.env, ...unprivileged }));
    expect((rows as CacheRow[]).map(holdsOf)).toEqual([['trash-unreachable']]);
  });

  it.skipIf(!isRoot)('probe-failed: where it cannot be read', async () => {
    const { r, desk } = deskWithCaches();
    giveAway(r.places.root);
    chmodSync(join(desk, 'node_modules/pkg'), 0o000);
    const { rows } = sweepOf(await runCli(LOOK_AT, { cwd: r.work, env: r.env, ...unprivileged }));
    chmodSync(join(desk, 'node_modules/pkg'), 0o755);
    expect((rows as CacheRow[]).map(holdsOf)).toEqual([['probe-failed']]);
  });
});

describe('a budget', () => {
  it('lets the newest stay, as far as it goes', async () => {
    const r = temporaryMerged();
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      const desk = r.worktree(name, 'topic', '-b', name);
      const then = new Date(Date.now() - (9 - at) * 86_400_000);
      const file = put(desk, 'node_modules/pkg/index.js');
      for (const path of [file, dirname(file), join(desk, 'node_modules')]) utimesSync(path, then, then);
    }
    const [one] = await cachesOf(r);
    const { bytes } = (one as CacheRow).state;
    const actions = async (budget: number) => (await cachesOf(r, '--budget', `${budget}`)).map(({ action }) => action);
    expect(await actions(3 * bytes)).toEqual(['keep', 'keep', 'keep']);
    expect(await actions(3 * bytes - 1)).toEqual(['remove', 'keep', 'keep']);
    expect(await actions(bytes)).toEqual(['remove', 'remove', 'keep']);
    expect(await actions(bytes - 1)).toEqual(['remove', 'remove', 'remove']);
    expect((await cachesOf(r, '--budget', '1G')).map(holdsOf)).toEqual([
      ['within-budget'],
      ['within-budget'],
      ['within-budget'],
    ]);
  });

  it('is for caches, and is a size', async () => {
    const { r } = deskWithCaches();
    const ask = (...words: string[]) => runCli(['sweep', ...words, '--json'], { cwd: r.work, env: r.env });
    expect(errorOf(await ask('--budget', '5G'))).toMatchObject({ code: 'bad-value', exit: 64 });
    expect(errorOf(await ask('--only', 'branch', '--budget', '5G'))).toMatchObject({ code: 'bad-value', exit: 64 });
    expect(errorOf(await ask('--only', 'cache', '--budget', 'much'))).toMatchObject({ exit: 64 });
  });

  it('whatever there is: what stays fits or is held, and nothing newer goes before something older', () => {
    const cache = fc.record({
      bytes: fc.integer({ min: 0, max: 1000 }),
      lastWrite: fc.integer({ min: 0, max: 50 }),
      isHeld: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(cache, { maxLength: 12 }), fc.integer({ min: 0, max: 6000 }), (all, budget) => {
        const worktrees = all.map(({ bytes, lastWrite, isHeld }, at) => ({
          ...sample,
          admin: `desk-${at}`,
          isCurrent: isHeld,
          caches: known([
            {
              path: 'node_modules',
              id: { device: '1', inode: '1', birth: '1' },
              why: 'so',
              bytes,
              lastWrite,
              lastChange: 0,
              stuck: null,
            },
          ]),
        }));
        const asked = { ...emptySurvey, idle: 0, caches: { budget, alone: true } };
        const rows = judgeCaches(worktrees, asked, new Set());
        const of = (action: string) =>
          rows.flatMap((row, at) => (row.action === action ? [all[at] as (typeof all)[number]] : []));
        const [gone, kept] = [of('remove'), of('keep')];
        const free = kept.filter(({ isHeld }) => !isHeld);
        const left = kept.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(gone.every(({ isHeld }) => !isHeld)).toBe(true);
        if (free.length > 0) expect(left).toBeLessThanOrEqual(budget);
        for (const one of gone) for (const other of free) expect(one.lastWrite).toBeLessThanOrEqual(other.lastWrite);
        const last = gone.filter(({ lastWrite }) => lastWrite === Math.max(...gone.map((one) => one.lastWrite)));
        // No more goes than has to.
        if (last.length === 1) expect(left + (last[0]?.bytes ?? 0)).toBeGreaterThan(budget);
      }),
    );
  });
});
