/**
 * What a worktree holds: each thing alone keeps one that nothing else would. `desk` is a linked worktree of a merged
 * branch.
 */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALPHA, BETA } from '../support/repository.ts';
import { type Build, codesOf, gitAt } from '../support/worktree.ts';

/** Takes the worktree away, as if somebody had cleaned up by hand. */
const gone = (desk: string) => rmSync(desk, { recursive: true });

const HOLDS: Readonly<Record<string, readonly (readonly [title: string, build: Build])[]>> = {
  missing: [
    ['its folder is gone', (_r, desk) => gone(desk)],
    ['it was moved by hand', (_r, desk) => renameSync(desk, `${desk}-2`)],
  ],
  'pointer-broken': [
    ['its .git file is gone', (_r, desk) => rmSync(join(desk, '.git'))],
    ['its .git file is no pointer', (_r, desk) => writeFileSync(join(desk, '.git'), 'nothing')],
    ['its .git file leads nowhere', (_r, desk) => writeFileSync(join(desk, '.git'), 'gitdir: /nowhere/at/all\n')],
    ['its git directory has a bare name', (r) => writeFileSync(r.path('.git/worktrees/desk/gitdir'), '.git\n')],
  ],
  'wrong-occupant': [
    [
      'another repository stands there',
      (r, desk) => {
        gone(desk);
        r.git('init', '-q', desk);
      },
    ],
    [
      'a link stands there',
      (_r, desk) => {
        renameSync(desk, `${desk}-2`);
        symlinkSync(`${desk}-2`, desk);
      },
    ],
    [
      'a file stands there',
      (_r, desk) => {
        gone(desk);
        writeFileSync(desk, '');
      },
    ],
    [
      'another worktree was put there',
      (r, desk) => {
        const two = r.worktree('two', 'main', '--detach');
        gone(desk);
        renameSync(two, desk);
      },
    ],
  ],
  'repository-damaged': [
    ['its index is cut', (r) => truncateSync(r.path('.git/worktrees/desk/index'), 40)],
    ['its index is no index', (r) => writeFileSync(r.path('.git/worktrees/desk/index'), 'nothing of the kind')],
    ['its HEAD is empty', (r) => writeFileSync(r.path('.git/worktrees/desk/HEAD'), '')],
    ['it names another repository', (r) => writeFileSync(r.path('.git/worktrees/desk/commondir'), '/\n')],
    ['core.worktree is set', (r) => r.git('config', 'core.worktree', '/elsewhere')],
  ],
  modified: [
    ['an edit', (_r, desk) => appendFileSync(join(desk, ALPHA), 'x\n')],
    [
      'an edit of the same size and time',
      (r, desk) => {
        const before = new Date(Date.now() - 100_000);
        writeFileSync(join(desk, ALPHA), r.read(ALPHA).replace('one', 'two'));
        utimesSync(join(desk, ALPHA), before, before);
      },
    ],
    [
      'a mode, and core.fileMode is off',
      (r, desk) => {
        r.git('config', 'core.fileMode', 'false');
        chmodSync(join(desk, ALPHA), 0o755);
      },
    ],
    ['a deletion', (_r, desk) => rmSync(join(desk, ALPHA))],
    [
      'an intent to add',
      (r, desk) => {
        writeFileSync(join(desk, 'new'), 'x');
        gitAt(r, desk, 'add', '-N', 'new');
      },
    ],
  ],
  staged: [
    [
      'a staged edit',
      (r, desk) => {
        appendFileSync(join(desk, ALPHA), 'x\n');
        gitAt(r, desk, 'add', '-A');
      },
    ],
  ],
  untracked: [
    ['a new file', (_r, desk) => writeFileSync(join(desk, 'new'), 'x')],
    [
      'a new file, and status shows none',
      (r, desk) => {
        r.git('config', 'status.showUntrackedFiles', 'no');
        writeFileSync(join(desk, 'a new\nfile'), 'x');
      },
    ],
  ],
  'hidden-edits': [
    [
      'behind assume-unchanged',
      (r, desk) => {
        gitAt(r, desk, 'update-index', '--assume-unchanged', ALPHA);
        appendFileSync(join(desk, ALPHA), 'x\n');
      },
    ],
    [
      'behind skip-worktree',
      (r, desk) => {
        gitAt(r, desk, 'update-index', '--skip-worktree', BETA);
        appendFileSync(join(desk, BETA), 'x\n');
      },
    ],
    [
      'a mode behind a flag',
      (r, desk) => {
        gitAt(r, desk, 'update-index', '--assume-unchanged', ALPHA);
        chmodSync(join(desk, ALPHA), 0o755);
      },
    ],
  ],
  'ignored-precious': [
    ['large', (_r, desk) => writeFileSync(join(desk, 'a.log'), Buffer.alloc(17 * 1024 * 1024))],
    [
      'many',
      (_r, desk) => {
        mkdirSync(join(desk, 'scratch'));
        for (let at = 0; at <= 1000; at++) writeFileSync(join(desk, 'scratch', `${at}`), '');
      },
    ],
  ],
  'nested-repository': [
    [
      'in an ignored folder',
      (r, desk) => {
        mkdirSync(join(desk, 'scratch'));
        r.git('init', '-q', join(desk, 'scratch', 'clone'));
      },
    ],
    ['deep in node_modules', (r, desk) => r.git('init', '-q', join(desk, 'node_modules', 'a', 'b', 'c'))],
    [
      'a bare one',
      (r, desk) => {
        mkdirSync(join(desk, 'scratch'));
        r.git('init', '-q', '--bare', join(desk, 'scratch', 'store'));
      },
    ],
    ['among tracked files', (r, desk) => r.git('init', '-q', join(desk, 'wood'))],
    ['untracked', (r, desk) => r.git('init', '-q', join(desk, 'inner'))],
  ],
  'nested-worktree': [
    ['registered', (r, desk) => r.git('worktree', 'add', '-q', '--detach', join(desk, 'scratch', 'inner'))],
  ],
  'operation-in-progress': [
    [
      'a rebase at a break',
      (r, desk) =>
        r.gitWith({ cwd: desk, env: { GIT_SEQUENCE_EDITOR: 'echo break >' } }, 'rebase', '-q', '-i', 'HEAD~1'),
    ],
    ['a bisect', (r, desk) => gitAt(r, desk, 'bisect', 'start')],
    [
      'a merge that changes nothing',
      (r, desk) => {
        r.branch('other');
        r.change(BETA, 5, 'x');
        r.toMain();
        gitAt(r, desk, 'merge', '--no-commit', '-s', 'ours', 'other');
      },
    ],
  ],
  'index-locked': [['a lock file', (r) => writeFileSync(r.path('.git/worktrees/desk/index.lock'), '')]],
  'reflog-commits': [
    [
      'a reset',
      (r, desk) => {
        appendFileSync(join(desk, BETA), 'x\n');
        gitAt(r, desk, 'commit', '-q', '-a', '-m', 'dropped');
        gitAt(r, desk, 'reset', '-q', '--hard', 'HEAD~1');
      },
    ],
  ],
  'branch-elsewhere': [
    ['twice the same branch', (r) => r.git('worktree', 'add', '-q', '-f', join(r.places.root, 'second'), 'topic')],
  ],
  unmerged: [
    [
      'another commit',
      (r, desk) => {
        appendFileSync(join(desk, BETA), 'x\n');
        gitAt(r, desk, 'commit', '-q', '-a', '-m', 'more');
      },
    ],
  ],
  'detached-commits': [
    [
      'a commit nowhere else',
      (r, desk) => {
        gitAt(r, desk, 'checkout', '-q', '--detach');
        appendFileSync(join(desk, BETA), 'x\n');
        gitAt(r, desk, 'commit', '-q', '-a', '-m', 'detached');
      },
    ],
  ],
  'no-own-commits': [['at the base', (r, desk) => gitAt(r, desk, 'checkout', '-q', '-b', 'fresh', 'main')]],
  locked: [['with a reason', (r, desk) => r.git('worktree', 'lock', '--reason', 'on a stick', desk)]],
};

