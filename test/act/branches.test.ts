/** What a sweep deletes, what it puts aside, and that all of it comes back. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applySweep,
  filesBelow,
  forget,
  journalOf,
  missing,
  reachable,
  runPrinted,
  squashed,
  squashedFrom,
  squashedRepository,
  standing,
  undo,
} from '../support/acts.ts';
import { look, LOOK, runCli } from '../support/cli.ts';
import { realGit } from '../support/environment.ts';
import { run } from '../support/processes.ts';
import type { Repository } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';
import { stateOf } from '../support/state.ts';

function branches(r: Repository): string[] {
  return r.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads').split('\n');
}

describe('a sweep that acts', () => {
  it('deletes what is spent, keeps all else, and says so of every row', async () => {
    const r = squashedRepository('a', 'b');
    r.branch('open');
    r.write('open.txt', ['open']);
    r.commit('open');
    r.toMain();
    const { code, sweep, outcomes } = await applySweep(r);
    expect(code).toBe(0);
    expect(branches(r)).toEqual(['main', 'open']);
    expect(sweep.rows.every(({ outcome }) => outcome !== undefined)).toBe(true);
    expect(Object.fromEntries([...outcomes].map(([name, { status }]) => [name, status]))).toEqual({
      a: 'done',
      b: 'done',
      main: 'kept',
      open: 'kept',
    });
    expect(outcomes.get('a')?.undo).toMatch(/^coppice undo \d{8}T\d{6}Z-a-[0-9a-f]{8}$/);
    expect(outcomes.get('open')?.undo).toBeNull();
    expect(journalOf(r)).toEqual(['sweep intent a', 'sweep intent b', 'sweep done a', 'sweep done b']);
  });

  it('has the rows of the dry run before it, and their verdicts', async () => {
    const r = squashedRepository('a', 'b');
    const before = (await look(r)).rows.map((row) => ({ ...row, outcome: undefined }));
    const { sweep } = await applySweep(r);
    expect(sweep.rows.map((row) => ({ ...row, outcome: undefined }))).toEqual(before);
  });

  it('ends with how long it waits, and the commands that bring all of it back or free it now', async () => {
    const r = squashedRepository('a', 'b');
    const before = standing(r);
    const { code, stdout } = await runCli(['sweep', '--apply', '--no-fetch'], { cwd: r.work, env: r.env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Put aside: 2 branches\n')]);
    const [, command, freeing] = /^ {2}(coppice undo \S+) .*\n {2}(coppice purge \S.* --apply) /m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^It waits in the trash until \d{4}-\d\d-\d\d\.$/m);
    expect((await runPrinted(r, command)).code).toBe(0);
    expect(standing(r)).toEqual(before);
    expect((await runPrinted(r, freeing)).code).toBe(0);
    expect(filesBelow(stateOf(r, 'trash'))).toEqual([]);
  });

  it('makes nothing where there is nothing to do', async () => {
    const r = squashedRepository();
    const { code } = await applySweep(r);
    expect([code, existsSync(r.path('.git/coppice'))]).toEqual([1, false]);
  });

  it('leaves its state alone in a dry run after it', async () => {
    const r = squashedRepository('a');
    await applySweep(r);
    squashed(r, 'b');
    r.track('main');
    const before = snapshot(r.places.root);
    for (const words of [LOOK, ['history', '--json'], ['purge', '--json'], ['doctor', '--json'], ['list', '--json']])
      await runCli(words, { cwd: r.work, env: { ...r.env, COPPICE_CACHE: 'off' } });
    expect(snapshot(r.places.root)).toEqual(before);
  });

  it('deletes the branch of a worktree after it, and keeps that of one that stays', async () => {
    const r = squashedRepository('a', 'b');
    const [desk, kept] = [r.worktree('desk', 'a'), r.worktree('kept', 'b')];
    writeFileSync(join(kept, 'new'), 'x');
    const { code, sweep, outcomes } = await applySweep(r);
    expect(code).toBe(0);
    expect(sweep.rows.filter(({ outcome }) => outcome?.status === 'done').map(({ id }) => id)).toEqual([
      'worktree:desk',
      'branch:refs/heads/a',
    ]);
    expect(outcomes.get('b')).toMatchObject({ status: 'kept', undo: null });
    expect([existsSync(desk), existsSync(kept), branches(r)]).toEqual([false, true, ['b', 'main']]);
  });

  it('has only time and digits in the names of its refs and folders', async () => {
    const r = squashedRepository('feature/login');
    await applySweep(r);
    const refs = r.git('for-each-ref', '--format=%(refname)', 'refs/coppice').split('\n');
    for (const ref of refs) expect(ref).toMatch(/^refs\/coppice\/trash\/\d{8}T\d{6}Z-[0-9a-f]{8}\/\d+$/);
    expect(refs.length).toBeGreaterThan(3);
    for (const file of filesBelow(stateOf(r, 'trash'))) expect(file).not.toContain('login');
    const [run = ''] = readdirSync(stateOf(r, 'trash'));
    for (const path of [stateOf(r), stateOf(r, 'trash'), stateOf(r, 'trash', run)])
      expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('keeps no reflog of an anchor, whatever the settings', async () => {
    const r = squashedRepository('a');
    r.git('config', 'core.logAllRefUpdates', 'always');
    await applySweep(r);
    expect(existsSync(r.path('.git/logs/refs/coppice'))).toBe(false);
  });
});

describe('everything comes back, byte for byte, after git has forgotten all it could', () => {
  const worlds: readonly (readonly [string, () => Repository])[] = [
    ['loose refs', () => squashedRepository('a', 'feature/deep/b')],
    [
      'packed refs',
      () => {
        const r = squashedRepository('a', 'feature/deep/b');
        r.git('pack-refs', '--all');
        return r;
      },
    ],
    ['sha256', () => squashedFrom({ objectFormat: 'sha256' }, 'a')],
    [
      'commits that a reset dropped and another branch has',
      () => {
        const r = squashedRepository('a');
        r.git('branch', 'holder', 'a~1');
        return r;
      },
    ],
    [
      'no reflog, no settings',
      () => {
        const r = squashedRepository('a', 'b');
        r.git('config', '--remove-section', 'branch.a');
        run('/bin/rm', ['-rf', r.path('.git/logs')], { cwd: '/', env: r.env });
        return r;
      },
    ],
  ];
  it.each(worlds)('%s', async (_title, build) => {
    const r = build();
    const [before, objects] = [standing(r), reachable(r)];
    const { outcomes } = await applySweep(r);
    const done = [...outcomes].filter(([, { status }]) => status === 'done');
    expect(done.length).toBeGreaterThan(0);
    forget(r);
    for (const [name, { undo: command }] of done) {
      const { code, stdout, stderr } = await runPrinted(r, command);
      expect([code, stderr, stdout], name).toEqual([0, '', expect.stringContaining('as it was')]);
    }
    expect(missing(r, objects)).toEqual([]);
    // git's own forgetting emptied the reflogs of what was not deleted.
    const now = standing(r);
    const others = branches(r).filter((name) => !done.some(([one]) => one === name));
    for (const [key, value] of before) {
      if (!others.some((name) => key.endsWith(`logs/refs/heads/${name}`))) expect(now.get(key), key).toBe(value);
    }
    expect(r.tryGit({}, 'fsck', '--strict', '--no-dangling').code).toBe(0);
  });

  it('from the pack alone, where somebody took the anchors away', async () => {
    const r = squashedRepository('a', 'b');
    const [before, objects] = [standing(r), reachable(r)];
    await applySweep(r);
    for (const ref of r.git('for-each-ref', '--format=%(refname)', 'refs/coppice').split('\n'))
      r.git('update-ref', '-d', ref);
    r.git('push', '--quiet', 'origin', '--delete', 'a', 'b');
    r.git('gc', '--quiet', '--prune=now');
    expect(missing(r, objects)).not.toEqual([]);
    expect((await undo(r, '--last')).rows.map(({ outcome }) => outcome.status)).toEqual(['done', 'done']);
    expect(missing(r, objects)).toEqual([]);
    for (const key of ['refs/heads/a', 'refs/heads/b', 'config', r.path('.git/logs/refs/heads/a')])
      expect(standing(r).get(key)).toBe(before.get(key));
  });

  it('one by one, in any order, with settings between others and comments', async () => {
    const r = squashedRepository('a', 'b', 'c');
    const config = readFileSync(r.path('.git/config'), 'utf8');
    writeFileSync(
      r.path('.git/config'),
      config
        .replace(
          '[branch "b"]',
          '; of b\n[alias] # mine\n\tx = "a;b\\\n [branch \\"no\\"]"\n  [branch "b"] description = one \\\n two\n',
        )
        .replace('[branch "c"]', '[Branch "c"]rebase\n\n# end'),
    );
    const before = standing(r);
    await applySweep(r);
    expect(readFileSync(r.path('.git/config'), 'utf8')).not.toContain('refs/heads/b');
    for (const name of ['b', 'c', 'a']) expect((await undo(r, '--branch', name)).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });

  it('with ids in its reflog that were gone before: they are on record as lost', async () => {
    const r = squashedRepository('a');
    const gone = '1'.repeat(40);
    const log = r.path('.git/logs/refs/heads/a');
    const lines = readFileSync(log, 'utf8').split('\n');
    const [first = ''] = lines;
    writeFileSync(
      log,
      [
        first,
        first.replace(/ [0-9a-f]{40} /, ` ${gone} `).replace(/\t.*/, '\tcommit (amend): x'),
        ...lines.slice(1),
      ].join('\n'),
    );
    const before = standing(r);
    const { outcomes } = await applySweep(r);
    if (outcomes.get('a')?.status === 'done') {
      const [entry = ''] = filesBelow(stateOf(r, 'trash')).filter((file) => file.endsWith('branches.jsonl'));
      expect(JSON.parse(readFileSync(entry, 'utf8')).lost).toEqual([gone]);
      expect((await undo(r, '--last')).code).toBe(0);
    }
    expect(standing(r)).toEqual(before);
  });
});

