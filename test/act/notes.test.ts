/** Copies of ignored files that nothing makes again: made before a worktree goes, and there when its trash is gone. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NotesDocument } from '../../src/contract/notes.ts';
import { applySweep, undo } from '../support/acts.ts';
import { type CliResult, look, runCli } from '../support/cli.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import type { Repository } from '../support/repository.ts';
import { retire, treesIn, wholeOf } from '../support/retired.ts';
import { anyEntry, filesIn, plant, put } from '../support/saved.ts';
import { codesIn, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

const ask = (r: Repository, ...words: readonly string[]): Promise<CliResult> =>
  runCli([...words, '--json'], { cwd: r.work, env: r.env });

async function notes(r: Repository, ...words: readonly string[]): Promise<NotesDocument> {
  const { json, stdout } = await ask(r, 'notes', ...words);
  if (json?.schema !== 'coppice.notes.v1') throw new Error(`no notes: ${stdout}`);
  return json;
}

const purgeAll = (r: Repository) => ask(r, 'purge', '--all', '--apply');

interface Archived {
  readonly r: Repository;
  readonly desk: string;
  readonly id: string;
  /** The note's own folder. */
  readonly folder: string;
}

/** A worktree with two ignored files that nothing makes again, in the trash. */
async function archived(): Promise<Archived> {
  const { r, desk } = temporaryDesk();
  put('SECRET=1\r\n', desk, '.env');
  chmodSync(join(desk, '.env'), 0o600);
  put('what I found out\n', desk, 'scratch/plan.md');
  const { outcome } = await retire(r, desk);
  expect([outcome.status, outcome.text]).toEqual(['done', expect.any(String)]);
  const { notes: found } = await notes(r, 'list');
  expect(found).toMatchObject([{ kind: 'ignored', count: 2, fault: null, worktree: expect.stringContaining('desk') }]);
  return { r, desk, id: found[0]?.id ?? '', folder: found[0]?.path ?? '' };
}

