/** `lease` as people and agents run it: the built program, real git, real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLeases } from '../../src/state/leases/read.ts';
import { readJournal } from '../../src/state/read-journal.ts';
import { type CliOptions, entry, errorOf } from '../support/cli.ts';
import { killHolder, startHolder } from '../support/lock-holder.ts';
import { giveAway, giveToStranger, isRoot, unprivileged } from '../support/other-account.ts';
import { run, runAlongside } from '../support/processes.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';
import { ACCOUNT, ageLease, ask, DAY, HOUR, lease, leaseFile, makeState, settings, stateOf } from '../support/state.ts';

const here = (cwd: string) => ({ cwd });
const holding = (r: Repository, token: string): Partial<CliOptions> => ({
  env: { ...r.env, COPPICE_LEASE_TOKEN: token },
});
const tokenIn = (file: string | null | undefined) => readFileSync(file as string, 'utf8').trim();
const untouched = (r: Repository) => {
  expect(readdirSync(join(r.work, '.git')).filter((name) => name.startsWith('coppice'))).toEqual([]);
};

/** A lease on a worktree of its own, and its token. */
async function leased(args: readonly string[] = []) {
  const r = temporaryRepository();
  const tree = r.worktree('app-x');
  const { json } = await lease(r, ['acquire', ...args], here(tree));
  // As it can be given to a program: coppice prints the home folder as ~, and this is none in it.
  return { r, tree, file: json.tokenFile as string, token: tokenIn(json.tokenFile), json };
}

