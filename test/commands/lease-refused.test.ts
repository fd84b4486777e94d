/** What `lease` refuses, and that it writes nothing then. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/cli.ts';
import { askInside, leaseInside } from '../support/inside.ts';
import { here, holding, leased, untouched } from '../support/leased.ts';
import { giveAway, giveToStranger, isRoot, unprivileged } from '../support/other-account.ts';
import { temporaryRepository } from '../support/repository.ts';
import { ask, HOUR, lease, leaseFile, makeState, settings, stateOf } from '../support/state.ts';

describe('refused', () => {
  it.each([
    [[], 'missing-argument'],
    [['aquire'], 'unknown-action'],
    [['show', 'x'], 'unexpected-argument'],
    [['acquire', 'x'], 'unexpected-argument'],
    [['run'], 'missing-argument'],
    [['show', '--ttl', '1h'], 'misplaced-flag'],
    [['show', '--token-file', 'x'], 'misplaced-flag'],
    [['heartbeat', '--ttl', '1h'], 'misplaced-flag'],
    [['release', '--extend', '1h'], 'misplaced-flag'],
    [['acquire', '--extend', '1h'], 'misplaced-flag'],
    [['release', '--steal'], 'misplaced-flag'],
    [['acquire', '--steal'], 'missing-value'],
    [['acquire', '--because', 'x'], 'missing-value'],
    [['acquire', '--ttl', '1h', '--until', '2026-11-30T12:00:00Z'], 'repeated-flag'],
    [['acquire', '--ttl', '59s'], 'bad-value'],
    [['acquire', '--ttl', '31d'], 'bad-value'],
    [['acquire', '--ttl=-1h'], 'bad-value'],
    [['acquire', '--ttl', 'Infinity'], 'bad-value'],
    [['acquire', '--ttl', 'NaN'], 'bad-value'],
    [['acquire', '--ttl', '90'], 'bad-value'],
    [['acquire', '--ttl', '1e9d'], 'bad-value'],
    [['acquire', '--until', '2026-11-30T12:00:00'], 'bad-value'],
    [['acquire', '--until', '2026-11-30'], 'bad-value'],
    [['acquire', '--until', 'tomorrow'], 'bad-value'],
    [['acquire', '--until', '2026-02-30T12:00:00Z'], 'bad-value'],
    [['acquire', '--until', '2001-01-01T00:00:00Z'], 'bad-value'],
    [['acquire', '--until', '9999-01-01T00:00:00Z'], 'bad-value'],
    [['acquire', '--pr', 'x'], 'bad-value'],
    [['acquire', '--pr', '0'], 'bad-value'],
    [['acquire', '--task', 'x'.repeat(2000)], 'bad-value'],
    [['heartbeat', '--extend', '1s'], 'bad-value'],
    [['acquire', '--worktree', ''], 'bad-value'],
    [['acquire', '--force'], 'unknown-flag'],
  ] as const)('%j is wrong usage', async (args, code) => {
    const r = temporaryRepository();
    const result = await askInside(r, ['lease', ...args]);
    expect([result.code, errorOf(result)]).toEqual([64, expect.objectContaining({ verb: 'lease', code, exit: 64 })]);
    untouched(r);
  });

  it('by the built program too', async () => {
    const r = temporaryRepository();
    const calls = [[], ['aquire'], ['show', '--ttl', '1h'], ['acquire', '--ttl', '59s']];
    const results = await Promise.all(calls.map((args) => ask(r, ['lease', ...args])));
    expect(results.map((result) => [result.code, errorOf(result).code])).toEqual([
      [64, 'missing-argument'],
      [64, 'unknown-action'],
      [64, 'misplaced-flag'],
      [64, 'bad-value'],
    ]);
    untouched(r);
  });

  it('times have an offset, whichever', async () => {
    const r = temporaryRepository();
    const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * HOUR).toISOString().slice(0, 19);
    const { json } = await leaseInside(r, ['acquire', '--until', `${until}+02:00`]);
    expect(Date.parse(json.lease?.expires ?? '')).toBe(Date.parse(`${until}Z`) - 2 * HOUR);
  });

  it('outside of a worktree', async () => {
    const r = temporaryRepository();
    const code = async (args: readonly string[], cwd = r.work) =>
      errorOf(await askInside(r, ['lease', ...args], here(cwd))).code;
    expect(await code(['acquire'], r.places.home)).toBe('not-a-repository');
    expect(await code(['acquire'], r.origin)).toBe('not-a-worktree');
    expect(await code(['acquire', '--worktree', 'wood'])).toBe('not-a-worktree');
    expect(await code(['acquire', '--worktree', '../nothing'])).toBe('not-a-worktree');
    expect(await code(['-C', '../nothing', 'acquire'])).toBe('no-such-folder');
    untouched(r);
  });

  it('a settings file that makes no sense', async () => {
    const r = temporaryRepository();
    settings(r, '[lock]\nwait = "soon"\n');
    expect(errorOf(await askInside(r, ['lease', 'acquire']))).toMatchObject({ code: 'settings-invalid', exit: 2 });
    untouched(r);
  });

  it('a folder of the state that is not private', async () => {
    const r = temporaryRepository();
    chmodSync(makeState(r), 0o775);
    expect(errorOf(await askInside(r, ['lease', 'acquire']))).toMatchObject({
      code: 'unsafe-folder',
      exit: 2,
      text: expect.stringMatching(/others may write it$/),
    });
    expect(errorOf(await askInside(r, ['lease', 'show']))).toMatchObject({ code: 'lease-unreadable', exit: 2 });
    expect(readdirSync(stateOf(r))).toEqual([]);
  });

  it('something that is no lock in the place of the lock', async () => {
    const r = temporaryRepository();
    mkdirSync(join(makeState(r), 'lock'));
    expect(errorOf(await askInside(r, ['lease', 'acquire']))).toMatchObject({ code: 'lock-unusable', exit: 2 });
  });

  it('a git directory that may not be written', async () => {
    const r = temporaryRepository();
    giveAway(r.places.root);
    chmodSync(join(r.work, '.git'), 0o555);
    const options = { ...unprivileged };
    expect(errorOf(await ask(r, ['lease', 'acquire'], options))).toMatchObject({
      code: 'unsafe-folder',
      exit: 2,
      text: `${stateOf(r)} is not used: it cannot be made: permission denied (EACCES)`,
    });
    expect(await lease(r, ['show'], options)).toMatchObject({ code: 1 });
    expect(await lease(r, ['release'], options)).toMatchObject({ code: 0, json: { outcome: 'none' } });
    untouched(r);
  });

  const foreign = async () => {
    const { r, tree } = await leased();
    giveAway(r.places.root);
    // As nobody's own, but for what another account made first.
    for (const path of [stateOf(r), stateOf(r, 'leases'), leaseFile(r)]) giveToStranger(path);
    return { r, options: { ...unprivileged, cwd: tree } };
  };

  // Only root can give a file away.
  it.skipIf(!isRoot)("another account's state is not believed and not touched", async () => {
    const { r, options } = await foreign();
    const before = readdirSync(stateOf(r));
    for (const args of [
      ['lease', 'acquire'],
      ['run', 'start', '--title', 'x', '--lane', 'T-1=.'],
    ]) {
      expect(errorOf(await ask(r, args, options))).toMatchObject({
        code: 'unsafe-folder',
        text: expect.stringMatching(/it belongs to user 65533, not to 65534$/),
      });
    }
    expect(errorOf(await ask(r, ['lease', 'show'], options))).toMatchObject({ code: 'lease-unreadable', exit: 2 });
    expect(errorOf(await ask(r, ['run', 'list'], options))).toMatchObject({ code: 'run-unreadable', exit: 2 });
    expect(readdirSync(stateOf(r))).toEqual(before);
  });

  it('a damaged lease', async () => {
    const { r, tree, token } = await leased();
    writeFileSync(leaseFile(r), 'x');
    for (const action of ['acquire', 'heartbeat', 'release', 'show']) {
      const error = errorOf(await askInside(r, ['lease', action], { ...holding(r, token), cwd: tree }));
      expect(error).toMatchObject({ code: 'lease-unreadable', exit: 2, hint: expect.stringContaining(leaseFile(r)) });
    }
    expect(readFileSync(leaseFile(r), 'utf8')).toBe('x');
  });
});
