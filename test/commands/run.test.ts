/** `run` as orchestrators use it: real git, and the built program where it is more than its commands. */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun, keepRun, listRuns, type StartRequest, startRun } from '../../src/state/runs/write.ts';
import { errorOf } from '../support/cli.ts';
import { askInside, leaseInside, runsInside, say } from '../support/inside.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';
import { ask, DAY, editState, HOUR, MINUTE, runs, stateOf, worldOf } from '../support/state.ts';

const fileOf = (r: Repository, id: string) => stateOf(r, 'runs', `${id}.json`);
const readRun = (r: Repository, id: string) =>
  JSON.parse(readFileSync(fileOf(r, id), 'utf8')) as Record<string, unknown>;

/** A run with a lane in a worktree, one in a worktree that is not there yet, and its id. */
async function started(runs: typeof runsInside = runsInside) {
  const r = temporaryRepository();
  const tree = r.worktree('app-x');
  const lanes = ['--lane', 'T-1=../app-x', '--lane', 'T-2=../app-y'];
  const { json } = await runs(r, ['start', '--title', 'release', ...lanes]);
  const id = json.runs[0]?.id ?? '';
  return { r, tree, later: join(r.places.root, 'app-y'), id, json };
}

describe('run', () => {
  it('is started, kept alive, listed and finished', async () => {
    const { r, tree, later, id, json } = await started(runs);
    const key = readFileSync(join(r.work, '.git', 'worktrees', 'app-x', 'coppice-key'), 'utf8').trim();
    expect(id).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/);
    expect(json).toMatchObject({
      action: 'start',
      unreadable: [],
      runs: [
        {
          id,
          title: 'release',
          standing: 'active',
          lanes: [
            { task: 'T-1', worktree: tree, key, branch: 'refs/heads/app-x' },
            { task: 'T-2', worktree: later, key: null, branch: null },
          ],
          finished: null,
        },
      ],
    });
    const [run] = json.runs;
    expect(Date.parse(run?.until ?? '') - Date.parse(run?.started ?? '')).toBe(DAY);
    expect(await runs(r, ['heartbeat', id])).toMatchObject({ code: 0, json: { action: 'heartbeat', runs: [{ id }] } });
    expect(await runs(r, ['list'])).toMatchObject({
      code: 0,
      json: { action: 'list', runs: [{ id, standing: 'active' }] },
    });
    expect(await runs(r, ['finish', id])).toMatchObject({ code: 0, json: { runs: [{ id, standing: 'finished' }] } });
    const finished = readRun(r, id);
    expect(await runs(r, ['finish', id])).toMatchObject({ code: 0, json: { runs: [{ standing: 'finished' }] } });
    expect(readRun(r, id)).toEqual(finished);
    expect(errorOf(await ask(r, ['run', 'heartbeat', id]))).toMatchObject({
      verb: 'run',
      code: 'run-finished',
      exit: 2,
    });
    expect(await runs(r, ['list'])).toMatchObject({ code: 0, json: { runs: [{ id, standing: 'finished' }] } });
  });

  it('for people', async () => {
    const r = temporaryRepository();
    const told = async (...args: readonly string[]) => {
      const { stdout, stderr, code } = await say(r, ['run', ...args]);
      expect([stderr, code]).toEqual(['', 0]);
      return stdout.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME').replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, 'ID');
    };
    expect(await told('list')).toBe('There is no run.\n');
    expect(readdirSync(join(r.work, '.git'))).not.toContain('coppice');
    const text = `ID  active until TIME  a\\x1b[31m title\n  T-1: ${r.work} (main)\n  é: ~/x\n`;
    expect(await told('start', '--title', 'a\x1b[31m title', '--lane', 'T-1=.', '--lane', 'é=../home/x')).toBe(text);
    expect(await told('list')).toBe(text);
    await told('finish', readdirSync(stateOf(r, 'runs'))[0]?.replace('.json', '') ?? '');
    expect(await told('list')).toContain('ID  finished at TIME  a');
  });

  it('is told by the heartbeat of a lease on one of its lanes, by key or by path', async () => {
    const { r, tree, later, id } = await started();
    const earlier = () =>
      editState(fileOf(r, id), { started: '2001-01-01T00:00:00Z', updated: '2001-01-01T00:00:00Z' });
    earlier();
    expect(await runsInside(r, ['list'])).toMatchObject({ json: { runs: [{ standing: 'expired' }] } });

    // The lane moves with its key, and the worktree of the other one is made only now.
    r.git('worktree', 'move', tree, join(r.places.root, 'app-moved'));
    r.worktree('app-y');
    const other = r.worktree('app-z');
    for (const [worktree, told] of [
      [join(r.places.root, 'app-moved'), [id]],
      [later, [id]],
      [other, []],
    ] as const) {
      earlier();
      const { json } = await leaseInside(r, ['acquire', '--worktree', worktree]);
      const { json: kept } = await leaseInside(r, [
        'heartbeat',
        '--worktree',
        worktree,
        '--token-file',
        json.tokenFile as string,
      ]);
      expect(kept.runs).toEqual(told);
      const standing = told.length > 0 ? 'active' : 'expired';
      expect(await runsInside(r, ['list'])).toMatchObject({ json: { runs: [{ standing }] } });
    }

    await runsInside(r, ['finish', id]);
    const { json } = await leaseInside(r, ['acquire']);
    const kept = await leaseInside(r, ['heartbeat', '--token-file', json.tokenFile as string]);
    expect(kept.json.runs).toEqual([]);
  });

  it('a run that cannot be read is told, holds up no other, and is not written', async () => {
    const { r, tree, id } = await started();
    const { json } = await leaseInside(r, ['acquire'], { cwd: tree });
    const damaged = '20260101T000000Z-0123abcd';
    writeFileSync(fileOf(r, damaged), '{', { mode: 0o600 });
    const list = await runsInside(r, ['list']);
    expect(list).toMatchObject({
      code: 2,
      json: { runs: [{ id }], unreadable: [{ file: `${damaged}.json`, reason: 'it is no JSON' }] },
    });
    const text = await say(r, ['run', 'list']);
    expect(text).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`${damaged}.json cannot be read: it is no JSON\n`),
    });
    for (const action of ['heartbeat', 'finish']) {
      expect(errorOf(await askInside(r, ['run', action, damaged]))).toMatchObject({ code: 'run-unreadable', exit: 2 });
      expect(await runsInside(r, [action, id])).toMatchObject({ code: 0 });
    }
    expect(await leaseInside(r, ['heartbeat', '--token-file', json.tokenFile as string], { cwd: tree })).toMatchObject({
      code: 0,
    });
    expect(readFileSync(fileOf(r, damaged), 'utf8')).toBe('{');
  });

  it('a folder of runs that is not to be believed', async () => {
    const { r, id } = await started();
    chmodSync(stateOf(r, 'runs'), 0o777);
    for (const args of [['list'], ['heartbeat', id], ['finish', id]]) {
      expect(errorOf(await askInside(r, ['run', ...args]))).toMatchObject({ code: 'run-unreadable', exit: 2 });
    }
    const start = ['run', 'start', '--title', 'x', '--lane', 'T-1=.'];
    expect(errorOf(await askInside(r, start))).toMatchObject({ code: 'unsafe-folder', exit: 2 });
  });
});