describe('names of any kind', () => {
  const raw = (r: Repository, ...args: readonly (string | Buffer)[]) => {
    // A name that is no UTF-8 reaches git by its input only.
    return run(realGit, ['update-ref', '--stdin', '-z'], {
      cwd: r.work,
      env: r.env,
      input: Buffer.concat(args.map((arg) => Buffer.from(arg as string, typeof arg === 'string' ? 'utf8' : 'latin1'))),
    });
  };

  it('no UTF-8, case twins, 250 bytes, quotes and dollars', async () => {
    const names = ['Case', 'case', `${'x'.repeat(240)}`, `q"uo'te$(x)`, 'ünï', '-lead', 'a.b', "it's"];
    const r = squashedRepository('seed', ...names.filter((name) => !name.startsWith('-')));
    const tip = r.id('seed');
    raw(r, 'create refs/heads/', Buffer.from([0xff, 0x2d, 0xc3]), '\0', tip, '\0');
    raw(r, 'create refs/heads/-lead\0', tip, '\0');
    const before = r.gitWith({}, 'for-each-ref', 'refs/heads').toString('latin1');
    const { outcomes } = await applySweep(r);
    expect([...outcomes].filter(([, { status }]) => status === 'failed')).toEqual([]);
    for (const name of ['Case', 'case', 'x'.repeat(240), `q"uo'te$(x)`, 'ünï', 'a.b'])
      expect([name, outcomes.get(name)?.status]).toEqual([name, 'done']);
    const { code } = await undo(r, '--last');
    expect(code).toBe(0);
    expect(r.gitWith({}, 'for-each-ref', 'refs/heads').toString('latin1')).toBe(before);
  });

  it('a folder and a file of one name, one after the other', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    const first = (await applySweep(r)).outcomes.get('a');
    r.git('push', '--quiet', 'origin', '--delete', 'a');
    squashed(r, 'a/b');
    r.track('main');
    const blocked = await runPrinted(r, first?.undo);
    expect([blocked.code, blocked.stderr]).toEqual([2, expect.stringContaining('--as')]);
    expect((await applySweep(r)).outcomes.get('a/b')?.status).toBe('done');
    expect((await runPrinted(r, first?.undo)).code).toBe(0);
    const now = standing(r);
    for (const key of ['refs/heads/a', r.path('.git/logs/refs/heads/a')]) expect(now.get(key)).toBe(before.get(key));
  });
});

