/** The way back: what it refuses, and the way out that it names; the record; the only real deletion. */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applySweep,
  filesBelow,
  forget,
  hook,
  journalOf,
  missing,
  reachable,
  runPrinted,
  squashed,
  squashedRepository,
  standing,
  undo,
} from '../support/acts.ts';
import { errorOf, runCli } from '../support/cli.ts';
import { countGit } from '../support/count-git.ts';
import { temporaryFolder } from '../support/folders.ts';
import { misbehavingGit } from '../support/misbehave.ts';
import { canMount, mountBound } from '../support/mounts.ts';
import type { Repository } from '../support/repository.ts';
import { wholeOf } from '../support/retired.ts';
import { settings, stateOf } from '../support/state.ts';
import { temporaryDesk } from '../support/worktree.ts';

async function swept(...names: readonly string[]) {
  const r = squashedRepository(...names);
  const before = standing(r);
  const { outcomes } = await applySweep(r);
  const idOf = (name: string) => outcomes.get(name)?.undo?.replace('coppice undo ', '') ?? '';
  const [run = ''] = readdirSync(stateOf(r, 'trash'));
  return { r, before, idOf, run };
}

const ask = (r: Repository, ...words: readonly string[]) => runCli([...words, '--json'], { cwd: r.work, env: r.env });

/** Says that everything which is due was found so many days ago; before it, that it was found in time to come. */
function setSeenDue(r: Repository, days: number): void {
  const file = stateOf(r, 'due.json');
  const then = new Date(Date.now() - days * 86_400_000).toISOString();
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"\d{4}-[^"]*Z"/g, `"${then}"`));
}

/** Makes all that was put aside `days` older. */
function age(r: Repository, run: string, days: number): string {
  const old = `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z${run.slice(16)}`;
  renameSync(stateOf(r, 'trash', run), stateOf(r, 'trash', old));
  const head = stateOf(r, 'trash', old, 'entry.json');
  writeFileSync(head, readFileSync(head, 'utf8').replaceAll(run, old));
  for (const line of r.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/coppice').split('\n')) {
    const [ref = '', oid = ''] = line.split(' ');
    r.git('update-ref', ref.replace(run, old), oid);
    r.git('update-ref', '-d', ref);
  }
  return old;
}