describe('a note', () => {
  it('outlives the trash, and its files come back where they were or elsewhere', async () => {
    const { r, desk, id } = await archived();
    const elsewhere = join(r.places.root, 'elsewhere');
    expect((await purgeAll(r)).code).toBe(0);
    expect(treesIn(r)).toEqual([]);
    expect(await notes(r, 'show', id)).toMatchObject({
      files: [
        { path: '.env', mode: '0600', bytes: 10 },
        { path: 'scratch/plan.md', bytes: 17 },
      ],
    });
    expect((await ask(r, 'notes', 'restore', id)).json).toMatchObject({
      code: 'no-such-folder',
      hint: expect.stringContaining('--to'),
    });
    expect(await notes(r, 'restore', id, '--to', elsewhere)).toMatchObject({ restored: { made: 2, there: 0 } });
    expect(readFileSync(join(elsewhere, '.env'), 'latin1')).toBe('SECRET=1\r\n');
    const desk2 = r.worktree('desk', 'main', '-b', 'again');
    expect(desk2).toBe(desk);
    expect(await notes(r, 'restore', id)).toMatchObject({ restored: { made: 2 } });
    expect(filesIn(join(desk, 'scratch'))).toEqual(filesIn(join(elsewhere, 'scratch')));
  });

  it('never writes over anything, and makes what is missing', async () => {
    const { r, id } = await archived();
    const elsewhere = join(r.places.root, 'elsewhere');
    put('mine', elsewhere, '.env');
    const before = filesIn(elsewhere);
    const refused = await ask(r, 'notes', 'restore', id, '--to', elsewhere);
    expect([refused.code, refused.json]).toMatchObject([
      2,
      { code: 'path-taken', text: expect.stringContaining('.env') },
    ]);
    expect(filesIn(elsewhere)).toEqual(before);
    rmSync(join(elsewhere, '.env'));
    expect(await notes(r, 'restore', id, '--to', elsewhere)).toMatchObject({ restored: { made: 2, there: 0 } });
    rmSync(join(elsewhere, 'scratch'), { recursive: true });
    expect(await notes(r, 'restore', id, '--to', elsewhere)).toMatchObject({ restored: { made: 1, there: 1 } });
    rmSync(join(elsewhere, 'scratch'), { recursive: true });
    const foreign = join(r.places.root, 'foreign');
    mkdirSync(foreign);
    symlinkSync(foreign, join(elsewhere, 'scratch'));
    expect((await ask(r, 'notes', 'restore', id, '--to', elsewhere)).json).toMatchObject({ code: 'path-taken' });
    expect(readdirSync(foreign)).toEqual([]);
  });

  it('stays when the worktree is brought back, and goes only on request', async () => {
    const { r, id, folder } = await archived();
    expect((await undo(r, '--last')).code).toBe(0);
    expect(await notes(r, 'delete', id)).toMatchObject({ mode: 'dry-run', notes: [{ id }] });
    expect(existsSync(folder)).toBe(true);
    expect(await notes(r, 'delete', id, '--apply')).toMatchObject({ outcome: { status: 'done' } });
    expect(existsSync(folder)).toBe(false);
    expect((await notes(r, 'list')).notes).toEqual([]);
    expect((await ask(r, 'notes', 'show', id)).json).toMatchObject({ code: 'no-such-id' });
    const { json } = await ask(r, 'history');
    expect(json?.schema === 'coppice.history.v1' && json.acts[0]).toMatchObject({ verb: 'notes', end: 'done' });
  });

  it('is told of in other repositories only when asked for', async () => {
    const { r, id } = await archived();
    const other = join(r.places.root, 'other');
    r.git('init', '--quiet', other);
    const inOther = async (...words: readonly string[]) =>
      (await runCli(['notes', ...words, '--json'], { cwd: other, env: r.env })).json as NotesDocument;
    expect(await inOther('list')).toMatchObject({ notes: [], elsewhere: 1 });
    expect(await inOther('list', '--all')).toMatchObject({ notes: [{ id }], elsewhere: 0 });
    // Where its repository is gone, it is to be had all the same.
    rmSync(r.work, { recursive: true });
    expect(await inOther('restore', id, '--to', join(r.places.root, 'back'))).toMatchObject({ restored: { made: 2 } });
  });

  it.each<readonly [string, (folder: string) => void, RegExp, boolean]>([
    ['a copy that was written to', (at) => writeFileSync(join(at, 'files/.env'), 'SECRET=2\r\n'), /damaged/, false],
    ['a copy that is gone', (at) => rmSync(join(at, 'files/scratch/plan.md')), /gone/, false],
    ['a list that was cut', (at) => truncateSync(join(at, 'files.jsonl'), 20), /list/, true],
    ['a list that is gone', (at) => rmSync(join(at, 'files.jsonl')), /list/, true],
    ['no end', (at) => rmSync(join(at, 'note.json')), /never finished/, true],
    ['another head', (at) => writeFileSync(join(at, 'note.json'), '{}', { mode: 0o600 }), /schema/, true],
  ])('with %s is never believed', async (_title, damage, why, isSeen) => {
    const { r, id, folder } = await archived();
    damage(folder);
    const shown = await ask(r, 'notes', 'show', id);
    expect([shown.code, shown.json]).toMatchObject(
      isSeen ? [2, { notes: [{ fault: expect.stringMatching(why) }] }] : [0, { files: [{}, {}] }],
    );
    const to = join(r.places.root, 'elsewhere');
    expect((await ask(r, 'notes', 'restore', id, '--to', to)).json).toMatchObject({
      code: 'note-unreadable',
      text: expect.stringMatching(why),
    });
    expect(existsSync(to)).toBe(false);
    // So that the trash keeps the only other copy.
    expect((await purgeAll(r)).json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ outcome: expect.objectContaining({ text: expect.stringMatching(why) }) }),
      ]),
    });
    expect(treesIn(r)).toHaveLength(1);
    expect((await undo(r, '--last')).code).toBe(0);
  });

  it.each([
    ['no action', ['nothing'], 'unknown-action'],
    ['no id', ['show'], 'missing-argument'],
    ['two ids', ['show', 'a', 'b'], 'unexpected-argument'],
    ['a flag of another action', ['list', '--to', 'x'], 'unexpected-argument'],
    ['another flag', ['show', 'a', '--all'], 'unexpected-argument'],
    ['a third one', ['restore', 'a', '--apply'], 'unexpected-argument'],
    ['an id that nobody has', ['show', '20261130T120000Z-x-00000000'], 'no-such-id'],
    ['a path', ['delete', '../../x', '--apply'], 'no-such-id'],
  ])('%s: a clear error', async (_title, words, code) => {
    const r = temporaryMerged();
    const { json, code: exit } = await ask(r, 'notes', ...words);
    expect([exit, json]).toMatchObject([code === 'no-such-id' ? 2 : 64, { code }]);
  });
});