describe('lease', () => {
  it('is taken, shown, kept alive, extended and given back', async () => {
    const { r, tree, file, token, json } = await leased([
      '--task',
      'T-1',
      '--pr',
      '#7',
      '--gate',
      'review',
      '--owner',
      'ash',
    ]);
    const fields = {
      worktree: tree,
      branch: 'refs/heads/app-x',
      task: 'T-1',
      pullRequest: 7,
      gate: 'review',
      owner: 'ash',
    };
    expect(json).toMatchObject({ action: 'acquire', outcome: 'acquired', worktree: tree, runs: [] });
    expect(json.lease).toMatchObject({ ...fields, purpose: null, standing: 'live', epoch: 1, released: null });
    const length = (document: typeof json) => {
      return Date.parse(document.lease?.expires ?? '') - Date.parse(document.lease?.heartbeat ?? '');
    };
    expect(length(json)).toBe(2 * HOUR);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const shown = await lease(r, ['show', '--worktree', '../app-x']);
    expect(shown).toMatchObject({
      code: 0,
      json: { action: 'show', outcome: 'live', lease: json.lease, tokenFile: null },
    });

    const kept = await lease(r, ['heartbeat', '--worktree', '../app-x', '--token-file', file, '--extend', '3h']);
    expect(kept).toMatchObject({ code: 0, json: { outcome: 'kept', lease: { ...fields, standing: 'live' } } });
    expect(length(kept.json)).toBe(3 * HOUR);

    const back = await lease(r, ['release', '--worktree', '../app-x'], holding(r, token));
    expect(back).toMatchObject({ code: 0, json: { outcome: 'released', lease: { standing: 'released' } } });
    const again = await lease(r, ['release', '--worktree', '../app-x', '--token-file', file]);
    expect(again).toMatchObject({ code: 0, json: { outcome: 'none', lease: null } });
    expect(await lease(r, ['show', '--worktree', '../app-x'])).toMatchObject({
      code: 1,
      json: { outcome: 'released' },
    });
  });

  it('prints its token never', async () => {
    const { r, tree, token, file } = await leased();
    const options = { ...holding(r, token), cwd: tree };
    const calls = [
      ['show'],
      ['acquire'],
      ['heartbeat'],
      ['heartbeat', '--token-file', file],
      ['run', '--', 'true'],
      ['release'],
    ];
    for (const call of calls) {
      for (const json of [[], ['--json']]) {
        const { stdout, stderr, code } = await runRaw(
          ['lease', ...call, ...json.filter(() => call[0] !== 'run')],
          r,
          options,
        );
        expect([stdout + stderr, code]).toEqual([expect.not.stringContaining(token), 0]);
      }
    }
    for (const path of readdirSync(stateOf(r), { recursive: true, encoding: 'utf8' })) {
      if (!statSync(stateOf(r, path)).isDirectory() && !path.startsWith('tokens')) {
        expect(readFileSync(stateOf(r, path), 'utf8')).not.toContain(token);
      }
    }
  });

  it('for people', async () => {
    const { r, tree, token } = await leased(['--task', 'T-\x1b[31m1', '--owner', 'ash', '--purpose', 'a longer\ntext']);
    const say = async (args: readonly string[]) => {
      const { stdout, stderr } = await runRaw(['lease', ...args], r, { ...holding(r, token), cwd: tree });
      expect(stderr).toBe('');
      return stdout.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME').split('\n');
    };
    const shown = await say(['show']);
    expect(shown[0]).toBe(`${tree}: leased by ash until TIME`);
    expect(shown).toContain('  task:         T-\\x1b[31m1');
    expect(shown).toContain('  purpose:      a longer\\ntext');
    expect((await say(['heartbeat']))[0]).toBe(`${tree}: kept by ash until TIME`);
    expect((await say(['acquire']))[0]).toBe(`${tree}: renewed by ash until TIME`);
    expect((await say(['release']))[0]).toBe(`${tree}: given back`);
    expect(await say(['release'])).toEqual([`${tree}: there was no lease to give back`, '']);
    expect((await say(['show']))[0]).toBe(`${tree}: no lease; the last one was given back at TIME`);
    expect(await say(['show', '--worktree', r.work])).toEqual([`${r.work}: no lease`, '']);
  });

  it('the home folder is written ~', async () => {
    const r = temporaryRepository();
    const tree = r.worktree('home/app');
    const { json } = await lease(r, ['acquire'], here(tree));
    expect(json).toMatchObject({ worktree: '~/app', lease: { worktree: '~/app' } });
    expect((await runRaw(['lease', 'acquire'], r, here(tree))).stderr).toContain('coppice: ~/app is leased by');
  });

  it('show and release write nothing where there is none', async () => {
    const r = temporaryRepository();
    expect(await lease(r, ['show'])).toMatchObject({
      code: 1,
      json: { outcome: 'none', worktree: r.work, lease: null },
    });
    expect(await lease(r, ['show', '--exit-zero'])).toMatchObject({ code: 0 });
    expect(await lease(r, ['release'])).toMatchObject({ code: 0, json: { outcome: 'none' } });
    expect(errorOf(await ask(r, ['lease', 'heartbeat']))).toMatchObject({ code: 'no-lease', exit: 2 });
    untouched(r);
  });

  it('the worktree is named before or after the action, and from any checkout', async () => {
    const { r, tree } = await leased();
    const from = r.worktree('app-y');
    for (const words of [
      ['--worktree', tree, 'show'],
      ['show', `--worktree=${tree}`],
      ['show', '--worktree', '../app-x'],
    ]) {
      expect(await lease(r, words, here(from))).toMatchObject({ code: 0, json: { worktree: tree } });
    }
    expect(await lease(r, ['-C', '../app-x', 'show'], here(from))).toMatchObject({ code: 0 });
    expect(await lease(r, ['show'], here(from))).toMatchObject({ code: 1 });
  });
});

