/** What tools make again goes into the trash and comes back, whole, whatever happens on the way. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutcomeDocument } from '../../src/contract/outcome.ts';
import { filesBelow, runPrinted, undo } from '../support/acts.ts';
import { type CliOptions, errorOf, runCli } from '../support/cli.ts';
import { crashing, stepNames } from '../support/crash.ts';
import { meddling } from '../support/meddling.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import type { Repository } from '../support/repository.ts';
import { retire, wholeOf } from '../support/retired.ts';
import { settings, stateOf } from '../support/state.ts';
import { gitAt, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';
const seed = Number(process.env['COPPICE_TEST_SEED'] ?? 1);

const RECLAIM = ['sweep', '--only', 'cache', '--idle', '0s', '--apply'];
const UNDO = ['undo', '--last'];
const PURGE = ['purge', '--all', '--apply'];

/** Two folders that tools make again, among things that nothing does. */
function fill(desk: string): string {
  mkdirSync(join(desk, 'node_modules/pkg/.bin'), { recursive: true });
  mkdirSync(join(desk, 'web/dist'), { recursive: true });
  writeFileSync(join(desk, 'web/package.json'), '{}');
  writeFileSync(join(desk, 'web/dist/out.js'), 'x'.repeat(3000));
  writeFileSync(join(desk, 'node_modules/pkg/run.sh'), 'x', { mode: 0o755 });
  symlinkSync('../run.sh', join(desk, 'node_modules/pkg/.bin/run'));
  writeFileSync(join(desk, '.env'), 'SECRET=1');
  writeFileSync(join(desk, 'work.txt'), 'work');
  return desk;
}

function filledDesk(): { r: Repository; desk: string; before: ReadonlyMap<string, string> } {
  const { r, desk } = temporaryDesk();
  fill(desk);
  return { r, desk, before: treeOf(desk) };
}

/** Without the times of the folders in which something was that went, and of git's own. */
function treeOf(desk: string): ReadonlyMap<string, string> {
  const without = (path: string, line: string) =>
    ['.', 'web'].includes(path) ? line.split(' ').toSpliced(5, 1).join(' ') : line;
  return new Map([...wholeOf(desk)].map(([path, line]) => [path, without(path, line)]));
}

const CACHE = /^(?:node_modules|web\/dist)(?:\/|$)/;
const rest = (tree: ReadonlyMap<string, string>) => new Map([...tree].filter(([path]) => !CACHE.test(path)));

async function reclaim(r: Repository, options: Partial<CliOptions> = {}): Promise<OutcomeDocument> {
  const { json, stdout } = await runCli([...RECLAIM, '--json'], { cwd: r.work, env: r.env, ...options });
  const row = json?.schema === 'coppice.sweep.v1' ? json.rows.find(({ id }) => id === 'cache:desk') : undefined;
  if (row?.outcome === undefined) throw new Error(stdout);
  return row.outcome;
}

const idOf = ({ undo: command }: OutcomeDocument) => command?.split(' ')[2] ?? '';
const ask = (r: Repository, ...words: readonly string[]) => runCli([...words, '--json'], { cwd: r.work, env: r.env });

async function purge(r: Repository, ...words: readonly string[]) {
  const { json, stdout } = await ask(r, ...(words.length > 0 ? ['purge', '--apply', ...words] : PURGE));
  if (json?.schema !== 'coppice.purge.v1') throw new Error(stdout);
  return json.items;
}

/** Folders of caches that wait in the trash. */
function waiting(r: Repository): string[] {
  return filesBelow(stateOf(r, 'trash')).filter((path) => path.includes('/cache/'));
}

