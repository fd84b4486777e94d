/** What lies in a worktree and is no part of it: other repositories, other worktrees, and mounts. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { canMount, mountBound, mountEmpty } from '../support/mounts.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { settings } from '../support/state.ts';
import {
  alone,
  type Build,
  codesIn,
  expectCodes,
  gitAt,
  landMore,
  rowOf,
  temporaryDesk,
  temporaryMerged,
  together,
} from '../support/worktree.ts';

const NESTED = ['nested-repository'];

/** A clone of the origin at `at`, and what happens in it. */
const clone =
  (at: string, happens: (r: Repository, inner: string) => void = () => {}): Build =>
  (r, desk) => {
    const inner = join(desk, at);
    r.git('clone', '-q', r.origin, inner);
    happens(r, inner);
  };

const committed = (r: Repository, inner: string) => {
  writeFileSync(join(inner, 'new'), 'x');
  gitAt(r, inner, 'add', 'new');
  gitAt(r, inner, 'commit', '-q', '-m', 'only here');
};

describe('another repository', () => {
  together(
    {
      'a clone among new files': { build: clone('inner'), holds: NESTED },
      'a clone with a commit of its own, in an ignored folder': {
        build: clone('scratch/inner', committed),
        holds: NESTED,
      },
      'a clone with nothing but a stash': {
        build: clone('scratch/inner', (r, inner) => {
          writeFileSync(join(inner, ALPHA), 'x');
          gitAt(r, inner, 'stash', '-q');
        }),
        holds: NESTED,
      },
      'a clone in node_modules': { build: clone('node_modules/a/b'), holds: NESTED, noted: ['rebuildable'] },
      'a clone in a virtual environment': {
        build: (r, desk) => {
          clone('.venv/src/tool', committed)(r, desk);
          writeFileSync(join(desk, '.venv/pyvenv.cfg'), 'home = /usr/bin\n');
        },
        holds: NESTED,
        noted: ['rebuildable'],
      },
      'a clone in a build folder': { build: clone('dist/pages'), holds: NESTED, noted: ['rebuildable'] },
      'a clone in a tagged cache folder': {
        build: (r, desk) => {
          r.git('init', '-q', join(desk, 'target/git/db'));
          const tag = join(desk, 'target/CACHEDIR.TAG');
          writeFileSync(tag, 'Signature: 8a477f597d28d172789f06886806bc55\n');
          utimesSync(tag, 4_000_000_000, 4_000_000_000);
        },
        holds: NESTED,
        noted: ['rebuildable'],
      },
      'an empty one': { build: (r, desk) => r.git('init', '-q', join(desk, 'scratch/inner')), holds: NESTED },
      'a bare one': {
        build: (r, desk) => r.git('clone', '-q', '--bare', r.origin, join(desk, 'scratch/store')),
        holds: NESTED,
      },
      'a bare one in node_modules': {
        build: (r, desk) => r.git('init', '-q', '--bare', join(desk, 'node_modules/.cache/store')),
        holds: NESTED,
        noted: ['rebuildable'],
      },
      'a bare one of which all is ignored but the folder': {
        build: (r, desk) => r.git('clone', '-q', '--bare', r.origin, join(desk, 'store')),
        holds: NESTED,
      },
      'a bare one among new files': {
        build: (r, desk) => r.git('init', '-q', '--bare', join(desk, 'inner')),
        holds: ['untracked'],
      },
      'one deep down': { build: clone(`scratch/${'a/'.repeat(40)}inner`), holds: NESTED },
      'two of them': {
        build: (r, desk) => {
          clone('scratch/one')(r, desk);
          clone('scratch/two')(r, desk);
        },
        holds: NESTED,
      },
      'one in a clone': {
        build: clone('inner', (r, inner) => r.git('init', '-q', join(inner, 'scratch'))),
        holds: NESTED,
      },
      'a worktree of another repository': {
        build: (r, desk) =>
          r.gitWith({ cwd: r.origin }, 'worktree', 'add', '-q', '--detach', join(desk, 'scratch/inner'), 'main'),
        holds: NESTED,
      },
      'a .git file that leads nowhere': {
        build: (_r, desk) => {
          mkdirSync(join(desk, 'scratch/inner'), { recursive: true });
          writeFileSync(join(desk, 'scratch/inner/.git'), 'gitdir: /nowhere\n');
        },
        holds: NESTED,
      },
      'a .git that is a link to a repository elsewhere': {
        build: (r, desk) => {
          mkdirSync(join(desk, 'scratch/inner'), { recursive: true });
          symlinkSync(r.path('.git'), join(desk, 'scratch/inner/.git'));
        },
        holds: NESTED,
      },
      'a repository that was made of a tracked folder': {
        build: (r, desk) => {
          gitAt(r, join(desk, 'wood'), 'init', '-q', '.');
          writeFileSync(join(desk, 'wood/new'), 'x');
        },
        holds: ['untracked', ...NESTED],
      },
      'a committed entry for a clone that only lies here': {
        build: clone('app', committed),
        holds: ['modified', ...NESTED],
      },
    },
    (r) => {
      r.write('.git/info/exclude', ['/store/*']);
      landMore(r, () => {
        const head = r.id('HEAD');
        r.git('update-index', '--add', '--cacheinfo', `160000,${head},app`);
        mkdirSync(r.path('app'));
      });
    },
  );

  it('is named, with what it holds', async () => {
    const { r, desk } = temporaryDesk();
    clone('scratch/inner', (_r, inner) => {
      committed(r, inner);
      writeFileSync(join(inner, BETA), 'x');
    })(r, desk);
    const told = rowOf(await look(r), 'desk').evidence.find(({ code }) => code === 'nested-repository')?.text;
    expect(told).toContain('scratch/inner');
    expect(told).toContain('1 commit');
    expect(told).toContain('1 edited file');
  });
});