describe('who comes too late', () => {
  it('is told who has it, and ends with 3', async () => {
    const { r, tree } = await leased([
      '--task',
      'T-1',
      '--owner',
      'ash',
      '--until',
      new Date(Date.now() + HOUR).toISOString(),
    ]);
    const error = errorOf(await ask(r, ['lease', 'acquire'], here(tree)));
    expect(error).toMatchObject({ verb: 'lease', code: 'lease-held', exit: 3 });
    expect(error.text).toMatch(new RegExp(`^${tree} is leased by ash for T-1 until \\d{4}-`));
    expect(errorOf(await ask(r, ['lease', 'run', '--worktree', tree, '--', 'true']))).toMatchObject({
      code: 'lease-held',
    });
    const steal = ['lease', 'acquire', '--steal', '--because', 'I want it'];
    expect(errorOf(await ask(r, steal, here(tree)))).toMatchObject({ code: 'lease-held', exit: 3 });
  });

  it('takes over what is over, on record', async () => {
    const { r, tree, file, token } = await leased();
    ageLease(leaseFile(r), 2 * HOUR + 60_000);
    expect(await lease(r, ['show'], here(tree))).toMatchObject({ code: 1, json: { outcome: 'expired' } });
    expect(errorOf(await ask(r, ['lease', 'acquire'], here(tree)))).toMatchObject({ code: 'lease-held', exit: 3 });
    ageLease(leaseFile(r), DAY);
    const refused = errorOf(await ask(r, ['lease', 'acquire'], here(tree)));
    expect(refused).toMatchObject({ code: 'lease-expired', exit: 2 });
    expect(refused.hint).toContain('coppice lease acquire --steal --because TEXT');
    const stolen = await lease(r, ['acquire', '--steal', '--because', 'its session died'], here(tree));
    expect(stolen.json).toMatchObject({ outcome: 'stolen', lease: { epoch: 2, standing: 'live' }, tokenFile: file });
    expect(tokenIn(file)).not.toBe(token);
    expect(errorOf(await ask(r, ['lease', 'release'], { ...holding(r, token), cwd: tree }))).toMatchObject({
      code: 'wrong-token',
      exit: 2,
    });
    const journal = readJournal({ commonDir: join(r.work, '.git'), account: ACCOUNT });
    expect(journal).toMatchObject({
      value: {
        entries: [{ step: 'intent', why: 'its session died', subject: tree }, { step: 'done' }],
        torn: [],
        damaged: [],
      },
    });
  });
});

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
    expect((await lease(r, ['show'])).json.lease).toEqual(winner?.lease);
    expect(await lease(r, ['heartbeat'], holding(r, tokenIn(winner?.tokenFile)))).toMatchObject({ code: 0 });
  });

  it('nothing that they write is lost: leases and runs', async () => {
    const r = temporaryRepository();
    const trees = twenty.map((at) => r.worktree(`app-${at}`));
    const lanes = trees.flatMap((tree, at) => ['--lane', `T-${at}=${tree}`]);
    const taken = await Promise.all(trees.map((tree) => lease(r, ['acquire'], here(tree))));
    const started = await Promise.all(twenty.map((at) => ask(r, ['run', 'start', '--title', `run ${at}`, ...lanes])));
    expect([...taken, ...started].map(({ code }) => code)).toEqual([...twenty, ...twenty].map(() => 0));
    const place = { commonDir: join(r.work, '.git'), account: ACCOUNT };
    const leases = readLeases(place);
    expect(leases.kind === 'known' && [...leases.value.byKey.values()].map(({ kind }) => kind)).toEqual(
      twenty.map(() => 'known'),
    );
    const list = await ask(r, ['run', 'list']);
    expect(list.json).toMatchObject({ unreadable: [] });
    expect(list.json?.schema === 'coppice.run.v1' && list.json.runs.map(({ title }) => title).toSorted()).toEqual(
      twenty.map((at) => `run ${at}`).toSorted(),
    );
    // Each of them tells all twenty runs.
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
    expect(await lease(r, ['show'], here(tree))).toMatchObject({ code: 0 });
    await killHolder(holder);
    expect(await lease(r, ['release', '--token-file', file], here(tree))).toMatchObject({ code: 0 });
  });

  it('what a holder left that is not understood is not told', async () => {
    const { r, tree } = await leased();
    settings(r, '[lock]\nwait = "0s"\n');
    await startHolder(stateOf(r, 'lock'), '{"pid":"\x1b[31m"}');
    const { text } = errorOf(await ask(r, ['lease', 'release', '--token-file', '/dev/null'], here(tree)));
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

describe('lease run', () => {
  const under = (r: Repository, script: string, args: readonly string[] = [], options: Partial<CliOptions> = {}) => {
    return runRaw(['lease', 'run', ...args, '--', 'sh', '-c', script], r, options);
  };

  it.each([0, 1, 7, 255])('ends with the status %d of its command', async (status) => {
    const r = temporaryRepository();
    expect(await under(r, `exit ${status}`, ['--exit-zero'])).toMatchObject({
      code: status,
      signal: null,
      stdout: '',
      stderr: '',
    });
    expect(await lease(r, ['show'])).toMatchObject({ code: 1, json: { outcome: 'released' } });
  });

  it('gives the command what it needs, and nobody else the lease', async () => {
    const r = temporaryRepository();
    const tree = r.worktree('app-x');
    const script = `
      cat; echo "$COPPICE_WORKTREE"; pwd
      node ${entry} lease show --worktree ${tree} > /dev/null && echo live
      node ${entry} lease heartbeat --worktree ${tree} > /dev/null && echo kept
      unset COPPICE_LEASE_TOKEN
      node ${entry} lease acquire --worktree ${tree} 2> /dev/null || echo $?`;
    const { stdout, code } = await under(r, script, ['--worktree', tree, '--task', 'T-1'], { input: 'from stdin\n' });
    expect([stdout, code]).toEqual([`from stdin\n${tree}\n${r.work}\nlive\nkept\n3\n`, 0]);
    expect(existsSync(stateOf(r, 'tokens'))).toBe(false);
  });

  it('leaves a lease that was there before: it only renews', async () => {
    const { r, tree, token } = await leased();
    const options = { ...holding(r, token), cwd: tree };
    expect(await under(r, 'exit 4', [], options)).toMatchObject({ code: 4 });
    expect(await lease(r, ['show'], here(tree))).toMatchObject({ code: 0 });
    const nested = `node ${entry} lease run -- true && node ${entry} lease show > /dev/null`;
    await lease(r, ['release'], options);
    expect(await under(r, nested, [], here(tree))).toMatchObject({ code: 0 });
    expect(await lease(r, ['show'], here(tree))).toMatchObject({ code: 1, json: { outcome: 'released' } });
  });

  it("says with --json on stderr what was leased: stdout is the command's", async () => {
    const r = temporaryRepository();
    const { stdout, stderr } = await under(r, 'echo mine', ['--json', '--token-file', '../token']);
    expect(stdout).toBe('mine\n');
    expect(JSON.parse(stderr)).toMatchObject({
      schema: 'coppice.lease.v1',
      action: 'run',
      outcome: 'acquired',
      tokenFile: join(r.places.root, 'token'),
      lease: { standing: 'live' },
    });
  });

  it('a command that cannot be started is a fault, and the lease is given back', async () => {
    const r = temporaryRepository();
    expect(errorOf(await ask(r, ['lease', 'run', '--', 'no-such-program']))).toMatchObject({
      code: 'command-not-started',
      exit: 2,
    });
    expect(await lease(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'a command that is ended by %s ends it by the same, after the lease is given back',
    async (signal) => {
      const r = temporaryRepository();
      expect(await under(r, `kill -${signal.slice(3)} $$`)).toMatchObject({ code: null, signal });
      expect(await lease(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
    },
  );

  it('a command that crashed ends it with the status that a shell gives', async () => {
    const r = temporaryRepository();
    expect(await under(r, 'kill -ABRT $$')).toMatchObject({ code: 134, signal: null });
  });

  it.each([
    ['that handles it', "trap 'echo caught; exit 5' TERM", { code: 5, signal: null, stdout: 'ready\ncaught\n' }],
    ['that does not', ':', { code: null, signal: 'SIGTERM', stdout: 'ready\n' }],
  ] as const)('passes a signal on to a command %s', async (_, prepare, ended) => {
    const r = temporaryRepository();
    // Blocked in a read of its own: it ends by the signal alone.
    const script = `${prepare}; echo ready; read -r line`;
    const child = spawn(process.execPath, [entry, 'lease', 'run', '--', 'sh', '-c', script], {
      cwd: r.work,
      env: r.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString('utf8');
    });
    await once(child.stdout, 'data');
    expect(await lease(r, ['show'])).toMatchObject({ code: 0 });
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'close');
    expect({ code, signal, stdout }).toEqual(ended);
    expect(await lease(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
  });

  it('the lease that was lost meanwhile is told, and changes nothing for the command', async () => {
    const r = temporaryRepository();
    const script = `rm ${stateOf(r, 'leases')}/*; exit 6`;
    const { code, stderr } = await under(r, script);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^coppice: there is no lease on /)]);
  });
});

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
    const result = await ask(r, ['lease', ...args]);
    expect([result.code, errorOf(result)]).toEqual([64, expect.objectContaining({ verb: 'lease', code, exit: 64 })]);
    untouched(r);
  });

  it('times have an offset, whichever', async () => {
    const r = temporaryRepository();
    const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * HOUR).toISOString().slice(0, 19);
    const { json } = await lease(r, ['acquire', '--until', `${until}+02:00`]);
    expect(Date.parse(json.lease?.expires ?? '')).toBe(Date.parse(`${until}Z`) - 2 * HOUR);
  });

  it('outside of a worktree', async () => {
    const r = temporaryRepository();
    const code = async (args: readonly string[], cwd = r.work) =>
      errorOf(await ask(r, ['lease', ...args], here(cwd))).code;
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
    expect(errorOf(await ask(r, ['lease', 'acquire']))).toMatchObject({ code: 'settings-invalid', exit: 2 });
    untouched(r);
  });

  it('a folder of the state that is not private', async () => {
    const r = temporaryRepository();
    chmodSync(makeState(r), 0o775);
    expect(errorOf(await ask(r, ['lease', 'acquire']))).toMatchObject({
      code: 'unsafe-folder',
      exit: 2,
      text: expect.stringMatching(/others may write it$/),
    });
    expect(errorOf(await ask(r, ['lease', 'show']))).toMatchObject({ code: 'lease-unreadable', exit: 2 });
    expect(readdirSync(stateOf(r))).toEqual([]);
  });

  it('something that is no lock in the place of the lock', async () => {
    const r = temporaryRepository();
    mkdirSync(join(makeState(r), 'lock'));
    expect(errorOf(await ask(r, ['lease', 'acquire']))).toMatchObject({ code: 'lock-unusable', exit: 2 });
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
      const error = errorOf(await ask(r, ['lease', action], { ...holding(r, token), cwd: tree }));
      expect(error).toMatchObject({ code: 'lease-unreadable', exit: 2, hint: expect.stringContaining(leaseFile(r)) });
    }
    expect(readFileSync(leaseFile(r), 'utf8')).toBe('x');
  });
});