describe('whatever the ignored files are', () => {
  it('they come back as they were, when the trash is gone', async () => {
    const trees = fc.array(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(trees, async (all) => {
        const r = temporaryMerged();
        const desks = all.map((entries, at) => {
          const desk = r.worktree(`desk-${at}`, 'topic', '-b', `desk-${at}`);
          plant(join(desk, 'scratch'), entries);
          return { desk, before: filesIn(join(desk, 'scratch')) };
        });
        const { sweep } = await applySweep(r);
        for (const { id, outcome } of sweep.rows)
          if (id.startsWith('worktree:desk')) expect([id, outcome]).toMatchObject([id, { status: 'done' }]);
        await purgeAll(r);
        expect(treesIn(r)).toEqual([]);
        const { notes: found } = await notes(r, 'list');
        for (const [at, { desk, before }] of desks.entries()) {
          const to = join(r.places.root, `back-${at}`);
          await notes(r, 'restore', found.find(({ worktree }) => worktree === desk)?.id ?? '', '--to', to);
          expect(filesIn(join(to, 'scratch'))).toEqual(before);
        }
      }),
      { numRuns: Number(process.env['COPPICE_TEST_RUNS'] ?? 1), endOnFailure: true },
    );
  });
});

describe('where no copy can be kept', () => {
  const holdsIn = async (r: Repository, env: Record<string, string> = {}) =>
    codesIn(await look(r, { env: { ...r.env, ...env } }), 'desk').holds;

  it('the worktree stays, and the dry run says so', async () => {
    const { r, desk } = temporaryDesk();
    put('SECRET=1', desk, '.env');
    expect(await holdsIn(r)).toEqual([]);
    const home = r.places.coppiceHome;
    expect(await holdsIn(r, { COPPICE_HOME: join(home, 'not/there') })).toEqual(['ignored-precious']);
    mkdirSync(home);
    chmodSync(home, 0o777);
    expect(await holdsIn(r)).toEqual(['ignored-precious']);
    rmSync(home, { recursive: true });
    symlinkSync(r.places.home, home);
    expect(await holdsIn(r)).toEqual(['ignored-precious']);
    rmSync(home);
    mkdirSync(join(home, 'notes'), { recursive: true, mode: 0o700 });
    chmodSync(join(home, 'notes'), 0o770);
    expect(await holdsIn(r)).toEqual(['ignored-precious']);
    const before = wholeOf(desk);
    expect((await retire(r, desk)).outcome).toMatchObject({ status: 'kept' });
    expect(wholeOf(desk)).toEqual(before);
  });

  it('because there is no room, the worktree stays as it is, and nothing is left of them', async () => {
    if (!canMount) throw new Error('this test mounts something');
    const { r, desk } = temporaryDesk();
    put(Buffer.alloc(3 * 1024 * 1024), desk, '.env');
    const before = wholeOf(desk);
    // Room for others is left, and then none for the files themselves.
    for (const size of ['4m', '18m']) {
      const home = join(r.places.root, `home-${size}`);
      mountEmpty(home, size);
      chmodSync(home, 0o755);
      const env = { ...r.env, COPPICE_HOME: join(home, 'coppice') };
      const { outcome } = await retire(r, desk, { env });
      expect(outcome).toMatchObject({ status: 'failed', text: expect.stringContaining('no room') });
      expect(wholeOf(desk)).toEqual(before);
      expect(
        readdirSync(join(home, 'coppice/notes')).flatMap((root) => readdirSync(join(home, 'coppice/notes', root))),
      ).toEqual([]);
    }
    expect((await retire(r, desk)).outcome.status).toBe('done');
  });

  it('of more than the settings say, one flag has them copied', async () => {
    const { r, desk } = temporaryDesk();
    put(Buffer.alloc(17 * 1024 * 1024, 'x'), desk, '.env');
    const { json } = await ask(r, 'retire', 'topic', '--no-fetch');
    expect(json).toMatchObject({
      recovery: [{ code: 'ignored-precious', how: expect.stringMatching(/--archive-up-to 18M$/) }],
    });
    const { json: done } = await ask(r, 'rm', 'topic', '--no-fetch', '--archive-up-to', '18M');
    expect(done).toMatchObject({ rows: [{ outcome: { status: 'done' } }, {}] });
    expect((await notes(r, 'list')).notes).toMatchObject([{ count: 1, bytes: 17 * 1024 * 1024 }]);
  });
});