describe('what stands in the way is said, and never overcome', () => {
  it('the lock of the configuration: the branch goes, its settings stay', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    r.write('.git/config.lock', 'mine');
    const { code, outcomes } = await applySweep(r);
    expect([code, outcomes.get('a')]).toMatchObject([
      0,
      { status: 'done', text: expect.stringContaining('its settings stay') },
    ]);
    expect(readFileSync(r.path('.git/config'), 'utf8')).toBe(before.get('config'));
    expect(readFileSync(r.path('.git/config.lock'), 'utf8')).toBe('mine');
    r.delete('.git/config.lock');
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });

  it('the lock of a ref: that branch stays, the others go', async () => {
    const r = squashedRepository('a', 'b');
    r.write('.git/refs/heads/a.lock', '');
    const { code, outcomes } = await applySweep(r);
    expect([code, outcomes.get('a')?.status, outcomes.get('b')?.status]).toEqual([2, 'failed', 'done']);
    expect(existsSync(r.path('.git/refs/heads/a.lock'))).toBe(true);
    expect(branches(r)).toEqual(['a', 'main']);
  });

  it('settings that somebody else may write stay with their mode', async () => {
    const r = squashedRepository('a');
    chmodSync(r.path('.git/config'), 0o640);
    await applySweep(r);
    expect(statSync(r.path('.git/config')).mode & 0o777).toBe(0o640);
  });
});
