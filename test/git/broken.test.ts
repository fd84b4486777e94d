/** Surroundings that cannot be judged. Each ends with one clear line, exit code 2, and no stack trace. */
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchesOf, type CliOptions, type CliResult, errorOf, LOOK, look, runCli, sweepOf } from '../support/cli.ts';
import { placesIn, programEnvironment } from '../support/environment.ts';
import { temporaryFolder } from '../support/folders.ts';
import { gitOfStranger, gitOfVersion, hangingGit } from '../support/misbehave.ts';
import { ALPHA, BETA, Repository, temporaryRepository } from '../support/repository.ts';
import { expectVerdicts, goes, stays } from '../support/scenario.ts';

/** A repository that is built when it is first asked for, and copied for each test: what a test breaks is its own. */
function copiesOf(build: (r: Repository) => void): () => Repository {
  let built: Repository | null = null;
  afterAll(() => built?.remove());
  return () => {
    if (built === null) {
      const r = new Repository();
      build(r);
      built = r;
    }
    return temporaryRepository(built);
  };
}

/** `topic` squashed into main, `other` not, main published. */
const pair = copiesOf((r) => {
  r.branch('other');
  r.change(BETA, 10, 'other');
  r.toMain();
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  r.squash('topic');
  r.publish();
});

const verdicts = { topic: goes('landed'), other: stays('unmerged') };

// Waits half a minute for its git, with nothing to do: begun first and looked at late, beside all the others.
let unanswered: Promise<{ readonly run: CliResult; readonly took: number }>;
let waiting: Repository | null = null;
beforeAll(() => {
  const r = new Repository();
  waiting = r;
  const began = Date.now();
  const env = hangingGit(r.places.root, r.env, 1);
  unanswered = runCli(LOOK, { cwd: r.work, env, timeout: 60_000 }).then((run) => ({ run, took: Date.now() - began }));
  // It is the test that fails by it.
  unanswered.catch(() => {});
});
afterAll(async () => {
  await unanswered.catch(() => {});
  waiting?.remove();
});

/** Both ways of asking are refused, each in its own form. Returns the code and the text. */
async function refused(options: CliOptions, exit = 2, args: readonly string[] = ['sweep', '--no-fetch', '--offline']) {
  const forPrograms = await runCli([...args, '--json'], options);
  const error = errorOf(forPrograms);
  expect(forPrograms.code, error.text).toBe(exit);
  expect(error.exit).toBe(exit);
  expectPlainWords(error.text);
  if (error.hint !== null) expectPlainWords(error.hint);

  const forPeople = await runCli(args, options);
  expect(forPeople.code).toBe(exit);
  expect(forPeople.stdout).toBe('');
  expect(forPeople.stderr.trim()).not.toBe('');
  expect(forPeople.stderr.trim().split('\n').length, forPeople.stderr).toBeLessThanOrEqual(6);
  expectNoTrace(forPeople.stderr);
  expectNoTrace(forPrograms.stderr);
  return error;
}

function expectPlainWords(text: string): void {
  expect(text.trim()).not.toBe('');
  expect(text).not.toContain('\n');
  expectNoTrace(text);
}

