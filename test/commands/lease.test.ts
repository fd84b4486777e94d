/** `lease` as people and agents run it: real git, and the built program where it is more than its commands. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../src/state/read-journal.ts';
import { errorOf } from '../support/cli.ts';
import { askInside, leaseInside, say } from '../support/inside.ts';
import { here, holding, leased, runRaw, tokenIn, untouched } from '../support/leased.ts';
import { run } from '../support/processes.ts';
import { temporaryRepository } from '../support/repository.ts';
import { ACCOUNT, ageLease, ask, DAY, HOUR, lease, leaseFile, stateOf } from '../support/state.ts';

describe('lease', () => {
  it('is taken, shown, kept alive, extended and given back', async () => {
    const { r, tree, file, token, json } = await leased(
      ['--task', 'T-1', '--pr', '#7', '--gate', 'review', '--owner', 'ash'],
      lease,
    );
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
        const words = ['lease', ...call, ...json.filter(() => call[0] !== 'run')];
        const { stdout, stderr, code } = await (call[0] === 'run' ? runRaw(words, r, options) : say(r, words, options));
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
    const lines = async (args: readonly string[]) => {
      const { stdout, stderr } = await say(r, ['lease', ...args], { ...holding(r, token), cwd: tree });
      expect(stderr).toBe('');
      return stdout.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME').split('\n');
    };
    const shown = await lines(['show']);
    expect(shown[0]).toBe(`${tree}: leased by ash until TIME`);
    expect(shown).toContain('  task:         T-\\x1b[31m1');
    expect(shown).toContain('  purpose:      a longer\\ntext');
    expect((await lines(['heartbeat']))[0]).toBe(`${tree}: kept by ash until TIME`);
    expect((await lines(['acquire']))[0]).toBe(`${tree}: renewed by ash until TIME`);
    expect((await lines(['release']))[0]).toBe(`${tree}: given back`);
    expect(await lines(['release'])).toEqual([`${tree}: there was no lease to give back`, '']);
    expect((await lines(['show']))[0]).toBe(`${tree}: no lease; the last one was given back at TIME`);
    expect(await lines(['show', '--worktree', r.work])).toEqual([`${r.work}: no lease`, '']);
  });

  it('the home folder is written ~', async () => {
    const r = temporaryRepository();
    const tree = r.worktree('home/app');
    const { json } = await leaseInside(r, ['acquire'], here(tree));
    expect(json).toMatchObject({ worktree: '~/app', lease: { worktree: '~/app' } });
    expect((await say(r, ['lease', 'acquire'], here(tree))).stderr).toContain('coppice: ~/app is leased by');
  });

  it('show and release write nothing where there is none', async () => {
    const r = temporaryRepository();
    expect(await leaseInside(r, ['show'])).toMatchObject({
      code: 1,
      json: { outcome: 'none', worktree: r.work, lease: null },
    });
    expect(await leaseInside(r, ['show', '--exit-zero'])).toMatchObject({ code: 0 });
    expect(await leaseInside(r, ['release'])).toMatchObject({ code: 0, json: { outcome: 'none' } });
    expect(errorOf(await askInside(r, ['lease', 'heartbeat']))).toMatchObject({ code: 'no-lease', exit: 2 });
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
      expect(await leaseInside(r, words, here(from))).toMatchObject({ code: 0, json: { worktree: tree } });
    }
    expect(await leaseInside(r, ['-C', '../app-x', 'show'], here(from))).toMatchObject({ code: 0 });
    expect(await leaseInside(r, ['show'], here(from))).toMatchObject({ code: 1 });
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
    expect(errorOf(await askInside(r, steal, here(tree)))).toMatchObject({ code: 'lease-held', exit: 3 });
  });

  it('takes over what is over, on record', async () => {
    const { r, tree, file, token } = await leased();
    ageLease(leaseFile(r), 2 * HOUR + 60_000);
    expect(await leaseInside(r, ['show'], here(tree))).toMatchObject({ code: 1, json: { outcome: 'expired' } });
    expect(errorOf(await askInside(r, ['lease', 'acquire'], here(tree)))).toMatchObject({
      code: 'lease-held',
      exit: 3,
    });
    ageLease(leaseFile(r), DAY);
    const refused = errorOf(await askInside(r, ['lease', 'acquire'], here(tree)));
    expect(refused).toMatchObject({ code: 'lease-expired', exit: 2 });
    expect(refused.hint).toContain('coppice lease acquire --steal --because TEXT');
    const stolen = await lease(r, ['acquire', '--steal', '--because', 'its session died'], here(tree));
    expect(stolen.json).toMatchObject({ outcome: 'stolen', lease: { epoch: 2, standing: 'live' }, tokenFile: file });
    expect(tokenIn(file)).not.toBe(token);
    expect(errorOf(await askInside(r, ['lease', 'release'], { ...holding(r, token), cwd: tree }))).toMatchObject({
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
  expect(await leaseInside(r, ['show'], here(tree))).toMatchObject({ code: 0, json: { worktree: tree } });
});