describe('what tools make again', () => {
  it('goes, and comes back as it was; nothing else is touched', async () => {
    const { r, desk, before } = filledDesk();
    const outcome = await reclaim(r);
    expect(outcome).toMatchObject({ status: 'done', text: expect.stringContaining('2 folders') });
    expect(treeOf(desk)).toEqual(rest(before));
    expect(gitAt(r, desk, 'status', '--porcelain')).toContain('work.txt');
    expect((await runPrinted(r, outcome.undo)).code).toBe(0);
    expect(treeOf(desk)).toEqual(before);
    expect(errorOf(await undo(r, idOf(outcome)))).toMatchObject({ code: 'already-undone' });
  });

  it('is on record, and is purged by its id, by its run, or with its time', async () => {
    for (const words of [[], ['id'], ['run']]) {
      const { r, desk } = filledDesk();
      const id = idOf(await reclaim(r));
      const { json } = await ask(r, 'history');
      expect(json).toMatchObject({ acts: [{ id, verb: 'sweep', subject: desk, undo: { state: 'open' } }] });
      const run = json?.schema === 'coppice.history.v1' ? (json.acts[0]?.run ?? '') : '';
      const shown = await ask(r, 'purge');
      expect(shown.json).toMatchObject({ items: [{ kind: 'cache', path: desk, run, due: false }] });
      const items = await purge(r, ...words.flatMap((what) => ['--id', what === 'id' ? id : run]));
      expect(items).toMatchObject([{ kind: 'cache', path: desk, run, outcome: { status: 'done' } }]);
      expect(readdirSync(stateOf(r, 'trash'))).toEqual([]);
      expect(errorOf(await undo(r, id))).toMatchObject({ code: 'purged' });
    }
  });

  it('of which the record is lost comes back', async () => {
    const { r, desk, before } = filledDesk();
    const id = idOf(await reclaim(r));
    rmSync(stateOf(r, 'journal'), { recursive: true });
    expect((await ask(r, 'history')).json).toMatchObject({ acts: [{ id, undo: { state: 'open' } }] });
    expect((await undo(r, '--last')).code).toBe(0);
    expect(treeOf(desk)).toEqual(before);
    expect((await ask(r, 'history')).json).toMatchObject({ acts: [{ verb: 'undo' }] });
  });

  it('that is made anew since stays, and the old comes back elsewhere', async () => {
    const { r, desk, before } = filledDesk();
    const outcome = await reclaim(r);
    mkdirSync(join(desk, 'node_modules'));
    writeFileSync(join(desk, 'node_modules/new'), 'new');
    const refused = errorOf(await undo(r, idOf(outcome)));
    expect(refused).toMatchObject({ code: 'path-taken', text: expect.stringContaining('node_modules') });
    expect(existsSync(join(desk, 'web/dist'))).toBe(false);
    expect((await runPrinted(r, refused.hint?.replace(/^.*?: /, ''))).code).toBe(0);
    const there = treeOf(`${desk}-2`);
    for (const [path, line] of before) if (CACHE.test(path)) expect(there.get(path)).toBe(line);
    expect(readFileSync(join(desk, 'node_modules/new'), 'utf8')).toBe('new');
  });

  it('never comes back through a link to somewhere else', async () => {
    const { r, desk } = filledDesk();
    const id = idOf(await reclaim(r));
    const other = join(r.places.root, 'other');
    renameSync(join(desk, 'web'), other);
    symlinkSync(other, join(desk, 'web'));
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'path-taken', text: expect.stringContaining('web') });
    expect(existsSync(join(other, 'dist'))).toBe(false);
    expect(existsSync(join(desk, 'node_modules'))).toBe(false);
  });

  it('comes back to its worktree also where that was away meanwhile', async () => {
    const { r, desk } = temporaryDesk();
    mkdirSync(join(desk, 'node_modules'));
    writeFileSync(join(desk, 'node_modules/x'), 'x');
    const before = treeOf(desk);
    const id = idOf(await reclaim(r));
    const { outcome } = await retire(r, desk);
    expect(outcome.status).toBe('done');
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'not-restored' });
    expect((await runPrinted(r, outcome.undo)).code).toBe(0);
    expect((await undo(r, id)).code).toBe(0);
    expect(treeOf(desk)).toEqual(before);
  });

  it('comes with a run of several kinds, and goes back with it', async () => {
    const { r, desk, before } = filledDesk();
    const other = r.worktree('other', 'topic', '-b', 'other');
    const words = ['sweep', '--only', 'cache,worktree,branch', '--idle', '0s', '--apply', '--no-fetch', '--json'];
    const { json } = await runCli(words, { cwd: r.work, env: r.env });
    const rows =
      json?.schema === 'coppice.sweep.v1' ? json.rows.filter(({ outcome }) => outcome?.status === 'done') : [];
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['worktree:other', 'cache:desk']));
    expect((await undo(r, '--last')).rows.map(({ kind }) => kind)).toContain('cache');
    expect(treeOf(desk)).toEqual(before);
    expect(existsSync(other)).toBe(true);
  });

  it.skipIf(!canMount)('lies on the disk of its worktree', async () => {
    const r = temporaryMerged();
    const disk = join(r.places.root, 'disk');
    mountEmpty(disk, '8m');
    chmodSync(disk, 0o755);
    settings(r, `trash.path = "${disk}/trash"\n`);
    const desk = fill(r.worktree('disk/desk', 'topic'));
    const before = treeOf(desk);
    const id = idOf(await reclaim(r));
    expect(readdirSync(join(disk, 'trash'))).toHaveLength(1);
    expect((await undo(r, id)).code).toBe(0);
    expect(treeOf(desk)).toEqual(before);
    await reclaim(r);
    await purge(r);
    expect(readdirSync(join(disk, 'trash'))).toEqual([]);
  });

  it('is refused in what it does not fit', async () => {
    const { r, desk } = filledDesk();
    const id = idOf(await reclaim(r));
    for (const words of [['--as', 'x'], ['--detach']])
      expect(errorOf(await undo(r, id, ...words))).toMatchObject({ code: 'bad-value', exit: 64 });
    for (const to of [join(r.work, '.git/coppice/x'), desk])
      expect(errorOf(await undo(r, id, '--to', to))).toMatchObject({ code: 'path-taken' });
    expect(waiting(r)).not.toEqual([]);
  });

  it('that is damaged in the trash is not taken for whole', async () => {
    const { r } = filledDesk();
    const id = idOf(await reclaim(r));
    const [entry = ''] = readdirSync(stateOf(r, 'trash'));
    rmSync(stateOf(r, 'trash', entry, 'cache/0'), { recursive: true });
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'trash-unreadable' });
    writeFileSync(stateOf(r, 'trash', entry, 'cache.json'), '{}');
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'trash-unreadable' });
    expect(await purge(r)).toMatchObject([{ outcome: { status: 'kept' } }]);
  });

  it.each(['../../x', '/x', '.', 'a/../../x', 'a//b', ''])('never leads to a place like %s', async (path) => {
    const { r, desk } = filledDesk();
    const id = idOf(await reclaim(r));
    const [entry = ''] = readdirSync(stateOf(r, 'trash'));
    const file = stateOf(r, 'trash', entry, 'cache.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('node_modules', path));
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'trash-unreadable' });
    expect(existsSync(join(desk, 'web/dist'))).toBe(false);
  });

  it('in a copy of the repository is not that of the original', async () => {
    const { r, desk } = filledDesk();
    const id = idOf(await reclaim(r));
    const copy = join(r.places.root, 'copy');
    cpSync(r.work, copy, { recursive: true });
    const at = (...words: readonly string[]) => runCli([...words, '--json'], { cwd: copy, env: r.env });
    expect(errorOf(await at('undo', id))).toMatchObject({ code: 'copied-repository' });
    expect((await at('undo', id, '--to', join(r.places.root, 'there'))).code).toBe(0);
    expect(existsSync(join(r.places.root, 'there/node_modules/pkg/run.sh'))).toBe(true);
    expect((await undo(r, id)).code).toBe(0);
    expect(existsSync(join(desk, 'node_modules/pkg/run.sh'))).toBe(true);
  });
});