describe('another worktree', () => {
  const inner = (at: string, happens: (r: Repository, path: string) => void = () => {}): Build => {
    return (r, desk) => {
      r.git('worktree', 'add', '-q', '--detach', join(desk, at), 'topic');
      happens(r, join(desk, at));
    };
  };

  alone('in an ignored folder', { build: inner('scratch/inner'), holds: ['nested-worktree'] });
  alone('among new files', { build: inner('inner'), holds: ['nested-worktree'] });
  alone('in node_modules', {
    build: inner('node_modules/inner'),
    holds: ['nested-worktree'],
    noted: ['rebuildable'],
  });
  alone('whose folder is gone', {
    build: inner('scratch/inner', (_r, path) => rmSync(path, { recursive: true })),
    holds: ['nested-worktree'],
  });
  alone('in whose place another repository stands', {
    build: inner('scratch/inner', (r, path) => {
      rmSync(path, { recursive: true });
      r.git('init', '-q', path);
    }),
    holds: ['nested-worktree'],
  });

  it('is judged on its own, beside the one around it', async () => {
    const { r, desk } = temporaryDesk();
    inner('scratch/inner', (_r, path) => writeFileSync(join(path, 'new'), 'x'))(r, desk);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['nested-worktree'] });
    expectCodes(codesIn(sweep, 'inner'), { holds: ['untracked'] });
  });

  it('is no other one whose name only begins alike', async () => {
    const { r, desk } = temporaryDesk();
    r.git('worktree', 'add', '-q', '--detach', `${desk}-2`, 'topic');
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), {});
    expectCodes(codesIn(sweep, 'desk-2'), {});
  });

  it('may be the main one', async () => {
    const { r, desk } = temporaryDesk();
    mkdirSync(join(desk, 'scratch'));
    renameSync(r.work, join(desk, 'scratch/work'));
    r.work = join(desk, 'scratch/work');
    r.git('worktree', 'repair', desk);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['current-worktree', 'nested-worktree'] });
  });
});

// Only root may mount, and not in every container.
describe.skipIf(!canMount)('a mount', () => {
  alone('of an empty file system', {
    build: (_r, desk) => mountEmpty(join(desk, 'scratch/mount')),
    holds: ['mount-inside'],
  });
  alone('whose name has a blank and a line feed', {
    build: (_r, desk) => mountEmpty(join(desk, 'scratch/a\nb c')),
    holds: ['mount-inside'],
  });
  alone('in what tools make again', {
    build: (_r, desk) => mountEmpty(join(desk, 'node_modules/.cache')),
    holds: ['mount-inside'],
    noted: ['rebuildable'],
  });
  alone('of a folder of the same file system', {
    build: (r, desk) => {
      const outside = join(r.places.root, 'outside');
      for (const folder of [outside, join(desk, 'scratch')]) mkdirSync(folder);
      writeFileSync(join(outside, 'file'), 'x');
      mountBound(outside, join(desk, 'scratch'));
    },
    holds: ['mount-inside'],
    noted: ['archived'],
  });
  alone('of a file over a tracked one', {
    build: (r, desk) => mountBound(r.path(BETA), join(desk, BETA)),
    holds: ['mount-inside'],
  });
  alone("over the worktree's own folder", {
    build: (_r, desk) => mountBound(desk, desk),
    holds: ['mount-inside', 'trash-unreachable'],
  });
  alone('beside it, with a name that begins alike', {
    build: (_r, desk) => mountEmpty(`${desk}-2`),
  });
  it('above all of it is none', async () => {
    const r = temporaryMerged();
    const far = join(r.places.root, 'far');
    mountEmpty(far, '8m');
    chmodSync(far, 0o755);
    r.git('worktree', 'add', '-q', join(far, 'desk'), 'topic');
    settings(r, `trash.path = "${far}/trash"\n`);
    expectCodes(codesIn(await look(r), 'desk'), {});
  });
});