it("the caller's GIT_ variables lead nowhere else", async () => {
  const { r, tree } = await leased();
  const other = temporaryRepository();
  const env = { ...r.env, GIT_DIR: join(other.work, '.git'), GIT_WORK_TREE: other.work };
  expect(await lease(r, ['show'], { cwd: tree, env })).toMatchObject({ code: 0, json: { worktree: tree } });
});

it('names of any bytes come back', async () => {
  const r = temporaryRepository();
  const tree = join(r.places.root, 'caf\u00e9 \u{1f333}\n#x');
  run('git', ['worktree', 'add', '--quiet', '-b', 'caf\u00e9', tree], { cwd: r.work, env: r.env });
  const { json } = await lease(r, ['acquire', '--owner', 'Zo\u00eb', '--task', '\u{1f333}'], here(tree));
  expect(json).toMatchObject({
    worktree: tree,
    lease: { branch: 'refs/heads/caf\u00e9', owner: 'Zo\u00eb', task: '\u{1f333}' },
  });
  expect(JSON.parse(readFileSync(leaseFile(r), 'utf8'))).toMatchObject({ worktree: tree, owner: 'Zo\u00eb' });
  expect(await lease(r, ['show'], here(tree))).toMatchObject({ code: 0, json: { worktree: tree } });
});

/** How many ended with which exit code. */
function codesOf(results: readonly { readonly code: number | null }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of results) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  return counts;
}

/** A run whose stdout may be no document. */
async function runRaw(args: readonly string[], r: Repository, options: Partial<CliOptions> = {}) {
  const { cwd = r.work, env = r.env, ...rest } = options;
  const finished = await runAlongside(process.execPath, [entry, ...args], { cwd, env, ...rest });
  return { ...finished, stdout: finished.stdout.toString('utf8') };
}