/** What happens when the last of the folders is in the trash, and before anybody looks at them there. */
const MEANWHILE: readonly (readonly [
  title: string,
  code: (desk: string) => string,
  why: RegExp,
  isBlocked: boolean,
])[] = [
  [
    'a write to it',
    (desk) => `fs.appendFileSync(moved + '/out.js', 'more'); void ${JSON.stringify(desk)}`,
    /changed/,
    false,
  ],
  ['a new file in it', () => `fs.writeFileSync(moved + '/new', '')`, /changed|recent/, false],
  [
    'a repository in it',
    () =>
      `fs.mkdirSync(moved + '/own/.git/objects', { recursive: true }); fs.mkdirSync(moved + '/own/.git/refs'); fs.writeFileSync(moved + '/own/.git/HEAD', 'ref: refs/heads/main')`,
    /repository/,
    false,
  ],
  [
    'its place is made anew',
    (desk) => `fs.mkdirSync(${JSON.stringify(join(desk, 'web/dist'))}); fs.writeFileSync(moved + '/new', '')`,
    /blocked/,
    true,
  ],
];

describe('while it is moved', () => {
  it.each(MEANWHILE)('%s: it is put back, or waits whole', async (_title, code, why, isBlocked) => {
    const { r, desk, before } = filledDesk();
    const env = meddling(
      r,
      `after('writeFileSync', (path) => { if (!path.endsWith('/sealed')) return; const moved = path.replace(/sealed$/, 'cache/1'); ${code(desk)}; });`,
    );
    const outcome = await reclaim(r, { env });
    expect(outcome).toMatchObject({ status: isBlocked ? 'failed' : 'kept', text: expect.stringMatching(why) });
    expect(existsSync(join(desk, 'node_modules/pkg/run.sh'))).toBe(true);
    if (isBlocked) {
      expect((await runPrinted(r, outcome.undo)).code).toBe(0);
      expect(existsSync(join(`${desk}-2`, 'web/dist/out.js'))).toBe(true);
      return;
    }
    const after = treeOf(desk);
    for (const [path, line] of before) if (!path.startsWith('web/dist')) expect(after.get(path)).toBe(line);
    expect(existsSync(join(desk, 'web/dist/out.js'))).toBe(true);
    expect(waiting(r)).toEqual([]);
    expect((await undo(r, '--last')).json).toMatchObject({ code: 'nothing-to-undo' });
  });

  it('another worktree in its place keeps it', async () => {
    const { r, desk } = filledDesk();
    const [old, anew] = [JSON.stringify(`${desk}-old`), JSON.stringify(`${desk}/node_modules`)];
    const code = `let isDone = false;
before('openSync', (path, flags) => {
  if (isDone || !path.includes('/trash/') || flags === 'r') return;
  isDone = true;
  fs.renameSync(${JSON.stringify(desk)}, ${old});
  fs.mkdirSync(${anew}, { recursive: true });
});`;
    const outcome = await reclaim(r, { env: meddling(r, code) });
    expect(outcome).toMatchObject({ status: 'kept', text: expect.stringContaining('another folder is at') });
    expect(existsSync(join(`${desk}-old`, 'node_modules/pkg/run.sh'))).toBe(true);
  });

  it('a folder that cannot be moved brings the others back', async () => {
    const { r, desk, before } = filledDesk();
    const env = meddling(r, `before('renameSync', (from) => { if (from.endsWith('/desk/web/dist')) fail('EXDEV'); });`);
    expect(await reclaim(r, { env })).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('trash-unreachable'),
    });
    expect(treeOf(desk)).toEqual(before);
    expect(waiting(r)).toEqual([]);
  });
});

