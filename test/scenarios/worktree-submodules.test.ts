/**
 * Submodules of a worktree. Their stores lie in its git directory and go with it: what only they hold keeps it, and
 * what their remotes have as well does not.
 */
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { Repository } from '../support/repository.ts';
import { withLibrary } from '../support/library.ts';
import { type Build, type Cases, expectUnseen, gitAt, together } from '../support/worktree.ts';

const OWN = ['submodule-commits'];

/** Checks the submodule out, lets something happen in it, and goes on. */
const inLib =
  (happens: (r: Repository, lib: string, desk: string) => void = () => {}, ...options: readonly string[]): Build =>
  (r, desk) => {
    gitAt(r, desk, 'submodule', '--quiet', 'update', '--init', ...options);
    happens(r, join(desk, 'lib'), desk);
  };

const commit = (r: Repository, lib: string) => {
  // No two alike, or what one worktree pushed would be no other one's own.
  appendFileSync(join(lib, 'file'), `own of ${lib}\n`);
  gitAt(r, lib, 'commit', '-q', '-a', '-m', 'own');
};
const back = (r: Repository, desk: string) => gitAt(r, desk, 'submodule', '--quiet', 'update');

const CASES: Cases = {
  'not checked out': { build: () => {} },
  'checked out, all of it on its remote': { build: inLib() },
  'checked out with its own submodule': { build: inLib(() => {}, '--recursive') },
  'at another commit that its remote has': {
    build: inLib((r, lib) => gitAt(r, lib, 'checkout', '-q', 'origin/main')),
    noted: ['submodule-drift'],
  },
  'at another commit, staged': {
    build: inLib((r, lib, desk) => {
      gitAt(r, lib, 'checkout', '-q', 'origin/main');
      gitAt(r, desk, 'add', 'lib');
    }),
    holds: ['staged'],
  },
  'with a commit of its own checked out': { build: inLib(commit), holds: OWN },
  'with a commit of its own, left again': {
    build: inLib((r, lib, desk) => {
      commit(r, lib);
      back(r, desk);
      expectUnseen(r, desk);
    }),
    holds: OWN,
  },
  'with a commit of its own on a branch, left again': {
    build: inLib((r, lib, desk) => {
      gitAt(r, lib, 'checkout', '-q', '-b', 'work');
      commit(r, lib);
      back(r, desk);
    }),
    holds: OWN,
  },
  'with a commit of its own, pushed': {
    build: inLib((r, lib, desk) => {
      commit(r, lib);
      gitAt(r, lib, 'push', '-q', 'origin', `HEAD:refs/heads/of-${desk.split('/').at(-1)}`);
      back(r, desk);
    }),
  },
  'with a stash': {
    build: inLib((r, lib) => {
      appendFileSync(join(lib, 'file'), 'x');
      gitAt(r, lib, 'stash', '-q');
    }),
    holds: OWN,
  },
  'with an edit': { build: inLib((_r, lib) => appendFileSync(join(lib, 'file'), 'x')), holds: OWN },
  'with an edit that is staged': {
    build: inLib((r, lib) => {
      appendFileSync(join(lib, 'file'), 'x');
      gitAt(r, lib, 'add', '--all');
    }),
    holds: OWN,
  },
  'with an edit behind a flag': {
    build: inLib((r, lib) => {
      gitAt(r, lib, 'update-index', '--skip-worktree', 'file');
      appendFileSync(join(lib, 'file'), 'x');
    }),
    holds: OWN,
  },
  'behind a flag, with a commit of its own': {
    build: inLib((r, lib, desk) => {
      commit(r, lib);
      gitAt(r, desk, 'update-index', '--skip-worktree', 'lib');
      expectUnseen(r, desk);
    }),
    holds: OWN,
  },
  'with a new file': { build: inLib((_r, lib) => writeFileSync(join(lib, 'new'), 'x')), holds: OWN },
  'with an ignored file': { build: inLib((_r, lib) => writeFileSync(join(lib, 'a.log'), 'x')), holds: OWN },
  'with a repository in it': { build: inLib((r, lib) => r.git('init', '-q', join(lib, 'x.log'))), holds: OWN },
  'with a bisect': { build: inLib((r, lib) => gitAt(r, lib, 'bisect', 'start')), holds: OWN },
  'whose own submodule has a commit': {
    build: inLib((r, lib) => {
      commit(r, join(lib, 'inner'));
      back(r, lib);
    }, '--recursive'),
    holds: OWN,
  },
  'whose own submodule has an edit': {
    build: inLib((_r, lib) => appendFileSync(join(lib, 'inner', 'file'), 'x'), '--recursive'),
    holds: OWN,
  },
  'whose folder is gone, and its store has a commit': {
    build: inLib((r, lib) => {
      commit(r, lib);
      rmSync(lib, { recursive: true });
    }),
    holds: OWN,
  },
  'no longer checked out, and its store has a commit': {
    build: inLib((r, lib, desk) => {
      commit(r, lib);
      gitAt(r, desk, 'submodule', '--quiet', 'deinit', '--force', 'lib');
    }),
    holds: OWN,
  },
  'no longer checked out, and its store has a stash': {
    build: inLib((r, lib, desk) => {
      appendFileSync(join(lib, 'file'), 'x');
      gitAt(r, lib, 'stash', '-q');
      gitAt(r, desk, 'submodule', '--quiet', 'deinit', '--force', 'lib');
    }),
    holds: OWN,
  },
  'no longer checked out, and its store has nothing of its own': {
    build: inLib((r, _lib, desk) => gitAt(r, desk, 'submodule', '--quiet', 'deinit', '--force', 'lib')),
  },
  'no longer checked out, with a file in its folder': {
    build: (_r, desk) => {
      mkdirSync(join(desk, 'lib'), { recursive: true });
      writeFileSync(join(desk, 'lib', 'file'), 'x');
    },
    holds: OWN,
  },
  'with its store in its own folder': {
    build: inLib((r, lib) => {
      const store = gitAt(r, lib, 'rev-parse', '--absolute-git-dir');
      rmSync(join(lib, '.git'));
      renameSync(store, join(lib, '.git'));
      r.git('config', '--file', join(lib, '.git', 'config'), '--unset', 'core.worktree');
    }),
    holds: ['nested-repository'],
  },
  'whose .git file leads nowhere': {
    build: inLib((_r, lib) => writeFileSync(join(lib, '.git'), 'gitdir: /nowhere\n')),
    holds: ['nested-repository'],
  },
  'in a folder that was moved': {
    build: inLib((_r, lib) => renameSync(lib, `${lib}-2`)),
    holds: ['modified', 'nested-repository'],
  },
  'whose store is damaged': {
    build: inLib((r, lib) => {
      const store = gitAt(r, lib, 'rev-parse', '--absolute-git-dir');
      rmSync(join(store, 'objects'), { recursive: true });
      if (!existsSync(join(store, 'HEAD'))) throw new Error('this is not the store');
    }),
    holds: ['probe-failed'],
  },
};

describe('a submodule', () => {
  together(CASES, withLibrary);
});

describe('a submodule that the settings tell git to pass over', () => {
  const hidden = [
    'with an edit',
    'with a new file',
    'with a commit of its own checked out',
    'at another commit, staged',
  ];
  together(Object.fromEntries(hidden.map((title) => [title, CASES[title] as Cases[string]])), (r) => {
    withLibrary(r);
    r.git('config', 'submodule.lib.ignore', 'all');
    r.git('config', 'diff.ignoreSubmodules', 'all');
    r.git('config', 'submodule.active', 'nothing');
  });
});
