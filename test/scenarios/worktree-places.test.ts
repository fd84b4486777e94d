/** Which folder is which: the main worktree and the caller's never go, and nothing is taken for what it is not. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, LOOK, look, runCli, sweepOf } from '../support/cli.ts';
import { canMount, mountBound } from '../support/mounts.ts';
import type { Repository } from '../support/repository.ts';
import {
  type Case,
  codesIn,
  expectCodes,
  gitAt,
  rowOf,
  temporaryDesk,
  temporaryMerged,
  together,
  type Wanted,
} from '../support/worktree.ts';

describe('the main worktree', () => {
  const states: Readonly<Record<string, (r: Repository) => void>> = {
    'on its main branch': () => {},
    'on a merged branch': (r) => r.git('checkout', '-q', '-b', 'merged', 'topic'),
    'with a detached HEAD': (r) => r.git('checkout', '-q', '--detach', 'topic'),
    'with core.bare turned on': (r) => r.git('config', 'core.bare', 'true'),
    'locked as if it were linked': (r) => r.write('.git/locked', ''),
    'in a folder named as a linked one is': (r) => {
      const place = join(r.places.root, 'elsewhere', 'desk');
      mkdirSync(join(place, '..'));
      renameSync(r.work, place);
      r.work = place;
      r.git('worktree', 'repair', join(r.places.root, 'desk'));
    },
  };
  it.each(Object.entries(states))('%s stays, asked from itself or from a linked one', async (_title, happens) => {
    const { r, desk } = temporaryDesk();
    happens(r);
    for (const cwd of [r.work, desk]) {
      const row = rowOf(await look(r, { cwd }), '@');
      expect(row.action).toBe('keep');
      expect(row.reason.code).toBe('main-worktree');
      expect(row.path).toBe(r.work);
    }
  });
});

describe('the worktree that the caller stands in', () => {
  const HERE: Wanted = { holds: ['current-worktree'] };
  const desks = () => {
    const { r, desk } = temporaryDesk();
    r.git('worktree', 'add', '-q', '--detach', `${desk}-2`, 'topic');
    mkdirSync(join(desk, 'scratch'));
    symlinkSync(desk, join(r.places.root, 'link'));
    symlinkSync(join(desk, 'wood'), join(r.places.root, 'deep'));
    return { r, desk };
  };
  const ways: Readonly<Record<string, (root: string) => Partial<CliOptions> & { readonly named?: string }>> = {
    'at its top': (root) => ({ cwd: join(root, 'desk') }),
    'in a folder below': (root) => ({ cwd: join(root, 'desk/wood') }),
    'in an ignored folder below': (root) => ({ cwd: join(root, 'desk/scratch') }),
    'through a link': (root) => ({ cwd: join(root, 'link/wood') }),
    'through a link to a folder below': (root) => ({ cwd: join(root, 'deep') }),
    'named by -C': (root) => ({ named: join(root, 'desk') }),
    'named by -C, below and not straight': (root) => ({ named: join(root, 'work/../link/wood/.') }),
    'standing there, with the main one named by -C': (root) => ({ cwd: join(root, 'desk'), named: join(root, 'work') }),
  };
  it('is known in whatever way it is named', async () => {
    const { r } = desks();
    for (const [title, way] of Object.entries(ways)) {
      const { named, ...options } = way(r.places.root);
      const args = named === undefined ? LOOK : [...LOOK, '-C', named];
      const sweep = sweepOf(await runCli(args, { cwd: r.work, env: r.env, ...options }));
      expect(rowOf(sweep, 'desk').reason.code, title).toBe('current-worktree');
      expectCodes(codesIn(sweep, 'desk'), HERE);
      expectCodes(codesIn(sweep, 'desk-2'), {});
    }
  });

  // Only root may mount, and not in every container.
  it.skipIf(!canMount)('is known by another name of its folder, too', async () => {
    const { r, desk } = desks();
    const other = join(r.places.root, 'other');
    mkdirSync(other);
    mountBound(desk, other);
    expectCodes(codesIn(await look(r, { cwd: join(other, 'wood') }), 'desk'), HERE);
  });

  it('is no other one whose name begins alike', async () => {
    const { r, desk } = desks();
    const sweep = await look(r, { cwd: `${desk}-2` });
    expectCodes(codesIn(sweep, 'desk'), {});
    expectCodes(codesIn(sweep, 'desk-2'), HERE);
  });

  it('is no other one whose name begins alike, when one is protected', async () => {
    const { r, desk } = desks();
    mkdirSync(join(r.places.home, '.config/coppice'), { recursive: true });
    writeFileSync(join(r.places.home, '.config/coppice/config.toml'), `[protect]\npaths = ["${desk}"]\n`);
    writeFileSync(join(desk, 'new'), '');
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['protected'] });
    expectCodes(codesIn(sweep, 'desk-2'), {});
  });
});

describe('pointers', () => {
  const admin = (r: Repository, desk: string) => r.path(`.git/worktrees/${basename(desk)}`);
  const relativeDot = (r: Repository, desk: string) =>
    writeFileSync(join(desk, '.git'), `gitdir: ${relative(desk, admin(r, desk))}\n`);
  const relativeBack = (r: Repository, desk: string) =>
    writeFileSync(join(admin(r, desk), 'gitdir'), `${relative(admin(r, desk), join(desk, '.git'))}\n`);
  together({
    'that are relative, in the folder': { build: relativeDot },
    'that are relative, in the git directory': { build: relativeBack },
    'that are relative, both': {
      build: (r, desk) => {
        relativeDot(r, desk);
        relativeBack(r, desk);
        writeFileSync(join(desk, 'new'), '');
      },
      holds: ['untracked'],
    },
    'of a copied folder are those of the first': {
      build: (_r, desk) => {
        cpSync(desk, `${desk}-2`, { recursive: true });
        writeFileSync(join(`${desk}-2`, 'new'), '');
      },
    },
    'of a copied folder, and the first is gone': {
      build: (_r, desk) => {
        cpSync(desk, `${desk}-2`, { recursive: true });
        rmSync(desk, { recursive: true });
      },
      holds: ['missing'],
    },
    'of a folder that git moved': { build: (r, desk) => r.git('worktree', 'move', desk, `${desk}-2`) },
    'whose way leads through a link': {
      build: (r, desk) => {
        symlinkSync(r.places.root, join(r.places.root, 'link'));
        writeFileSync(
          join(admin(r, desk), 'gitdir'),
          `${desk.replace(r.places.root, join(r.places.root, 'link'))}/.git\n`,
        );
      },
    },
    'of another system': {
      build: (r, desk) => writeFileSync(join(admin(r, desk), 'gitdir'), 'C:/Users/ash/desk/.git\n'),
      holds: ['pointer-broken'],
    },
    'that name the main worktree': {
      build: (r, desk) => writeFileSync(join(admin(r, desk), 'gitdir'), `${r.work}/.git\n`),
      holds: ['current-worktree', 'nested-worktree', 'wrong-occupant'],
    },
    'that name a folder of the main worktree': {
      build: (r, desk) => writeFileSync(join(admin(r, desk), 'gitdir'), `${r.work}/wood/.git\n`),
      holds: ['pointer-broken'],
    },
    'that name the root of all': {
      build: (r, desk) => writeFileSync(join(admin(r, desk), 'gitdir'), '/.git\n'),
      holds: ['pointer-broken'],
    },
    'that are empty': {
      build: (r, desk) => writeFileSync(join(admin(r, desk), 'gitdir'), ''),
      holds: ['pointer-broken'],
    },
    'of a clone that stands in its place, on the same branch': {
      build: (r, desk) => {
        rmSync(desk, { recursive: true });
        r.git('clone', '-q', r.work, desk);
        gitAt(r, desk, 'checkout', '-q', 'topic');
      },
      holds: ['wrong-occupant'],
    },
  });

  it('of two that were swapped', async () => {
    const { r, desk } = temporaryDesk();
    r.git('worktree', 'add', '-q', '--detach', `${desk}-2`, 'topic');
    renameSync(desk, `${desk}-3`);
    renameSync(`${desk}-2`, desk);
    renameSync(`${desk}-3`, `${desk}-2`);
    const sweep = await look(r);
    for (const name of ['desk', 'desk-2']) expectCodes(codesIn(sweep, name), { holds: ['wrong-occupant'] });
  });

  it('of two git directories that name one folder', async () => {
    const { r, desk } = temporaryDesk();
    cpSync(r.path('.git/worktrees/desk'), r.path('.git/worktrees/twin'), { recursive: true });
    writeFileSync(join(desk, 'new'), '');
    const sweep = await look(r);
    expect(codesIn(sweep, 'twin').holds).toContain('wrong-occupant');
    expect(codesIn(sweep, 'desk').holds).toContain('untracked');
  });
});

describe('two worktrees of one branch', () => {
  it('hold each other, and say where the other is', async () => {
    const { r, desk } = temporaryDesk();
    r.git('worktree', 'add', '-q', '--force', `${desk}-2`, 'topic');
    const sweep = await look(r);
    for (const [name, other] of [
      ['desk', `${desk}-2`],
      ['desk-2', desk],
    ] as const) {
      expectCodes(codesIn(sweep, name), { holds: ['branch-elsewhere'] });
      expect(rowOf(sweep, name).reason.text).toContain(other);
    }
  });

  it('hold each other, when one was moved under the other', async () => {
    const { r, desk } = temporaryDesk();
    const two = r.worktree('two', 'main', '--detach');
    r.tryGit({ cwd: two }, 'checkout', '-q', '--ignore-other-worktrees', '-B', 'topic', 'main');
    const sweep = await look(r);
    expect(codesIn(sweep, 'desk').holds).toContain('branch-elsewhere');
    expect(codesIn(sweep, 'two').holds).toContain('branch-elsewhere');
    expect(readFileSync(join(desk, '.git'), 'utf8')).toContain('worktrees/desk');
  });
});

describe('a worktree below the main one', () => {
  it('that lost its .git file is never answered for by the main one', async () => {
    const r = temporaryMerged();
    r.write('.git/info/exclude', ['/.trees']);
    r.git('worktree', 'add', '-q', r.path('.trees/desk'), 'topic');
    rmSync(r.path('.trees/desk/.git'));
    r.write('new in main', '');
    r.append('package.json', 'edited in main\n');
    const sweep = await look(r);
    const { state } = rowOf(sweep, 'desk');
    expectCodes(codesIn(sweep, 'desk'), { holds: ['pointer-broken'] });
    expect(state.changes).toMatchObject({ staged: null, unstaged: null, untracked: null, conflicted: null });
  });

  it('is judged by its own files, not by those of the main one', async () => {
    const r = temporaryMerged();
    r.git('worktree', 'add', '-q', r.path('desk'), 'topic');
    r.append('package.json', 'edited in main\n');
    r.write('new in main', '');
    expectCodes(codesIn(await look(r), 'desk'), {});
  });
});

describe('the name of the folder', () => {
  const names: Readonly<Record<string, Buffer>> = {
    'with blanks': Buffer.from(' my desk '),
    'with a line feed and what looks like a list of worktrees': Buffer.from('desk\nworktree x\nbranch y'),
    'with letters beyond ASCII': Buffer.from('Schreibtisch für später'),
    'that is no UTF-8': Buffer.from([0x61, 0xff, 0xfe]),
  };
  const moved = (r: Repository, desk: string, name: Buffer) => {
    const place = Buffer.concat([Buffer.from(`${desk} `), name]);
    renameSync(desk, place);
    writeFileSync(r.path(`.git/worktrees/${basename(desk)}/gitdir`), Buffer.concat([place, Buffer.from('/.git\n')]));
    return place;
  };
  const cases = Object.entries(names).flatMap(([title, name]): [string, Case][] => [
    [`${title}, and nothing in it`, { build: (r, desk) => void moved(r, desk, name) }],
    [
      `${title}, and a new file in it`,
      {
        build: (r, desk) => writeFileSync(Buffer.concat([moved(r, desk, name), Buffer.from('/new')]), ''),
        holds: ['untracked'],
      },
    ],
  ]);
  together(Object.fromEntries(cases));
});