describe('a purge', () => {
  it('keeps what was written to since', async () => {
    const { r } = filledDesk();
    await reclaim(r);
    const [file = ''] = waiting(r).filter((path) => path.endsWith('out.js'));
    appendFileSync(file, 'late');
    expect(await purge(r)).toMatchObject([
      { outcome: { status: 'kept', text: expect.stringContaining('written to') } },
    ]);
    expect((await undo(r, '--last')).code).toBe(0);
  });

  it.skipIf(!canOccupy)('keeps what somebody uses', async () => {
    const { r } = filledDesk();
    await reclaim(r);
    const [file = ''] = waiting(r);
    await occupy([['read', file]]);
    expect(await purge(r)).toMatchObject([{ outcome: { status: 'kept', text: expect.stringContaining('uses it') } }]);
  });

  it('that was killed when it had only moved it aside brings it back', async () => {
    const { r, desk, before } = filledDesk();
    await reclaim(r);
    const killed = `after('renameSync', (_from, to) => { if (to.endsWith('/purging')) process.kill(process.pid, 'SIGKILL'); });`;
    await runCli(PURGE, { cwd: r.work, env: meddling(r, killed) }).catch(() => undefined);
    expect(waiting(r)).toEqual([]);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(treeOf(desk)).toEqual(before);
  });
});