describe('a clean worktree of a merged branch', () => {
  it('would be removed', async () => {
    expect(await codesOf(() => {})).toMatchObject({ action: 'remove', holds: [], spent: ['landed'] });
  });

  it('so has one with what tools make again, copies of files, and few files of its own', async () => {
    const found = await codesOf((r, desk) => {
      for (const folder of ['node_modules/a', 'dist', '.venv/lib', 'wood/__pycache__'])
        mkdirSync(join(desk, folder), { recursive: true });
      writeFileSync(join(desk, 'node_modules/a/index.js'), 'x');
      writeFileSync(join(desk, 'dist/app.js'), 'x');
      writeFileSync(join(desk, '.venv/pyvenv.cfg'), 'home = /usr/bin\n');
      writeFileSync(join(desk, 'wood/__pycache__/a.pyc'), 'x');
      r.write('.env', 'SECRET=1\n');
      cpSync(r.path('.env'), join(desk, '.env'));
      writeFileSync(join(desk, 'a.log'), 'x');
      symlinkSync('/', join(desk, '.env.link'));
    });
    expect(found.holds).toEqual([]);
    expect(found.noted).toEqual(expect.arrayContaining(['rebuildable', 'duplicate', 'archived']));
  });

  it('so has one that was amended, and one that is detached at the merged commit', async () => {
    const amended = await codesOf((r, desk) => gitAt(r, desk, 'commit', '-q', '--amend', '-m', 'better'));
    expect(amended).toMatchObject({ holds: [], noted: expect.arrayContaining(['anchored']) });
    const detached = await codesOf((r, desk) => gitAt(r, desk, 'checkout', '-q', '--detach'));
    expect(detached).toMatchObject({ holds: [], spent: ['landed'] });
  });

  it('shows stash entries that were made on its branch', async () => {
    const found = await codesOf((r, desk) => {
      appendFileSync(join(desk, BETA), 'x\n');
      gitAt(r, desk, 'stash', '-q');
    });
    expect(found.noted).toContain('stash-entries');
  });
});

describe.each(Object.entries(HOLDS))('%s holds', (code, builds) => {
  it.each(builds)('%s', async (_title, build) => {
    const { holds } = await codesOf(build);
    expect(holds).toContain(code);
  });
});