describe('refused', () => {
  it.each([
    [[], 'missing-argument'],
    [['strat'], 'unknown-action'],
    [['list', 'x'], 'unexpected-argument'],
    [['finish'], 'missing-argument'],
    [['finish', 'a', 'b'], 'unexpected-argument'],
    [['heartbeat'], 'missing-argument'],
    [['list', '--title', 'x'], 'misplaced-flag'],
    [['finish', 'x', '--lane', 'a=b'], 'misplaced-flag'],
    [['start', '--title', 'x'], 'missing-value'],
    [['start', '--lane', 'T-1=.'], 'missing-value'],
    [['start', '--title', 'x', '--lane', 'T-1'], 'bad-value'],
    [['start', '--title', 'x', '--lane', '=.'], 'bad-value'],
    [['start', '--title', 'x', '--lane', 'T-1='], 'bad-value'],
    [['start', '--title', 'x', '--lane', 'T-1=.', '--lease', '59s'], 'bad-value'],
    [['start', '--title', 'x', '--lane', 'T-1=.', '--lease', '31d'], 'bad-value'],
    [['start', '--title', 'x', '--lane', 'T-1=.', '--lease', 'NaN'], 'bad-value'],
    [['start', '--title', 'x'.repeat(2000), '--lane', 'T-1=.'], 'bad-value'],
    [['start', '--title', 'x', '--lane', `${'x'.repeat(2000)}=.`], 'bad-value'],
    [
      ['start', '--title', 'x', ...Array.from({ length: 201 }, (_, at) => ['--lane', `T=../x${at}`]).flat()],
      'bad-value',
    ],
    [['start', '--title', 'x', '--lane', 'T-1=.', '--lane', 'T-2=../work'], 'repeated-lane'],
  ] as const)('%j is wrong usage', async (args, code) => {
    const r = temporaryRepository();
    const result = await askInside(r, ['run', ...args]);
    expect([result.code, errorOf(result)]).toEqual([64, expect.objectContaining({ verb: 'run', code, exit: 64 })]);
    expect(existsSync(stateOf(r))).toBe(false);
  });

  it('by the built program too', async () => {
    const r = temporaryRepository();
    const calls = [[], ['strat'], ['start', '--title', 'x'], ['start', '--title', 'x', '--lane', 'T-1']];
    const results = await Promise.all(calls.map((args) => ask(r, ['run', ...args])));
    expect(results.map((result) => [result.code, errorOf(result).code])).toEqual([
      [64, 'missing-argument'],
      [64, 'unknown-action'],
      [64, 'missing-value'],
      [64, 'bad-value'],
    ]);
    expect(existsSync(stateOf(r))).toBe(false);
  });

  it.each(['x', '../leases/x', '20260101T000000Z-00000000', ''])('there is no run "%s"', async (id) => {
    const { r } = await started();
    const before = readdirSync(stateOf(r, 'runs'));
    for (const action of ['heartbeat', 'finish']) {
      expect(errorOf(await askInside(r, ['run', action, id]))).toMatchObject({ code: 'no-such-run', exit: 2 });
      expect(errorOf(await askInside(temporaryRepository(), ['run', action, id]))).toMatchObject({
        code: 'no-such-run',
      });
    }
    expect(readdirSync(stateOf(r, 'runs'))).toEqual(before);
  });

  it('a lane in another repository, in a copied worktree, and a folder that is no repository', async () => {
    const r = temporaryRepository();
    const other = temporaryRepository();
    const start = (path: string) => askInside(r, ['run', 'start', '--title', 'x', '--lane', `T-1=${path}`]);
    const tree = r.worktree('app-x');
    cpSync(tree, `${tree}-copy`, { recursive: true });
    expect(errorOf(await start(other.work))).toMatchObject({ code: 'other-repository', exit: 2 });
    expect(errorOf(await start('../app-x-copy'))).toMatchObject({ code: 'pointer-broken', exit: 2 });
    expect(errorOf(await askInside(r, ['run', 'list'], { cwd: r.places.home }))).toMatchObject({
      code: 'not-a-repository',
    });
    expect(existsSync(stateOf(r))).toBe(false);
    expect(existsSync(stateOf(other))).toBe(false);
  });
});