/** Steps of a verb at which it is killed: all, or some that move as the seed does. */
async function stepsOf(r: Repository, words: readonly string[]): Promise<number[]> {
  await runCli(words, { cwd: r.work, env: crashing(r.places.root, r.env, null, 'before') });
  const names = stepNames(r.places.root);
  const all = names.map((_, index) => index + 1);
  if (isWhole) return all;
  const moves = all.filter((at) => names[at - 1] === 'renameSync');
  return moves.filter((_, index) => index % 3 === seed % 3);
}

async function killed(r: Repository, words: readonly string[], at: number): Promise<void> {
  const env = crashing(r.places.root, r.env, at, at % 2 === 0 ? 'before' : 'after');
  await runCli(words, { cwd: r.work, env }).catch(() => undefined);
}

describe('a crash', () => {
  it('of a sweep: all of it is back, or can be had back', async () => {
    for (const at of await stepsOf(filledDesk().r, RECLAIM)) {
      const { r, desk, before } = filledDesk();
      await killed(r, RECLAIM, at);
      const back = await undo(r, '--last');
      const isOver = back.json?.schema === 'coppice.error.v1' && back.json.code === 'nothing-to-undo';
      expect([at, back.code === 0 || isOver, back.stdout]).toEqual([at, true, expect.any(String)]);
      expect([at, treeOf(desk)]).toEqual([at, before]);
      expect([at, waiting(r)]).toEqual([at, []]);
      expect((await reclaim(r)).status).toBe('done');
    }
  });

  it('of an undo: the next one ends it', async () => {
    const { r: counted } = filledDesk();
    await reclaim(counted);
    for (const at of await stepsOf(counted, UNDO)) {
      const { r, desk, before } = filledDesk();
      await reclaim(r);
      await killed(r, UNDO, at);
      const back = await undo(r, '--last');
      const isOver = back.json?.schema === 'coppice.error.v1' && back.json.code === 'nothing-to-undo';
      expect([at, back.code === 0 || isOver, back.stdout]).toEqual([at, true, expect.any(String)]);
      expect([at, treeOf(desk)]).toEqual([at, before]);
    }
  });

  it('of an undo, after which somebody makes one of them anew: the rest is where it was', async () => {
    const { r, desk } = filledDesk();
    const id = idOf(await reclaim(r));
    const cut = `let done = 0; before('renameSync', (_from, to) => { if (/desk.(node_modules|web.dist)$/.test(to) && ++done === 2) process.kill(process.pid, 'SIGKILL'); });`;
    await runCli(['undo', id], { cwd: r.work, env: meddling(r, cut) }).catch(() => undefined);
    expect(existsSync(join(desk, 'node_modules/pkg/run.sh'))).toBe(true);
    mkdirSync(join(desk, 'web/dist'));
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'path-taken' });
    renameSync(join(desk, 'web/dist'), join(desk, 'web/mine'));
    expect((await undo(r, id)).code).toBe(0);
    expect(existsSync(join(desk, 'web/dist/out.js'))).toBe(true);
  });

  it('of a purge: it is whole, or gone', async () => {
    const { r: counted } = filledDesk();
    await reclaim(counted);
    for (const at of await stepsOf(counted, PURGE)) {
      const { r, desk, before } = filledDesk();
      const id = idOf(await reclaim(r));
      await killed(r, PURGE, at);
      const back = await undo(r, id);
      if (back.code === 0) expect([at, treeOf(desk)]).toEqual([at, before]);
      else expect([at, errorOf(back).code]).toEqual([at, 'purged']);
      await purge(r);
      expect([at, readdirSync(stateOf(r, 'trash'))]).toEqual([at, []]);
      expect([at, rest(treeOf(desk))]).toEqual([at, rest(before)]);
    }
  });
});
