/** Many at once, and the lock between them: the built program in processes of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLeases } from '../../src/state/leases/read.ts';
import { readJournal } from '../../src/state/read-journal.ts';
import { errorOf } from '../support/cli.ts';
import { askInside, leaseInside } from '../support/inside.ts';
import { codesOf, here, holding, leased, tokenIn } from '../support/leased.ts';
import { killHolder, startHolder } from '../support/lock-holder.ts';
import { temporaryRepository } from '../support/repository.ts';
import { ACCOUNT, ageLease, ask, DAY, editState, lease, leaseFile, settings, stateOf } from '../support/state.ts';

describe('twenty at once', () => {
  const twenty = Array.from({ length: 20 }, (_, at) => at);

  it('one gets the lease, the others are told', async () => {
    const r = temporaryRepository();
    const results = await Promise.all(twenty.map((at) => ask(r, ['lease', 'acquire', '--owner', `agent-${at}`])));
    expect(codesOf(results)).toEqual({ 0: 1, 3: 19 });
    const [winner] = results
      .filter(({ code }) => code === 0)
      .map(({ json }) => (json?.schema === 'coppice.lease.v1' ? json : null));
    for (const loser of results.filter(({ code }) => code === 3)) {
      expect(errorOf(loser)).toMatchObject({
        code: 'lease-held',
        text: expect.stringContaining(`leased by ${winner?.lease?.owner}`),
      });
    }
    expect((await leaseInside(r, ['show'])).json.lease).toEqual(winner?.lease);
    expect(await leaseInside(r, ['heartbeat'], holding(r, tokenIn(winner?.tokenFile)))).toMatchObject({ code: 0 });
  });

  it('nothing that they write is lost: leases and runs', async () => {
    const r = temporaryRepository();
    const trees = twenty.map((at) => r.worktree(`app-${at}`));
    const taken = await Promise.all(trees.map((tree) => lease(r, ['acquire'], here(tree))));
    const started = await Promise.all(
      trees.map((tree, at) => ask(r, ['run', 'start', '--title', `run ${at}`, '--lane', `T-${at}=${tree}`])),
    );
    expect([...taken, ...started].map(({ code }) => code)).toEqual([...twenty, ...twenty].map(() => 0));
    const place = { commonDir: join(r.work, '.git'), account: ACCOUNT };
    const leases = readLeases(place);
    expect(leases.kind === 'known' && [...leases.value.byKey.values()].map(({ kind }) => kind)).toEqual(
      twenty.map(() => 'known'),
    );
    const list = await askInside(r, ['run', 'list']);
    expect(list.json).toMatchObject({ unreadable: [] });
    expect(list.json?.schema === 'coppice.run.v1' && list.json.runs.map(({ title }) => title).toSorted()).toEqual(
      twenty.map((at) => `run ${at}`).toSorted(),
    );
    // Each of them tells all twenty runs: every run gets the lanes of all.
    const files = readdirSync(stateOf(r, 'runs')).map((name) => stateOf(r, 'runs', name));
    const lanes = files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { lanes: unknown[] }).lanes);
    expect(lanes).toHaveLength(20);
    for (const file of files) editState(file, { lanes });
    const kept = await Promise.all(
      taken.map(({ json }, at) =>
        lease(r, ['heartbeat'], { ...holding(r, tokenIn(json.tokenFile)), cwd: trees[at] as string }),
      ),
    );
    expect(kept.map(({ code, json }) => [code, json.runs.length])).toEqual(twenty.map(() => [0, 20]));
  });

  it('nor what goes on record', async () => {
    const { r, tree } = await leased();
    ageLease(leaseFile(r), DAY);
    const steals = await Promise.all(
      twenty.map((at) => ask(r, ['lease', 'acquire', '--steal', '--because', `${at}`], here(tree))),
    );
    expect(codesOf(steals)).toEqual({ 0: 1, 3: 19 });
    const journal = readJournal({ commonDir: join(r.work, '.git'), account: ACCOUNT });
    if (journal.kind !== 'known') throw new Error(journal.kind);
    expect(journal.value).toMatchObject({ torn: [], damaged: [] });
    expect(journal.value.entries.map(({ step }) => step).toSorted()).toEqual([
      'done',
      'intent',
      ...Array.from({ length: 19 }, () => 'refused'),
    ]);
    const [intent] = journal.value.entries.filter(({ step }) => step === 'intent');
    expect(new Set(journal.value.entries.map(({ why }) => why)).size).toBe(20);
    expect(journal.value.entries.filter(({ why }) => why === intent?.why).map(({ step }) => step)).toEqual([
      'intent',
      'done',
    ]);
  });
});

describe('the lock of the repository', () => {
  const note = JSON.stringify({ pid: 4711, start: 1, host: 'oak', since: '2026-11-30T12:00:00Z' });

  it('held by another: 3, naming the holder; free again when that one is killed', async () => {
    const { r, tree, file } = await leased();
    settings(r, '[lock]\nwait = "0s"\n');
    const holder = await startHolder(stateOf(r, 'lock'), note);
    for (const args of [
      ['acquire', '--worktree', r.work],
      ['heartbeat', '--token-file', file],
      ['release', '--token-file', file],
    ]) {
      expect(errorOf(await ask(r, ['lease', ...args], here(tree)))).toMatchObject({
        code: 'locked-by-another',
        exit: 3,
        text: 'another coppice (process 4711 on oak, since 2026-11-30T12:00:00Z) works on this repository; it was waited for 0 s',
      });
    }
    // A look does not need it.
    expect(await leaseInside(r, ['show'], here(tree))).toMatchObject({ code: 0 });
    await killHolder(holder);
    expect(await leaseInside(r, ['release', '--token-file', file], here(tree))).toMatchObject({ code: 0 });
  });

  it('what a holder left that is not understood is not told', async () => {
    const { r, tree } = await leased();
    settings(r, '[lock]\nwait = "0s"\n');
    await startHolder(stateOf(r, 'lock'), '{"pid":"\x1b[31m"}');
    const { text } = errorOf(await askInside(r, ['lease', 'release', '--token-file', '/dev/null'], here(tree)));
    expect(text).toBe('another coppice works on this repository; it was waited for 0 s');
  });

  it('is waited for as long as the settings say', async () => {
    const { r, tree } = await leased();
    const holder = await startHolder(stateOf(r, 'lock'), note);
    const waiting = ask(r, ['lease', 'acquire', '--worktree', r.work], here(tree));
    await killHolder(holder);
    expect(await waiting).toMatchObject({ code: 0 });
  });
});
