/** Copies of what differs from the commit: the worktree stays untouched, and all of it comes back from the copy. */
import {
  chmodSync,
  existsSync,
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
import type { SalvageDocument } from '../../src/contract/notes.ts';
import { APPLY, applySweep, runPrinted } from '../support/acts.ts';
import { type CliResult, look, runCli } from '../support/cli.ts';
import { crashing, stepsTaken } from '../support/crash.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import { quoted, standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';
import { wholeOf } from '../support/retired.ts';
import { anyEntry, filesIn, plant, put } from '../support/saved.ts';
import { lease, settings } from '../support/state.ts';
import { codesIn, gitAt, rowOf, temporaryMerged } from '../support/worktree.ts';

const isWhole = process.env['COPPICE_TORTURE'] === 'all';

const ask = (r: Repository, ...words: readonly string[]): Promise<CliResult> =>
  runCli([...words, '--json'], { cwd: r.work, env: r.env });

async function salvage(r: Repository, ...words: readonly string[]): Promise<SalvageDocument> {
  const { json, stdout } = await ask(r, 'salvage', ...words);
  if (json?.schema !== 'coppice.salvage.v1') throw new Error(`no salvage: ${stdout}`);
  return json;
}

/** With a managed root, in which `dirty` makes worktrees. */
function managed(): Repository {
  const r = temporaryMerged();
  settings(r, `roots.also = ["${join(r.places.root, 'desks')}"]\n`);
  return r;
}

/** A worktree in the managed root with tracked, staged and new files that differ. */
function dirty(r: Repository, name = 'desk'): string {
  const desk = r.worktree(`desks/${name}`, 'topic', '-b', name);
  put('{"staged": 1}\n', desk, 'package.json');
  gitAt(r, desk, 'add', 'package.json');
  put('{"later": 1}\n', desk, 'package.json');
  put('new\r\n', desk, 'new file');
  return desk;
}

const outcomeOf = async (r: Repository, env = r.env, name = 'desk') =>
  rowOf((await applySweep(r, { env })).sweep, name).outcome;

/** Everything of a worktree, and of its git directory. */
const wholly = (r: Repository, desk: string, name = 'desk') => [
  wholeOf(desk),
  wholeOf(r.path(join('.git/worktrees', name))),
];

const foldersOfNotes = (home: string) => {
  const top = join(home, 'notes');
  return existsSync(top) ? readdirSync(top).flatMap((root) => readdirSync(join(top, root))) : [];
};

describe('a copy of changes', () => {
  it('is made by a sweep that acts, once for the same changes, and leaves the worktree alone', async () => {
    const r = managed();
    const desk = dirty(r);
    const before = wholly(r, desk);
    const found = await look(r);
    expect(rowOf(found, 'desk')).toMatchObject({ action: 'save-patch', reason: { code: 'staged' } });
    expect(foldersOfNotes(r.places.coppiceHome)).toEqual([]);
    const outcome = await outcomeOf(r);
    expect(outcome).toMatchObject({ status: 'done', text: expect.stringContaining('coppice salvage show ') });
    expect(wholly(r, desk)).toEqual(before);
    const again = await look(r);
    expect(codesIn(again, 'desk')).toMatchObject({ action: 'keep', noted: expect.arrayContaining(['already-saved']) });
    const [command] = /coppice salvage show [\w-]+/.exec(JSON.stringify(again)) ?? [];
    const shown = await runPrinted(r, `${command} --json`);
    expect(shown.json).toMatchObject({ notes: [{ kind: 'changes', fault: null }] });
    put('more\n', desk, 'new file');
    expect(await outcomeOf(r)).toMatchObject({ status: 'done' });
    expect((await salvage(r, 'list')).notes).toHaveLength(2);
    expect((await ask(r, 'notes', 'list')).json).toMatchObject({ notes: [] });
    const { json } = await ask(r, 'history');
    expect(json?.schema === 'coppice.history.v1' && json.acts[0]).toMatchObject({
      verb: 'salvage',
      undo: { state: 'none' },
    });
    // It is nothing that could be undone.
    expect((await ask(r, 'undo', '--last')).json).toMatchObject({ rows: expect.any(Array) });
  });

  it('is made also where only the words for why it stays are other ones a moment later', async () => {
    const r = managed();
    const desk = dirty(r);
    const count = quoted(join(r.places.root, 'count'));
    const body = `case " $* " in *" status "*)
  echo >> ${count}; find ${quoted(desk)} -exec touch -d "-$(wc -l < ${count}) hours" {} + ;; esac
exec "$GIT" "$@"`;
    const env = withProgramsOf(standInGit(r.places.root, body), r.env);
    const { json } = await runCli(['sweep', '--apply', '--no-fetch', '--idle', '7d', '--json'], { cwd: r.work, env });
    const row = json?.schema === 'coppice.sweep.v1' ? rowOf(json, 'desk') : null;
    expect(row?.reason).toMatchObject({ code: 'staged' });
    expect(row?.evidence).toContainEqual(
      expect.objectContaining({ code: 'recent-write', text: expect.stringMatching(/was written \d h ago/) }),
    );
    expect(row?.outcome).toMatchObject({ status: 'done', text: expect.stringContaining('its changes are kept') });
  });

  it('has the same for two worktrees with the very same changes', async () => {
    const r = managed();
    dirty(r, 'one');
    dirty(r, 'two');
    await applySweep(r);
    expect((await salvage(r, 'list')).notes).toHaveLength(1);
    const { sweep } = await applySweep(r);
    for (const name of ['one', 'two']) expect(codesIn(sweep, name).noted).toContain('already-saved');
  });

  it('brings all of it back elsewhere, by its patches too, and at home what is missing', async () => {
    const r = managed();
    const desk = dirty(r);
    const head = gitAt(r, desk, 'rev-parse', 'HEAD');
    rmSync(join(desk, '.gitignore'));
    const before = filesIn(desk);
    await outcomeOf(r);
    const id = (await salvage(r, 'list')).notes[0]?.id ?? '';
    const saved = join(r.places.root, 'saved');
    await salvage(r, 'restore', id, '--to', saved);
    expect(readFileSync(join(saved, 'staged/package.json'), 'utf8')).toBe('{"staged": 1}\n');

    const fresh = join(r.places.root, 'fresh');
    r.git('worktree', 'add', '--quiet', '--detach', fresh, head);
    gitAt(r, fresh, 'apply', '--index', join(saved, 'staged.patch'));
    gitAt(r, fresh, 'apply', join(saved, 'unstaged.patch'));
    expect(gitAt(r, fresh, 'diff', '--cached')).toBe(gitAt(r, desk, 'diff', '--cached'));
    expect(gitAt(r, fresh, 'diff')).toBe(gitAt(r, desk, 'diff'));

    rmSync(join(desk, 'new file'));
    expect((await salvage(r, 'restore', id)).restored).toMatchObject({ made: 1, there: 1 });
    const tree = (all: ReadonlyMap<string, string>) => [...all].filter(([name]) => name !== '.git');
    expect(tree(filesIn(desk))).toEqual(tree(before));
    put('{"mine": 1}\n', desk, 'package.json');
    expect((await ask(r, 'salvage', 'restore', id)).json).toMatchObject({
      code: 'path-taken',
      hint: expect.stringContaining('coppice salvage restore'),
    });
  });

  it('has both sides of a conflict, and the index', async () => {
    const r = managed();
    const tip = r.id('topic');
    const desk = r.worktree('desks/desk', 'topic', '-b', 'desk');
    put('ours\n', desk, 'package.json');
    gitAt(r, desk, 'commit', '--quiet', '--all', '--message=ours');
    gitAt(r, desk, 'checkout', '--quiet', '-b', 'other', 'topic');
    put('theirs\n', desk, 'package.json');
    gitAt(r, desk, 'commit', '--quiet', '--all', '--message=theirs');
    r.tryGit({ cwd: desk }, 'merge', '--quiet', 'desk');
    const index = readFileSync(r.path('.git/worktrees/desk/index'));
    expect(await outcomeOf(r)).toMatchObject({ status: 'done', text: expect.stringContaining('its changes are kept') });
    const id = (await salvage(r, 'list')).notes[0]?.id ?? '';
    const saved = join(r.places.root, 'saved');
    await salvage(r, 'restore', id, '--to', saved);
    const text = (path: string) => readFileSync(join(saved, path), 'utf8');
    expect([text('conflicts/ours/package.json'), text('conflicts/theirs/package.json')]).toEqual([
      'theirs\n',
      'ours\n',
    ]);
    expect(text('conflicts/base/package.json')).toBe(r.git('show', `${tip}:package.json`).concat('\n'));
    expect(text('tree/package.json')).toContain('<<<<<<<');
    expect(readFileSync(join(saved, 'index')).equals(index)).toBe(true);
  });

  it('names what it does not contain', async () => {
    const r = managed();
    const desk = dirty(r);
    r.git('init', '--quiet', join(desk, 'inner'));
    put('x', desk, 'inner/file');
    expect(await outcomeOf(r)).toMatchObject({
      status: 'done',
      text: expect.stringContaining('not what is in inner'),
    });
    const { files } = await salvage(r, 'show', (await salvage(r, 'list')).notes[0]?.id ?? '');
    expect(files.map(({ path }) => path).filter((path) => path.includes('inner'))).toEqual([]);
  });

  it('of anything, as it was', async () => {
    const trees = fc.array(
      fc.record({ fresh: fc.array(anyEntry, { maxLength: 6 }), staged: fc.array(anyEntry, { maxLength: 6 }) }),
      {
        minLength: 8,
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(trees, async (all) => {
        const r = managed();
        const desks = all.map(({ fresh, staged }, at) => {
          const desk = dirty(r, `desk-${at}`);
          plant(join(desk, 'added'), staged);
          if (existsSync(join(desk, 'added'))) gitAt(r, desk, '-c', 'core.autocrlf=false', 'add', 'added');
          plant(join(desk, 'fresh'), fresh);
          return { desk, before: wholly(r, desk, `desk-${at}`), files: filesIn(desk) };
        });
        const { sweep } = await applySweep(r);
        const { notes } = await salvage(r, 'list');
        for (const [at, { desk, before, files }] of desks.entries()) {
          const { outcome } = rowOf(sweep, `desk-${at}`);
          expect([at, outcome]).toMatchObject([at, { status: 'done' }]);
          expect(wholly(r, desk, `desk-${at}`)).toEqual(before);
          const to = join(r.places.root, `saved-${at}`);
          const id = /show (\S+)/.exec(outcome?.text ?? '')?.[1] ?? '';
          expect(notes.map((one) => one.id)).toContain(id);
          await salvage(r, 'restore', id, '--to', to);
          const own = new Set(gitAt(r, desk, 'ls-files', '-z').split('\0'));
          const changed = [...files].filter(
            ([path]) => /^(added|fresh)\//.test(path) || path === 'new file' || !own.has(path),
          );
          const back = filesIn(join(to, 'tree'));
          for (const [path, what] of changed) if (path !== '.git') expect([path, back.get(path)]).toEqual([path, what]);
        }
      }),
      { numRuns: Number(process.env['COPPICE_TEST_RUNS'] ?? 1), endOnFailure: true },
    );
  });
});

describe('no copy is made', () => {
  it.each<readonly [string, (r: Repository, desk: string) => unknown]>([
    ['of one outside of the managed roots', (r) => settings(r, '')],
    [
      'of one without changes',
      (r, desk) => {
        gitAt(r, desk, 'add', '.');
        gitAt(r, desk, 'commit', '--quiet', '--message=all of it');
      },
    ],
    [
      'of one that somebody has leased',
      (r, desk) => lease(r, ['acquire', '--worktree', desk, '--token-file', join(r.places.root, 'token')]),
    ],
    ['of one whose pointer is broken', (_r, desk) => writeFileSync(join(desk, '.git'), 'gitdir: /nowhere\n')],
    [
      'of one that is protected',
      (r, desk) => settings(r, `roots.also = ["${join(desk, '..')}"]\nprotect.paths = ["${desk}"]\n`),
    ],
  ])('%s', async (_title, build) => {
    const r = managed();
    const desk = dirty(r);
    await build(r, desk);
    const before = wholeOf(desk);
    const { sweep } = await applySweep(r);
    expect(rowOf(sweep, 'desk').action).not.toBe('save-patch');
    expect([foldersOfNotes(r.places.coppiceHome), wholeOf(desk)]).toEqual([[], before]);
  });

  it('of one in hand by its name: what stands in the way is told instead', async () => {
    const r = managed();
    dirty(r);
    const { code, json } = await ask(r, 'rm', 'desk', '--no-fetch');
    expect([code, json]).toMatchObject([2, { rows: [{ action: 'keep' }, {}], recovery: expect.any(Array) }]);
    expect(foldersOfNotes(r.places.coppiceHome)).toEqual([]);
  });

  it('of what cannot be read, and that is said', async () => {
    if (!isRoot) throw new Error('this test gives files to another account');
    const r = managed();
    const desk = dirty(r);
    put('x', desk, 'shut');
    giveAway(r.places.root);
    chmodSync(join(desk, 'shut'), 0o000);
    const result = await runCli(APPLY, { cwd: r.work, env: r.env, ...unprivileged });
    expect(JSON.stringify(result.json)).toMatch(/not-saved.*shut: permission denied/);
    expect(foldersOfNotes(r.places.coppiceHome)).toEqual([]);
  });

  it('when it changes meanwhile', async () => {
    const r = managed();
    const desk = dirty(r);
    const body = `case " $* " in *" cat-file --batch "*) echo late >> ${quoted(join(desk, 'new file'))} ;; esac
exec "$GIT" "$@"`;
    const outcome = await outcomeOf(r, withProgramsOf(standInGit(r.places.root, body), r.env));
    expect(outcome).toMatchObject({ status: 'kept', text: expect.stringMatching(/changed/) });
    expect(foldersOfNotes(r.places.coppiceHome)).toEqual([]);
    expect(readFileSync(join(desk, 'new file'), 'utf8')).toContain('new\r\nlate\n');
  });

  it('where there is no room', async () => {
    if (!canMount) throw new Error('this test mounts something');
    const r = managed();
    const desk = dirty(r);
    put(Buffer.alloc(3 * 1024 * 1024), desk, 'large');
    const before = wholly(r, desk);
    const home = join(r.places.root, 'small');
    mountEmpty(home, '18m');
    chmodSync(home, 0o755);
    const outcome = await outcomeOf(r, { ...r.env, COPPICE_HOME: join(home, 'coppice') });
    expect(outcome).toMatchObject({ status: 'failed', text: expect.stringContaining('no room') });
    expect([foldersOfNotes(join(home, 'coppice')), wholly(r, desk)]).toEqual([[], before]);
  });

  it('where the folder for them is not ours alone', async () => {
    const r = managed();
    dirty(r);
    symlinkSync(r.places.home, r.places.coppiceHome);
    expect(await outcomeOf(r)).toMatchObject({ status: 'kept', text: expect.stringContaining('no copy can be kept') });
  });
});

it('one that was damaged is made again', async () => {
  const r = managed();
  dirty(r);
  await outcomeOf(r);
  const [note] = (await salvage(r, 'list')).notes;
  truncateSync(join(note?.path ?? '', 'files/tree/new file'), 1);
  expect(codesIn(await look(r), 'desk').action).toBe('save-patch');
  expect(await outcomeOf(r)).toMatchObject({ status: 'done' });
  expect((await salvage(r, 'delete', note?.id ?? '', '--apply')).outcome).toMatchObject({ status: 'done' });
  expect((await salvage(r, 'list')).notes).toHaveLength(1);
});

it('a crash at any step leaves the worktree as it is, and no half a copy that is believed', {
  timeout: 600_000,
}, async () => {
  const sweep = ['sweep', '--apply', '--no-fetch', '--idle', '0s', '--only', 'worktree'];
  const counted = managed();
  dirty(counted);
  await runCli(sweep, { cwd: counted.work, env: crashing(counted.places.root, counted.env, null, 'before') });
  const all = stepsTaken(counted.places.root);
  expect(all).toBeGreaterThan(30);
  const stride = isWhole ? 1 : Math.floor(all / 5);
  for (let at = 1; at <= all; at += stride) {
    const r = managed();
    const desk = dirty(r);
    const before = wholly(r, desk);
    await runCli(sweep, { cwd: r.work, env: crashing(r.places.root, r.env, at, 'after') }).catch(() => undefined);
    expect([at, wholly(r, desk)]).toEqual([at, before]);
    await applySweep(r);
    const { notes } = await salvage(r, 'list');
    expect([at, notes.map(({ fault }) => fault), wholly(r, desk)]).toEqual([at, [null], before]);
    expect(foldersOfNotes(r.places.coppiceHome)).toHaveLength(1);
    const { json } = await ask(r, 'history');
    const ends = json?.schema === 'coppice.history.v1' ? json.acts.map(({ end }) => end) : [];
    expect([at, ends]).toEqual([at, ends.map((end) => (end === 'unfinished' ? 'ended' : end))]);
  }
});