function expectNoTrace(text: string): void {
  expect(text).not.toMatch(/^\s+at |node:internal|\bTypeError\b|undefined|\[object/m);
}

describe('no folder', () => {
  it.each([
    ['that is not there', 'gone'],
    ['that is a file', 'file'],
    ['below a file', 'file/below'],
  ])('one %s', async (_, name) => {
    const places = placesIn(temporaryFolder());
    writeFileSync(join(places.root, 'file'), '');
    const options = { cwd: places.root, env: programEnvironment(places) };
    const error = await refused(options, 2, ['sweep', '--no-fetch', '-C', name]);
    expect(error.code).toBe('no-such-folder');
    expect(error.text).toContain(join(places.root, name));
  });

  it('the current one, deleted meanwhile', async () => {
    const places = placesIn(temporaryFolder());
    const through = ['/bin/sh', '-c', 'mkdir -p gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];
    const error = await refused({ cwd: places.root, env: programEnvironment(places), through });
    expect(error.code).toBe('no-such-folder');
  });
});

describe('no repository', () => {
  it('a folder of files', async () => {
    const places = placesIn(temporaryFolder());
    await refused({ cwd: places.root, env: programEnvironment(places) });
  });

  it('a folder that is not there, named by -C', async () => {
    const r = pair();
    await refused({ cwd: r.work, env: r.env }, 2, [
      'sweep',
      '--no-fetch',
      '--offline',
      '-C',
      join(r.places.root, 'nowhere'),
    ]);
  });

  it('a file, named by -C', async () => {
    const r = pair();
    await refused({ cwd: r.work, env: r.env }, 2, ['sweep', '--no-fetch', '--offline', '-C', r.path(ALPHA)]);
  });

  it('a folder that is deleted under the process', async () => {
    for (const json of [true, false]) {
      const r = pair();
      const folder = r.path('soon-gone');
      mkdirSync(folder);
      const through = ['sh', '-c', 'rmdir "$0" && exec "$@"', folder];
      const args = json ? LOOK : ['sweep', '--no-fetch', '--offline'];
      const run = await runCli(args, { cwd: folder, env: r.env, through });
      expect(run.code, run.stderr).toBe(2);
      expectNoTrace(run.stderr);
      expectNoTrace(run.stdout);
      if (json) expect(errorOf(run).exit).toBe(2);
    }
  });

  it('a .git file that points nowhere, below another repository', async () => {
    const r = pair();
    const folder = r.path('inside');
    mkdirSync(folder);
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere/at/all\n');
    await refused({ cwd: folder, env: r.env });
  });

  it('a .git file that says nothing, below another repository', async () => {
    const r = pair();
    const folder = r.path('inside');
    mkdirSync(folder);
    writeFileSync(join(folder, '.git'), '');
    await refused({ cwd: folder, env: r.env });
  });

  it('a worktree whose admin folder is gone', async () => {
    const r = pair();
    const desk = r.worktree('desk', 'other');
    rmSync(join(r.work, '.git', 'worktrees', 'desk'), { recursive: true });
    await refused({ cwd: desk, env: r.env });
  });

  it('an empty .git folder', async () => {
    const places = placesIn(temporaryFolder());
    mkdirSync(join(places.root, '.git'));
    await refused({ cwd: places.root, env: programEnvironment(places) });
  });
});

describe('a repository with nothing to judge', () => {
  it('without a commit', async () => {
    const r = temporaryRepository();
    const empty = join(r.places.root, 'empty');
    r.gitWith({ cwd: r.places.root }, 'init', '--quiet', 'empty');
    const run = await runCli(LOOK, { cwd: empty, env: r.env });
    expect([1, 2]).toContain(run.code);
    expectNoTrace(run.stdout + run.stderr);
    if (run.json?.schema === 'coppice.sweep.v1')
      expect(run.json.rows.filter((row) => row.kind === 'branch')).toEqual([]);
  });

  it('on a branch without a commit: the others are judged', async () => {
    const r = pair();
    r.git('checkout', '--quiet', '--orphan', 'newborn');
    expectVerdicts(branchesOf(await look(r)), verdicts);
  });

  it('detached: the branches are judged', async () => {
    const r = pair();
    r.git('checkout', '--quiet', '--detach');
    expectVerdicts(branchesOf(await look(r)), verdicts);
  });

  it('only main', async () => {
    const r = temporaryRepository();
    r.publish();
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    expect(run.code).toBe(1);
  });

  it('a .git that is a link', async () => {
    const r = pair();
    renameSync(join(r.work, '.git'), join(r.places.root, 'moved.git'));
    symlinkSync('../moved.git', join(r.work, '.git'));
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    if (run.json?.schema === 'coppice.sweep.v1') expectVerdicts(branchesOf(run.json), verdicts);
    else await refused({ cwd: r.work, env: r.env });
  });
});

describe('a repository of somebody else', () => {
  it('is refused, as git does', async () => {
    const r = pair();
    const env = gitOfStranger(r.places.root, r.env);
    const error = await refused({ cwd: r.work, env });
    expect(error.text).toMatch(/own/);
  });

  it('is refused although a setting of its own declares it safe', async () => {
    const r = pair();
    r.git('config', 'safe.directory', '*');
    await refused({ cwd: r.work, env: gitOfStranger(r.places.root, r.env) });
  });

  it('is judged when the user has declared it safe', async () => {
    const r = pair();
    writeFileSync(join(r.places.home, '.gitconfig'), `[safe]\n\tdirectory = ${r.work}\n`);
    const run = await runCli(LOOK, { cwd: r.work, env: gitOfStranger(r.places.root, r.env) });
    // git as it is installed here decides; what must not be is a verdict without its word.
    if (run.json?.schema === 'coppice.sweep.v1') expectVerdicts(branchesOf(run.json), verdicts);
    else expect(run.code).toBe(2);
  });

  it('by its owner on the disk', async () => {
    const r = pair();
    // Only root can give a folder away; for anybody else git is told to assume it.
    if (process.getuid?.() === 0) {
      chownSync(r.work, 12_345, 12_345);
      chownSync(join(r.work, '.git'), 12_345, 12_345);
      await refused({ cwd: r.work, env: r.env });
    } else {
      await refused({ cwd: r.work, env: gitOfStranger(r.places.root, r.env) });
    }
  });
});

describe('damage that git does not survive', () => {
  const damages: Readonly<Record<string, (r: Repository) => void>> = {
    'HEAD is nonsense': (r) => writeFileSync(join(r.work, '.git', 'HEAD'), '\0\0nonsense'),
    'HEAD is empty': (r) => writeFileSync(join(r.work, '.git', 'HEAD'), ''),
    'HEAD is gone': (r) => rmSync(join(r.work, '.git', 'HEAD')),
    'the object store is gone': (r) => rmSync(join(r.work, '.git', 'objects'), { recursive: true }),
    'the configuration is nonsense': (r) => writeFileSync(join(r.work, '.git', 'config'), '[core\nbare = '),
    'the format is of the future': (r) => r.git('config', 'core.repositoryFormatVersion', '99'),
    'an extension is of the future': (r) => {
      r.git('config', 'core.repositoryFormatVersion', '1');
      r.git('config', 'extensions.timeTravel', 'true');
    },
    'core.bare is set beside a work tree': (r) => r.git('config', 'core.bare', 'true'),
    'core.worktree names another folder': (r) => {
      mkdirSync(join(r.places.root, 'elsewhere'));
      r.git('config', 'core.worktree', join(r.places.root, 'elsewhere'));
    },
    'core.worktree names no folder': (r) => r.git('config', 'core.worktree', '/nowhere/at/all'),
    'core.bare is no answer': (r) => r.git('config', 'core.bare', 'perhaps'),
  };

  it.each(Object.keys(damages))('%s', async (title) => {
    const r = pair();
    damages[title]?.(r);
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    if (/core\.bare|core\.worktree/.test(title) && run.json?.schema === 'coppice.sweep.v1') {
      // Branches may be judged without a work tree; that it is wrong must be said.
      expect(run.json.doubts).not.toEqual([]);
      return;
    }
    await refused({ cwd: r.work, env: r.env });
  });
});

describe('a work tree that is said to be none', () => {
  it('still uses the branch that is checked out in it', async () => {
    const r = pair();
    r.checkout('topic');
    r.git('config', 'core.bare', 'true');
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    if (run.json?.schema === 'coppice.sweep.v1') expect(branchesOf(run.json).get('topic')?.action).toBe('keep');
    else expect(run.code).toBe(2);
  });

  it('still uses it when asked from a linked one', async () => {
    const r = pair();
    r.checkout('topic');
    const desk = r.worktree('desk', 'other');
    r.git('config', 'core.bare', 'true');
    const run = await runCli(LOOK, { cwd: desk, env: r.env });
    if (run.json?.schema === 'coppice.sweep.v1') expect(branchesOf(run.json).get('topic')?.action).toBe('keep');
    else expect(run.code).toBe(2);
  });
});

describe('damage to one branch', () => {
  /** Takes one object away. */
  const lose = (r: Repository, name: string) => {
    const id = r.id(name);
    rmSync(join(r.work, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  };

  const damages: Readonly<Record<string, (r: Repository) => void>> = {
    'its commit is gone': (r) => lose(r, 'hurt'),
    'its first commit is gone': (r) => lose(r, 'hurt~1'),
    'its tree is gone': (r) => lose(r, 'hurt^{tree}'),
    'a folder of its tree is gone': (r) => lose(r, 'hurt:wood'),
    'its ref is nonsense': (r) => writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), 'nonsense\n'),
    'its ref is empty': (r) => writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), ''),
    'its ref is all zeros': (r) => writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), `${'0'.repeat(40)}\n`),
    'its ref names no object': (r) =>
      writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), `${'1'.repeat(40)}\n`),
    'its ref names a file': (r) =>
      writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), `${r.id(`main:${ALPHA}`)}\n`),
    'its ref names a tree': (r) =>
      writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), `${r.id('main^{tree}')}\n`),
    'its ref names a tag': (r) => {
      r.git('tag', '--annotate', '--message=v1', 'v1');
      writeFileSync(join(r.work, '.git', 'refs', 'heads', 'hurt'), `${r.git('rev-parse', 'v1')}\n`);
    },
    'its reflog is nonsense': (r) =>
      writeFileSync(join(r.work, '.git', 'logs', 'refs', 'heads', 'hurt'), 'nonsense\n\0\n'),
  };

  const withHurt = copiesOf((r) => {
    r.branch('hurt');
    for (const text of ['one', 'two']) {
      r.write('wood/hurt.txt', [text]);
      r.commit(text);
    }
    r.toMain();
    r.branch('other');
    r.change(BETA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.change(BETA, 30, 'main');
    r.squash('topic');
    r.publish();
  });

  it.each(Object.keys(damages))('%s: it stays, and the others are judged', async (title) => {
    const r = withHurt();
    damages[title]?.(r);
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    expectNoTrace(run.stdout + run.stderr);
    const rows = branchesOf(sweepOf(run));
    const hurt = rows.get('hurt');
    // git itself does not list a ref that it cannot read; then it must be a doubt, since nobody could look.
    if (hurt === undefined) expect(sweepOf(run).doubts).not.toEqual([]);
    else expect(hurt.action, JSON.stringify(hurt)).toBe('keep');
    expectVerdicts(rows, verdicts);
  });

  it('and another one that git cannot list are both named', async () => {
    const r = pair();
    for (const name of ['bad', 'worse']) writeFileSync(join(r.work, '.git', 'refs', 'heads', name), 'nonsense\n');
    const { doubts } = await look(r);
    for (const name of ['bad', 'worse'])
      expect(doubts.some(({ text }) => text.includes(`refs/heads/${name}`))).toBe(true);
  });

  it('whose blob is needed and gone stays', async () => {
    const r = temporaryRepository();
    r.branch('hurt');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.squash('hurt');
    r.change(ALPHA, 10, 'main knew better');
    r.publish();
    expectVerdicts(branchesOf(await look(r)), { hurt: goes('squash-merged') });
    lose(r, `hurt:${ALPHA}`);
    expectVerdicts(branchesOf(await look(r, { env: { ...r.env, COPPICE_CACHE: 'off' } })), {
      hurt: stays('unmerged', 'probe-failed'),
    });
  });
});