describe('as time goes by', () => {
  const request = (r: Repository, change: Partial<StartRequest> = {}): StartRequest => {
    return { directory: r.work, title: 'x', lanes: [{ task: 'T-1', path: '.' }], lease: HOUR, ...change };
  };

  it('counts since it was last heard of', async () => {
    const r = temporaryRepository();
    const world = worldOf(r);
    const run = await startRun(world, request(r));
    world.time += HOUR - 1;
    expect((await keepRun(world, r.work, run.id)).updated).toBe(world.time);
    world.time += 2 * HOUR;
    expect(await finishRun(world, r.work, run.id)).toMatchObject({ finished: world.time });
  });

  it('a clock that is set back leaves what was written, and it can be read', async () => {
    const r = temporaryRepository();
    const world = worldOf(r);
    const run = await startRun(world, request(r));
    world.time -= 365 * DAY;
    expect(await keepRun(world, r.work, run.id)).toEqual(run);
    expect(await finishRun(world, r.work, run.id)).toMatchObject({ finished: run.started });
    expect(await listRuns(world, r.work)).toMatchObject({ runs: [{ id: run.id }], unreadable: [] });
  });

  it('are listed in the order in which they were started', async () => {
    const r = temporaryRepository();
    const world = worldOf(r);
    for (const title of ['first', 'second', 'third']) {
      await startRun(world, request(r, { title }));
      world.time += MINUTE;
    }
    expect((await listRuns(world, r.work)).runs.map(({ title }) => title)).toEqual(['first', 'second', 'third']);
  });
});