describe('undo', () => {
  it('that brought back a part can be asked for the rest', async () => {
    const { r, before, idOf } = await swept('a', 'b');
    const log = r.path('.git/logs/refs/heads/a');
    // The first change makes both branches; whoever holds the lock of one later keeps its reflog away.
    hook(r, 'if [ "$1" = prepared ]; then echo x >> calls; if [ "$(wc -l < calls)" = 2 ]; then exit 1; fi; fi');
    const first = await undo(r, '--last');
    expect([first.code, existsSync(log)]).toEqual([2, false]);
    expect(first.rows.map(({ outcome }) => outcome.status).sort()).toEqual(['done', 'failed']);
    r.delete('.git/hooks/reference-transaction');
    expect((await undo(r, idOf('a'))).code).toBe(0);
    expect(standing(r)).toEqual(before);
    expect(errorOf(await undo(r, idOf('a')))).toMatchObject({ code: 'already-undone', exit: 2 });
  });

  it('leaves reflogs to the group that shares the repository', async () => {
    const r = squashedRepository();
    r.git('config', 'core.sharedRepository', 'group');
    squashed(r, 'team/a');
    r.publish();
    const modesOf = () =>
      ['team', 'team/a'].map((name) => statSync(r.path(`.git/logs/refs/heads/${name}`)).mode.toString(8));
    const before = modesOf();
    await applySweep(r);
    expect((await undo(r, '--last')).code).toBe(0);
    expect([before[1], modesOf()]).toEqual(['100664', before]);
  });

  it('leaves a branch alone that somebody made at the very same commit', async () => {
    const { r, idOf } = await swept('a');
    const [tip = ''] = r.git('for-each-ref', '--format=%(objectname)', 'refs/coppice').split('\n');
    r.git('branch', 'a', tip);
    expect(errorOf(await undo(r, idOf('a')))).toMatchObject({ code: 'name-taken', exit: 2 });
  });

  it('of one, of the rest, and of all again', async () => {
    const { r, before, idOf, run } = await swept('a', 'b');
    expect((await undo(r, idOf('a'))).rows).toMatchObject([
      { id: idOf('a'), run, name: 'a', outcome: { status: 'done' } },
    ]);
    expect(errorOf(await undo(r, idOf('a')))).toMatchObject({ code: 'already-undone', exit: 2 });
    expect((await undo(r, run)).rows).toMatchObject([{ name: 'b', outcome: { status: 'done' } }]);
    expect(standing(r)).toEqual(before);
    expect(errorOf(await undo(r, run))).toMatchObject({ code: 'already-undone', exit: 2 });
    expect(errorOf(await undo(r, '--last'))).toMatchObject({ code: 'nothing-to-undo', exit: 2 });
    expect(errorOf(await undo(r, '--branch', 'a'))).toMatchObject({ code: 'nothing-to-undo', exit: 2 });
    expect(standing(r)).toEqual(before);
  });

  it('of what nobody did', async () => {
    const { r } = await swept('a');
    for (const id of ['20260101T000000Z-a-00000000', '20260101T000000Z-00000000', 'x'])
      expect(errorOf(await undo(r, id))).toMatchObject({ code: 'no-such-id', exit: 2 });
    expect((await ask(r, 'undo')).code).toBe(64);
    expect((await ask(r, 'undo', 'x', '--last')).code).toBe(64);
  });

  it('leaves a name alone that is taken, and brings it back under another', async () => {
    const { r, before, idOf } = await swept('a', 'b');
    r.git('branch', 'a', 'main~1');
    const own = r.id('a');
    const refusal = errorOf(await undo(r, idOf('a')));
    expect(refusal).toMatchObject({
      code: 'name-taken',
      exit: 2,
      hint: `under another name: coppice undo ${idOf('a')} --as a-2`,
    });
    // The others of a run are not kept by it.
    const all = await undo(r, '--last');
    expect([all.code, all.rows.map(({ name, outcome }) => `${name} ${outcome.status}`)]).toEqual([
      2,
      ['a kept', 'b done'],
    ]);
    expect((await runPrinted(r, refusal.hint?.replace('under another name: ', ''))).code).toBe(0);
    expect([r.id('a'), r.id('a-2')]).toEqual([own, before.get('refs/heads/a')]);
    expect(readFileSync(r.path('.git/logs/refs/heads/a-2'), 'latin1')).toBe(
      before.get(r.path('.git/logs/refs/heads/a')),
    );
    expect(r.git('config', 'branch.a-2.merge')).toBe('refs/heads/a');
    expect(errorOf(await undo(r, idOf('a'), '--as', 'x'))).toMatchObject({ code: 'already-undone' });
    expect((await ask(r, 'undo', idOf('b'), '--as', 'no..name')).code).toBe(64);
  });

  it('keeps the order of its settings under another name', async () => {
    const r = squashedRepository('a');
    r.append('.git/config', '[branch "a"] ; again\n\trebase = true\n[branch "a"]\n\trebase = false\n');
    const { outcomes } = await applySweep(r);
    const id = outcomes.get('a')?.undo?.replace('coppice undo ', '') ?? '';
    expect((await undo(r, id, '--as', 'z')).code).toBe(0);
    expect(r.git('config', '--get-all', 'branch.z.rebase')).toBe('true\nfalse');
    expect(r.git('config', 'branch.z.remote')).toBe('origin');
  });

  it.each([
    ['the refs', 'for-each-ref', 'cannot be told', 'who acts next', 2],
    ['the refs at the end', 'for-each-ref', 'cannot be told', 'who acts next'],
    ['the reflog', 'update-ref', 'its reflog is not back', 'the same undo'],
    ['the settings', 'config --file', 'its settings are not back', 'the same undo'],
  ])('that is not told of %s (%s: %s) is ended by %s', async (what, command, text, who, fromEnd = 1) => {
    const { r, before, idOf } = await swept('a');
    const id = idOf('a');
    const other = (await swept('a')).r;
    const counter = countGit(other.places.root, other.env);
    await runCli(['undo', '--last'], { cwd: other.work, env: counter.env });
    const calls = counter.calls().flatMap((line, at) => (line.startsWith(command) ? [at + 1] : []));
    const env = misbehavingGit(r.places.root, r.env, 'fail', calls.at(-fromEnd) ?? 0);
    const cut = await runCli(['undo', id, '--json'], { cwd: r.work, env });
    expect([cut.code, cut.json]).toMatchObject([
      2,
      { rows: [{ outcome: { status: 'failed', text: expect.stringContaining(text) } }] },
    ]);
    if (what !== 'the refs at the end') expect(standing(r)).not.toEqual(before);
    if (who === 'who acts next') expect((await ask(r, 'purge', '--apply')).code).toBe(1);
    else expect((await undo(r, id)).code).toBe(0);
    expect(standing(r)).toEqual(before);
    expect(journalOf(r).slice(-2)).toEqual(['undo intent a', 'undo done a']);
    expect(errorOf(await undo(r, id))).toMatchObject({ code: 'already-undone' });
  });

  it.each([
    ['is gone', () => ''],
    ['is of no form', (text: string) => text.replaceAll('{"schema"', '{"scheme"')],
  ])('of what the trash alone knows, since its record %s', async (_title, change) => {
    const { r, desk } = temporaryDesk();
    squashed(r, 'a');
    r.publish();
    const before = [standing(r), wholeOf(desk)];
    const { outcomes } = await applySweep(r);
    expect(outcomes.get('a')?.status).toBe('done');
    for (const file of filesBelow(stateOf(r, 'journal'))) writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { json } = await ask(r, 'history');
    if (json?.schema !== 'coppice.history.v1') throw new Error('no history');
    const told = new Map(json.acts.map(({ subject, why, undo: { state } }) => [subject, [why, state]]));
    const open = [expect.stringContaining('record of it is lost'), 'open'];
    expect(told).toEqual(new Map([desk, 'a', 'topic'].map((subject) => [subject, open])));
    const [first] = json.acts;
    expect((await undo(r, '--branch', 'a')).code).toBe(0);
    expect((await undo(r, first?.run ?? '')).code).toBe(0);
    expect([standing(r), wholeOf(desk)]).toEqual(before);
    const after = await ask(r, 'history');
    const acts = after.json?.schema === 'coppice.history.v1' ? after.json.acts : [];
    expect(acts.filter(({ undo: { state } }) => state === 'open')).toEqual([]);
  });

  it('leaves a name alone that a worktree stands on without a commit', async () => {
    const { r, idOf } = await swept('a');
    r.git('symbolic-ref', 'HEAD', 'refs/heads/a');
    expect(errorOf(await undo(r, idOf('a')))).toMatchObject({
      code: 'name-taken',
      text: 'a is checked out in a worktree',
    });
  });

  it('does nothing in a copy of the repository, but under another name', async () => {
    const { r, idOf } = await swept('a');
    const copy = join(r.places.root, 'copy');
    cpSync(r.work, copy, { recursive: true });
    const inCopy = (...words: readonly string[]) => runCli([...words, '--json'], { cwd: copy, env: r.env });
    expect(errorOf(await inCopy('undo', idOf('a')))).toMatchObject({
      code: 'copied-repository',
      hint: expect.stringContaining('--as a-2'),
    });
    expect(await inCopy('history')).toMatchObject({ json: { acts: [{ undo: { state: 'copied', command: null } }] } });
    expect((await inCopy('undo', idOf('a'), '--as', 'z')).code).toBe(0);
    expect(r.gitWith({ cwd: copy }, 'rev-parse', 'z').toString().trim()).toMatch(/^[0-9a-f]{40}$/);
    expect((await undo(r, idOf('a'))).code).toBe(0);
  });

  it('recovers nothing in a copy that was made while something was under way', async () => {
    const r = squashedRepository('a');
    hook(
      r,
      `if [ "$1" = committed ] && grep -q "0000 refs/heads/a$"; then set -- $(cat /proc/$PPID/stat); kill -9 $4; fi`,
    );
    await expect(runCli(['sweep', '--apply', '--no-fetch'], { cwd: r.work, env: r.env })).rejects.toThrow();
    r.delete('.git/hooks/reference-transaction');
    const copy = join(r.places.root, 'copy');
    cpSync(r.work, copy, { recursive: true });
    const inCopy = (...words: readonly string[]) => runCli([...words, '--json'], { cwd: copy, env: r.env });
    const lines = () => filesBelow(join(copy, '.git/coppice/journal')).map((file) => readFileSync(file, 'utf8'));
    const [before] = lines();
    expect(errorOf(await inCopy('undo', '--last'))).toMatchObject({ code: 'nothing-to-undo' });
    expect(lines()).toEqual([before]);
    expect((await inCopy('doctor')).json).not.toMatchObject({ ailments: [{ code: 'act-unfinished' }] });
    expect((await ask(r, 'doctor')).json).toMatchObject({
      ailments: expect.arrayContaining([
        expect.objectContaining({ code: 'act-unfinished', mend: 'coppice purge --apply' }),
      ]),
    });
    // A sweep that acts and has nothing to do ends it, too.
    expect((await applySweep(r)).code).toBe(1);
    expect(journalOf(r)).toEqual(['sweep intent a', 'sweep done a']);
    expect((await undo(r, '--last')).code).toBe(0);
  });

  it('says what of it is damaged, and changes nothing', async () => {
    const { r, idOf, run } = await swept('a');
    const now = standing(r);
    const file = stateOf(r, 'trash', run, 'branches.jsonl');
    const lines = readFileSync(file);
    writeFileSync(file, lines.subarray(0, 20));
    expect(errorOf(await undo(r, idOf('a'))).code).toBe('trash-unreadable');
    writeFileSync(file, lines);
    writeFileSync(stateOf(r, 'trash', run, 'reflogs'), '');
    expect(errorOf(await undo(r, idOf('a'))).code).toBe('not-restored');
    expect(standing(r)).toEqual(now);
  });
});

