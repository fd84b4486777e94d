/** Worktrees that are moved into the trash, and all that comes back with them. */
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applySweep,
  filesBelow,
  forget,
  journalOf,
  missing,
  reachable,
  runPrinted,
  standing,
  undo,
} from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import type { Repository } from '../support/repository.ts';
import { heldBy, retire, treesIn, wholeOf } from '../support/retired.ts';
import { stateOf } from '../support/state.ts';
import { gitAt, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

const put = (content: string, ...parts: readonly string[]) => {
  const path = join(...parts);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
};

/** git forgets the reflog of what stays. */
const standingButMain = (r: Repository) => new Map([...standing(r)].filter(([name]) => !name.endsWith('/main')));

/** Worktrees that go, with all kinds of things in them that must come back. */
const KINDS: Readonly<Record<string, (r: Repository, desk: string, branch: string) => void>> = {
  'nothing more': () => {},
  'ignored files, empty folders, links, modes and times': (_r, desk) => {
    put('x', desk, 'node_modules/a/b/c.js');
    put('SECRET=1', desk, '.env');
    put('x', desk, 'node_modules/a/run.sh');
    chmodSync(join(desk, 'node_modules/a/run.sh'), 0o755);
    chmodSync(join(desk, '.env'), 0o600);
    mkdirSync(join(desk, 'node_modules/empty'));
    symlinkSync('../a/b', join(desk, 'node_modules/link'));
    symlinkSync('/nowhere', join(desk, 'node_modules/dangling'));
    linkSync(join(desk, '.env'), join(desk, '.env.local'));
    put('x', desk, 'node_modules/b/shut');
    utimesSync(join(desk, 'node_modules/a'), 1_000_000, 1_000_000);
    chmodSync(join(desk, 'node_modules/b'), 0o555);
  },
  'names of any bytes': (_r, desk) => {
    mkdirSync(join(desk, 'node_modules'));
    for (const name of ['a\nb', "it's", '-rf', 'ümläut', ' ']) writeFileSync(join(desk, 'node_modules', name), name);
    writeFileSync(Buffer.concat([Buffer.from(`${desk}/node_modules/`), Buffer.from([0xff, 0xfe])]), 'x');
  },
  'commits that an amend replaced': (r, desk, branch) => {
    put('one\n', desk, 'more.txt');
    gitAt(r, desk, 'add', '.');
    gitAt(r, desk, 'commit', '--quiet', '--message=more');
    put('two\n', desk, 'more.txt');
    gitAt(r, desk, 'commit', '--quiet', '--all', '--amend', '--message=more');
    r.squash(branch, 'more (#2)');
    r.publish();
  },
  'private refs and pseudo-refs': (r, desk) => {
    const oid = gitAt(r, desk, 'commit-tree', '-m', 'only here', 'HEAD^{tree}');
    gitAt(r, desk, 'update-ref', 'refs/worktree/mine', oid);
    gitAt(r, desk, 'update-ref', 'ORIG_HEAD', gitAt(r, desk, 'commit-tree', '-m', 'this too', 'HEAD^{tree}'));
  },
  'a detached HEAD': (r, desk) => void gitAt(r, desk, 'checkout', '--quiet', '--detach', 'topic'),
  'sparse, with settings of its own': (r, desk) => {
    gitAt(r, desk, 'sparse-checkout', 'set', '--no-cone', '/*', '!package.json');
    gitAt(r, desk, 'config', '--worktree', 'user.name', 'somebody else');
  },
};

it('worktrees with all kinds of things come back together, each as it was', async () => {
  const r = temporaryMerged();
  const desks = new Map<string, string>();
  for (const [at, [title, build]] of Object.entries(KINDS).entries()) {
    const branch = `kind-${at}`;
    const desk = r.worktree(`desk-${at}`, 'topic', '-b', branch);
    build(r, desk, branch);
    desks.set(title, desk);
  }
  const whole = () => new Map([...desks].map(([title, desk]) => [title, [wholeOf(desk), heldBy(r, desk)]]));
  const [before, own] = [whole(), standingButMain(r)];
  const objects = reachable(r);
  const { sweep, code } = await applySweep(r);
  const outcomes = sweep.rows.map(({ id, outcome }) => `${id} ${outcome?.status}`);
  for (const desk of desks.values()) {
    const name = basename(desk);
    expect(outcomes).toContain(`worktree:${name} done`);
    expect([existsSync(desk), existsSync(r.path(join('.git/worktrees', name)))]).toEqual([false, false]);
  }
  expect(code).toBe(0);
  forget(r);
  expect(missing(r, objects)).toEqual([]);
  expect((await undo(r, '--last')).code).toBe(0);
  expect(whole()).toEqual(before);
  expect(standingButMain(r)).toEqual(own);
  expect(treesIn(r)).toEqual([]);
  for (const desk of desks.values()) gitAt(r, desk, 'fsck', '--no-dangling');
});

describe('while it is in the trash', () => {
  it('git in it ends with an error, and climbs nowhere', async () => {
    const { r, desk } = temporaryDesk();
    await retire(r, desk);
    const [entry = ''] = treesIn(r);
    const tree = join(stateOf(r, 'trash', entry), 'tree');
    expect(r.tryGit({ cwd: tree }, 'status').stderr).toContain('not a git repository');
    // Another worktree that gets the name is not driven from there.
    r.worktree('desk', 'main', '-b', 'other');
    expect(r.tryGit({ cwd: tree }, 'status').code).not.toBe(0);
  });

  it('is no row, and git knows nothing of it', async () => {
    const { r, desk } = temporaryDesk();
    await retire(r, desk);
    const { json } = await runCli(['sweep', '--json', '--no-fetch'], { cwd: r.work, env: r.env });
    if (json?.schema !== 'coppice.sweep.v1') throw new Error('no sweep');
    expect(json.rows.map(({ id }) => id).sort()).toEqual(['branch:refs/heads/main', 'worktree:@']);
    r.git('worktree', 'prune');
    r.git('gc', '--quiet', '--prune=now');
    expect((await undo(r, '--last')).code).toBe(0);
  });
});

describe('the branch of a worktree', () => {
  it('goes after it, and comes back with it', async () => {
    const { r, desk } = temporaryDesk();
    const own = standing(r);
    const { sweep } = await retire(r, desk);
    expect(sweep.rows.filter(({ outcome }) => outcome?.status === 'done').map(({ id }) => id)).toEqual([
      'worktree:desk',
      'branch:refs/heads/topic',
    ]);
    const command = sweep.rows.find(({ id }) => id === 'worktree:desk')?.outcome?.undo;
    const back = await runPrinted(r, `${command} --json`);
    expect([back.code, back.json]).toMatchObject([0, { rows: [{ kind: 'branch' }, { kind: 'worktree' }] }]);
    expect(standing(r)).toEqual(own);
    expect((await undo(r, '--last')).json).toMatchObject({ code: 'nothing-to-undo' });
  });

  it('that somebody deleted by hand comes back with it, with its reflog and settings', async () => {
    const { r, desk } = temporaryDesk();
    r.git('config', 'branch.topic.description', 'what it is for');
    const own = standing(r);
    await retire(r, desk, { env: { ...r.env } });
    await undo(r, '--branch', 'topic');
    r.git('branch', '--quiet', '-D', 'topic');
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(own);
  });

  it('is made from what the worktree kept of it, where what its deletion put aside is damaged', async () => {
    const { r, desk } = temporaryDesk();
    r.git('config', 'branch.topic.description', 'what it is for');
    const own = standing(r);
    const { sweep } = await retire(r, desk);
    const run = sweep.aside?.run ?? '';
    rmSync(stateOf(r, 'trash', run, 'reflogs'), { recursive: true });
    const back = await undo(r, '--last');
    expect([back.code, back.json]).toMatchObject([0, { rows: [{ kind: 'branch' }, { kind: 'worktree' }] }]);
    expect(standing(r)).toEqual(own);
    const { json } = await runCli(['history', '--json'], { cwd: r.work, env: r.env });
    if (json?.schema !== 'coppice.history.v1') throw new Error('no history');
    expect(json.acts.filter(({ undo: { state } }) => state === 'open')).toEqual([]);
  });

  it('stays when the worktree stays', async () => {
    const { r, desk } = temporaryDesk();
    r.git('worktree', 'lock', desk);
    const { sweep } = await applySweep(r);
    expect(sweep.rows.filter(({ outcome }) => outcome?.status === 'done')).toEqual([]);
    expect(existsSync(desk)).toBe(true);
  });
});

describe('undo refuses, and names the way out', () => {
  const gone = async (): Promise<{ r: Repository; desk: string; id: string }> => {
    const { r, desk } = temporaryDesk();
    const { outcome } = await retire(r, desk);
    return { r, desk, id: outcome.undo?.split(' ')[2] ?? '' };
  };

  it('a place that is taken: --to', async () => {
    const { r, desk, id } = await gone();
    put('somebody else', desk, 'file');
    const refused = await undo(r, id);
    expect([refused.code, refused.json]).toMatchObject([
      2,
      { code: 'path-taken', hint: expect.stringContaining('--to') },
    ]);
    expect((await undo(r, id, '--to', `${desk}-2`)).code).toBe(0);
    expect(readFileSync(join(desk, 'file'), 'utf8')).toBe('somebody else');
    expect(gitAt(r, `${desk}-2`, 'status', '--porcelain', '--branch')).toBe('## topic');
    expect(r.git('worktree', 'list', '--porcelain')).toContain(`worktree ${desk}-2\n`);
  });

  it('a name of a git directory that is taken: it gets the next', async () => {
    const { r, desk, id } = await gone();
    const other = r.worktree('elsewhere/desk', 'main', '-b', 'other');
    expect((await undo(r, id)).code).toBe(0);
    expect(gitAt(r, desk, 'rev-parse', '--git-dir')).toMatch(/worktrees\/desk1$/);
    expect(gitAt(r, other, 'rev-parse', '--git-dir')).toMatch(/worktrees\/desk$/);
    expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  });

  it.each([
    ['--detach', ['--detach'], null],
    ['--as', ['--as', 'topic-2'], 'refs/heads/topic-2'],
    ['--branch beside an id', ['--branch', 'topic-2'], 'refs/heads/topic-2'],
  ] as const)('a branch that was moved: %s', async (_title, words, branch) => {
    const { r, desk, id } = await gone();
    await undo(r, '--branch', 'topic');
    const tip = r.id('topic');
    r.git('branch', '--force', 'topic', 'main');
    const refused = await undo(r, id);
    expect([refused.code, refused.json]).toMatchObject([
      2,
      { code: 'branch-moved', hint: expect.stringContaining('--detach') },
    ]);
    expect(existsSync(desk)).toBe(false);
    expect((await undo(r, id, ...words)).code).toBe(0);
    expect(gitAt(r, desk, 'rev-parse', 'HEAD')).toBe(tip);
    expect(r.tryGit({ cwd: desk }, 'symbolic-ref', '--quiet', 'HEAD').stdout.toString().trim()).toBe(branch ?? '');
    expect(r.id('topic')).toBe(r.id('main'));
    expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  });

  it('a branch that another worktree uses', async () => {
    const { r, id } = await gone();
    await undo(r, '--branch', 'topic');
    r.worktree('other', 'topic');
    expect((await undo(r, id)).json).toMatchObject({ code: 'branch-in-use' });
    expect((await undo(r, id, '--detach')).code).toBe(0);
  });

  it('a branch made anew under its name', async () => {
    const { r, id } = await gone();
    r.git('branch', 'topic', 'main');
    expect((await undo(r, id)).json).toMatchObject({ code: 'branch-moved' });
    expect(r.id('topic')).toBe(r.id('main'));
  });

  it('a copy of the repository: only to a place that is named, and the original keeps its own', async () => {
    const { r, desk, id } = await gone();
    const copy = `${r.work}-copy`;
    cpSync(r.work, copy, { recursive: true, preserveTimestamps: true });
    const inCopy = (...words: readonly string[]) => runCli(['undo', '--json', ...words], { cwd: copy, env: r.env });
    expect((await inCopy(id)).json).toMatchObject({ code: 'copied-repository', hint: expect.stringContaining('--to') });
    const done = { outcome: { status: 'done' } };
    expect((await inCopy(id, '--to', `${desk}-copy`)).json).toMatchObject({
      rows: [
        { kind: 'branch', ...done },
        { kind: 'worktree', ...done },
      ],
    });
    expect(gitAt(r, `${desk}-copy`, 'rev-parse', '--path-format=absolute', '--git-common-dir')).toBe(
      join(copy, '.git'),
    );
    expect((await undo(r, id)).code).toBe(0);
    expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  });

  it('ways that do not fit', async () => {
    const { r, id } = await gone();
    const wrong = async (...words: readonly string[]) => (await undo(r, ...words)).json;
    expect(await wrong(id, '--as', 'x', '--detach')).toMatchObject({ code: 'bad-value', exit: 64 });
    expect(await wrong('--branch', 'topic', '--to', '/tmp/x')).toMatchObject({ code: 'bad-value', exit: 64 });
    expect(await wrong('--last', '--as', 'x')).toMatchObject({ code: 'bad-value', exit: 64 });
  });
});

describe('purge', () => {
  const PURGE = ['purge', '--all', '--apply', '--json'];
  const items = async (r: Repository, words: readonly string[] = PURGE) => {
    const { json, stdout } = await runCli(words, { cwd: r.work, env: r.env });
    if (json?.schema !== 'coppice.purge.v1') throw new Error(stdout);
    return json.items;
  };

  it('deletes it for good, and all that was kept of it but the anchors', async () => {
    const { r, desk } = temporaryDesk();
    put('x', desk, 'node_modules/a/b');
    chmodSync(join(desk, 'node_modules/a'), 0o555);
    const objects = reachable(r);
    const { outcome } = await retire(r, desk);
    expect((await items(r)).map(({ outcome: one }) => one?.status)).toEqual(expect.arrayContaining(['done', 'done']));
    expect(treesIn(r)).toEqual([]);
    const refused = await runPrinted(r, `${outcome.undo} --json`);
    expect(refused.json).toMatchObject({ code: 'purged', hint: expect.stringContaining('git worktree add --detach') });
    forget(r);
    expect(missing(r, objects)).toEqual([]);
  });

  it('keeps what was written to after it was put aside, and says so', async () => {
    const { r, desk } = temporaryDesk();
    put('x', desk, 'node_modules/log');
    const { outcome } = await retire(r, desk);
    const [entry = ''] = treesIn(r);
    writeFileSync(join(stateOf(r, 'trash', entry), 'tree/node_modules/log'), 'late', { flag: 'a' });
    const [kept] = (await items(r)).filter(({ path }) => path !== null);
    expect(kept).toMatchObject({ outcome: { status: 'kept', text: expect.stringContaining('node_modules/log') } });
    expect((await runPrinted(r, `${outcome.undo} --json`)).code).toBe(0);
    expect(readFileSync(join(desk, 'node_modules/log'), 'utf8')).toBe('xlate');
  });

  it('keeps ignored files that nothing makes again while their copies are not to be had, unless that one is named', async () => {
    const { r, desk } = temporaryDesk();
    put('SECRET=1', desk, '.env');
    const { outcome } = await retire(r, desk);
    rmSync(join(r.places.coppiceHome, 'notes'), { recursive: true });
    const [kept] = (await items(r)).filter(({ path }) => path !== null);
    expect(kept).toMatchObject({ outcome: { status: 'kept', text: expect.stringContaining('1 ignored file') } });
    const id = outcome.undo?.split(' ')[2] ?? '';
    const named = await items(r, ['purge', '--id', id, '--apply', '--json']);
    expect(named.map(({ outcome: one }) => one?.status)).toEqual(['done']);
  });

  it('that was cut off in the middle is told of as a purge, and the next one ends it', async () => {
    const { r, desk } = temporaryDesk();
    const { outcome } = await retire(r, desk);
    const [entry = ''] = treesIn(r);
    const holder = stateOf(r, 'trash', entry);
    renameSync(join(holder, 'tree'), join(holder, 'purging'));
    writeFileSync(join(holder, 'purging-begun'), '', { mode: 0o600 });
    rmSync(join(holder, 'purging/package.json'));
    expect((await runPrinted(r, `${outcome.undo} --json`)).json).toMatchObject({ code: 'purged' });
    const { json } = await runCli(['history', '--json'], { cwd: r.work, env: r.env });
    expect(json?.schema === 'coppice.history.v1' && json.acts.map(({ undo: { state } }) => state)).toEqual([
      'open',
      'purged',
    ]);
    expect((await items(r)).map(({ outcome: one }) => one?.status)).toEqual(expect.arrayContaining(['done', 'done']));
    expect(existsSync(holder)).toBe(false);
  });

  it('waits for its time, and a sweep that acts deletes what is due', async () => {
    const { r, desk } = temporaryDesk();
    await retire(r, desk);
    expect((await items(r, ['purge', '--json'])).map(({ due }) => due)).not.toContain(true);
    expect(treesIn(r)).toHaveLength(1);
  });

  it('after an undo deletes what is left, and nothing at home', async () => {
    const { r, desk } = temporaryDesk();
    await retire(r, desk);
    await undo(r, '--last');
    const before = wholeOf(desk);
    await items(r);
    expect(wholeOf(desk)).toEqual(before);
    expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  });
});

it('is on record, and history tells how it stands', async () => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  expect(journalOf(r).slice(0, 2)).toEqual([`sweep intent ${desk}`, `sweep done ${desk}`]);
  const states = async () => {
    const { json } = await runCli(['history', '--json'], { cwd: r.work, env: r.env });
    return json?.schema === 'coppice.history.v1' ? json.acts.map(({ undo: { state } }) => state) : [];
  };
  expect(await states()).toEqual(['open', 'open']);
  await undo(r, '--last');
  expect(await states()).toEqual(['none', 'none', 'undone', 'undone']);
});

it('a worktree whose folder was moved by hand while it was in the trash is not lost', async () => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  const [entry = ''] = treesIn(r);
  renameSync(join(stateOf(r, 'trash', entry), 'tree'), `${desk}-mine`);
  expect((await undo(r, '--last')).code).toBe(2);
  expect(existsSync(join(`${desk}-mine`, 'package.json'))).toBe(true);
});

it('another device number, as some file systems have after each start of the machine, is no other repository', async () => {
  const { r, desk } = temporaryDesk();
  const [before, own] = [wholeOf(desk), standing(r)];
  await retire(r, desk);
  const written = [...filesBelow(stateOf(r, 'journal')), ...filesBelow(stateOf(r, 'trash'))];
  for (const file of written.filter((path) => /\.jsonl?$/.test(path) && !path.includes('/tree/')))
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("device": ?)"\d+"/g, '$1"1"'));
  expect((await undo(r, '--last')).code).toBe(0);
  expect(wholeOf(desk)).toEqual(before);
  expect(standing(r)).toEqual(own);
});