describe('damage to main', () => {
  const damages: Readonly<Record<string, (r: Repository) => void>> = {
    'its commit is gone': (r) => removeObject(r, 'main'),
    'a commit in the middle is gone': (r) => removeObject(r, 'main~1'),
    'its tree is gone': (r) => removeObject(r, 'main^{tree}'),
    'the commit graph is nonsense': (r) => {
      mkdirSync(join(r.work, '.git', 'objects', 'info'), { recursive: true });
      writeFileSync(join(r.work, '.git', 'objects', 'info', 'commit-graph'), 'CGPHnonsense');
    },
    'a pack is cut off': (r) => {
      r.git('repack', '-a', '-d', '--quiet');
      const folder = join(r.work, '.git', 'objects', 'pack');
      const pack = readdirSync(folder).find((name) => name.endsWith('.pack')) as string;
      rmSync(join(folder, pack));
      writeFileSync(join(folder, pack), 'PACK');
    },
    'packed-refs is nonsense': (r) => writeFileSync(join(r.work, '.git', 'packed-refs'), 'nonsense\n'),
    'the remote ref is nonsense': (r) =>
      writeFileSync(join(r.work, '.git', 'refs', 'remotes', 'origin', 'main'), 'nonsense\n'),
    'the shallow file is nonsense': (r) => writeFileSync(join(r.work, '.git', 'shallow'), 'nonsense\n'),
    'the alternates name no folder': (r) => {
      mkdirSync(join(r.work, '.git', 'objects', 'info'), { recursive: true });
      writeFileSync(join(r.work, '.git', 'objects', 'info', 'alternates'), '/nowhere/at/all\n');
    },
  };

  const published = copiesOf((r) => {
    r.branch('other');
    r.change(BETA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.squash('topic');
    r.change(BETA, 30, 'main');
    r.publish();
  });

  it.each(Object.keys(damages))('%s: nothing unmerged goes, and it is said plainly', async (title) => {
    const r = published();
    damages[title]?.(r);
    const run = await runCli(LOOK, { cwd: r.work, env: r.env });
    expectNoTrace(run.stdout + run.stderr);
    if (run.json?.schema === 'coppice.error.v1') {
      expect(run.code).toBe(2);
      expectPlainWords(run.json.text);
    } else {
      expect(branchesOf(sweepOf(run)).get('other')?.action ?? 'keep').toBe('keep');
    }
  });
});

function removeObject(r: Repository, name: string): void {
  const id = r.id(name);
  rmSync(join(r.work, '.git', 'objects', id.slice(0, 2), id.slice(2)));
}

describe('the program git', () => {
  it('is too old', async () => {
    const r = pair();
    const error = await refused({ cwd: r.work, env: gitOfVersion(r.places.root, r.env, '2.30.2') });
    expect(error.text).toContain('2.30.2');
    expect(`${error.text} ${error.hint ?? ''}`).toContain('2.36');
  });

  it.each(['2.36.0', '2.39.5 (Apple Git-154)', '2.41.0.windows.1', '3.0.0', '2.100.0-rc1'])(
    'is new enough as %s',
    async (version) => {
      const r = pair();
      expectVerdicts(branchesOf(await look(r, { env: gitOfVersion(r.places.root, r.env, version) })), verdicts);
    },
  );

  it.each(['', 'nonsense', '2'])('says %j when asked for its version', async (version) => {
    const r = pair();
    await refused({ cwd: r.work, env: gitOfVersion(r.places.root, r.env, version) });
  });

  it('is not in PATH', async () => {
    const r = pair();
    const empty = join(r.places.root, 'empty');
    mkdirSync(empty);
    for (const PATH of [empty, '', '.', 'relative/bin']) await refused({ cwd: r.work, env: { ...r.env, PATH } });
  });

  it('never answers', async () => {
    const { run, took } = await unanswered;
    expect(run.code).toBe(2);
    expect(errorOf(run).text).not.toBe('');
    expectNoTrace(run.stderr);
    expect(took).toBeLessThan(60_000);
  }, 90_000);
});

describe('wrong usage', () => {
  it.each([
    [['sweep', '--no-such-flag']],
    [['no-such-verb']],
    [['explain']],
    [['explain', '']],
    [['sweep', '--base']],
    [['sweep', 'surplus']],
    [['sweep', '--only', 'no-such-kind']],
    [['--no-such-flag']],
  ])('%j ends with 64', async (args) => {
    const r = pair();
    await refused({ cwd: r.work, env: r.env }, 64, args);
  });
});

describe('a reader that goes away', () => {
  it('is no reason for a stack trace', async () => {
    const r = pair();
    const through = ['sh', '-c', '"$@" | head -c 1', 'sh'];
    const run = await runCli(['sweep', '--all', '--no-fetch', '--offline'], { cwd: r.work, env: r.env, through });
    expectNoTrace(run.stderr);
    expect(run.stderr).toBe('');
  });
});

describe('folders that cannot be made', () => {
  const places: Readonly<Record<string, (r: Repository) => string>> = {
    'below a file': (r) => join(r.path(ALPHA), 'folder'),
    'below a link to itself': (r) => {
      symlinkSync('loop', join(r.places.root, 'loop'));
      return join(r.places.root, 'loop', 'folder');
    },
    // Making a folder here says that its parent, which is there, is not.
    'where the system makes none': () => '/proc/folder',
  };

  it.each(Object.keys(places))('neither the cache nor the temporary one, %s: judged or refused', async (title) => {
    const r = pair();
    const folder = places[title]?.(r) as string;
    const run = await runCli(LOOK, {
      cwd: r.work,
      env: { ...r.env, TMPDIR: folder, COPPICE_CACHE: folder },
      timeout: 20_000,
    });
    expectNoTrace(run.stdout + run.stderr);
    if (run.json?.schema === 'coppice.sweep.v1') expectVerdicts(branchesOf(run.json), verdicts);
    else expect(run.code).toBe(2);
  });
});