describe('history', () => {
  it('tells what, when, by whom, why, and the way back', async () => {
    const { r, idOf, run } = await swept('a', 'b');
    await undo(r, idOf('a'));
    const { code, json } = await ask(r, 'history');
    expect([code, json]).toMatchObject([
      0,
      {
        acts: [
          { verb: 'undo', end: 'done', subject: 'a', undo: { state: 'none' } },
          {
            verb: 'sweep',
            end: 'done',
            subject: 'b',
            run,
            undo: { state: 'open', command: `coppice undo ${idOf('b')}` },
          },
          { verb: 'sweep', end: 'done', subject: 'a', why: expect.stringContaining('main'), undo: { state: 'undone' } },
        ],
        unreadable: 0,
      },
    ]);
    expect((await ask(r, 'history', '--limit', '1')).json).toMatchObject({ acts: [{ verb: 'undo' }] });
    const told = await runCli(['history'], { cwd: r.work, env: r.env });
    expect(told.stdout).toContain(`  coppice undo ${idOf('b')}\n`);
    writeFileSync(filesBelow(stateOf(r, 'journal'))[0] ?? '', '{"torn', { flag: 'a' });
    expect((await ask(r, 'history')).json).toMatchObject({ unreadable: 1 });
    expect((await undo(r, '--last')).code).toBe(0);
    const none = squashedRepository();
    expect((await runCli(['history'], { cwd: none.work, env: none.env })).stdout).toBe('Nothing was done here yet.\n');
  });
});

describe('purge', () => {
  it('deletes nothing before its time, and on request', async () => {
    const { r, idOf, run } = await swept('a');
    expect(await ask(r, 'purge', '--apply')).toMatchObject({
      code: 1,
      json: { items: [{ due: false }, { due: false }] },
    });
    expect((await ask(r, 'purge', '--older-than', '1h', '--apply')).code).toBe(1);
    expect(await ask(r, 'purge', '--all')).toMatchObject({
      code: 0,
      json: { mode: 'dry-run', items: [{ run, due: true }, { due: false }] },
    });
    expect(filesBelow(stateOf(r, 'trash')).length).toBeGreaterThan(3);
    expect(await ask(r, 'purge', '--id', idOf('a'), '--apply')).toMatchObject({
      code: 0,
      json: { items: [{ outcome: { status: 'done' } }] },
    });
    expect(filesBelow(stateOf(r, 'trash'))).toEqual([]);
    expect(r.git('for-each-ref', 'refs/coppice')).not.toBe('');
    const refusal = errorOf(await undo(r, idOf('a')));
    expect(refusal).toMatchObject({ code: 'purged', hint: expect.stringContaining('git branch a ') });
    r.git(...(refusal.hint ?? '').replace(/^.*: git /, '').split(' '));
    expect((await ask(r, 'purge', '--id', 'x')).code).toBe(2);
  });

  it('is done by a sweep that acts for what is due; anchors wait longer, and then go, too', async () => {
    const { r, run } = await swept('a');
    const objects = reachable(r);
    const old = age(r, run, 15);
    squashed(r, 'b');
    r.track('main');
    expect((await applySweep(r)).sweep.purge).toEqual({ due: 0, bytes: 0 });
    // A clock that is wrong once deletes nothing: it has to be due a day later, too.
    expect(readdirSync(stateOf(r, 'trash'))).toContain(old);
    expect((await ask(r, 'sweep', '--no-fetch')).json).toMatchObject({ purge: { due: 0 } });
    setSeenDue(r, -1);
    await applySweep(r);
    expect(readdirSync(stateOf(r, 'trash'))).toContain(old);
    setSeenDue(r, 2);
    expect((await ask(r, 'sweep', '--no-fetch')).json).toMatchObject({ purge: { due: 1 } });
    const { sweep } = await applySweep(r);
    expect(sweep.purge).toMatchObject({ due: 1, bytes: expect.any(Number) });
    expect(readdirSync(stateOf(r, 'trash'))).not.toContain(old);
    expect(r.git('for-each-ref', 'refs/coppice')).toContain(old);
    forget(r);
    expect(missing(r, objects)).toEqual([]);
    const [other = ''] = readdirSync(stateOf(r, 'trash'));
    const older = age(r, other, 91);
    r.git('config', 'gc.reflogExpire', 'never');
    expect((await ask(r, 'purge', '--apply')).json).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ kind: 'anchors', due: false })]),
    });
    r.git('config', 'gc.reflogExpire', '90 days');
    await ask(r, 'purge', '--apply');
    expect(r.git('for-each-ref', 'refs/coppice')).not.toContain(older);
    expect(journalOf(r)).toContain(`purge done the trash of ${old}`);
  });

  it('never follows a link', async () => {
    const { r, run } = await swept('a');
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'mine'), 'x');
    symlinkSync(outside, stateOf(r, 'trash', run, 'link'));
    expect((await ask(r, 'purge', '--all', '--apply')).code).toBe(0);
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('x');
  });

  it('stops where something is mounted', async () => {
    if (!canMount) throw new Error('this test mounts something');
    const { r, run } = await swept('a');
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'mine'), 'x');
    r.write(`.git/coppice/trash/${run}/inside/x`, '');
    mountBound(outside, stateOf(r, 'trash', run, 'inside'));
    const { code, json } = await ask(r, 'purge', '--all', '--apply');
    expect([code, json]).toMatchObject([2, { items: [{ outcome: { status: 'failed' } }, {}] }]);
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('x');
  });

  it('minds the settings', async () => {
    const { r, run } = await swept('a');
    age(r, run, 3);
    settings(r, '[trash]\nkeep = "2d"\n');
    expect((await ask(r, 'purge')).json).toMatchObject({
      items: [
        { kind: 'trash', due: true },
        { kind: 'anchors', due: false },
      ],
    });
  });
});
