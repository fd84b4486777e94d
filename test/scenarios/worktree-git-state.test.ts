/** What only a worktree's own git directory holds: operations that were begun, locks, and commits that no ref has. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import {
  type Build,
  codesIn,
  expectCodes,
  expectUnseen,
  gitAt,
  rowOf,
  temporaryDesk,
  together,
} from '../support/worktree.ts';

const IN_PROGRESS = ['operation-in-progress'];

/** A branch `other` of two commits that do not go together with topic. */
function withOther(r: Repository): void {
  r.branch('other', 'topic~1');
  r.change(ALPHA, 10, 'two');
  r.change(ALPHA, 10, 'three');
  r.toMain();
}

/** git, which is to stop half-way, and after which status is to be clean. */
const stopped =
  (...args: readonly string[]): Build =>
  (r, desk) => {
    r.tryGit({ cwd: desk }, ...args);
    expectUnseen(r, desk);
  };

/** git, which stops at a conflict; then all of it is taken back but the operation itself. */
const resolved =
  (...args: readonly string[]): Build =>
  (r, desk) => {
    expect(r.tryGit({ cwd: desk }, ...args).code).not.toBe(0);
    gitAt(r, desk, 'checkout', '-q', '--force', 'HEAD', '--', '.');
    expectUnseen(r, desk);
  };

const edited = (desk: string) => appendFileSync(join(desk, BETA), 'x\n');
const committed = (r: Repository, desk: string) => {
  edited(desk);
  r.clock.advance();
  gitAt(r, desk, 'commit', '-q', '-a', '-m', `of ${desk}`);
};

const rebase =
  (todo: string): Build =>
  (r, desk) => {
    r.tryGit({ cwd: desk, env: { GIT_SEQUENCE_EDITOR: todo } }, 'rebase', '-q', '-i', 'HEAD~1');
    expectUnseen(r, desk);
  };

describe('an operation in progress', () => {
  together(
    {
      'a rebase, stopped to edit': { build: rebase("sed -i -e '1s/pick/edit/'"), holds: IN_PROGRESS },
      'a rebase, stopped at a break': {
        build: rebase("sed -i -e '1s/^/break\\n/'"),
        holds: ['no-own-commits', ...IN_PROGRESS],
      },
      'a rebase, stopped by a command that failed': {
        build: stopped('rebase', '-q', '-x', 'false', 'HEAD~1'),
        holds: IN_PROGRESS,
      },
      'a rebase, stopped by a conflict': {
        build: (r, desk) => {
          expect(r.tryGit({ cwd: desk }, 'rebase', '-q', 'other').code).not.toBe(0);
        },
        holds: ['conflicted', 'detached-commits', ...IN_PROGRESS],
      },
      'a rebase by patches, stopped and taken back': {
        build: resolved('rebase', '-q', '--apply', 'other'),
        holds: ['detached-commits', ...IN_PROGRESS],
      },
      'a merge, stopped by a conflict': {
        build: (r, desk) => {
          expect(r.tryGit({ cwd: desk }, 'merge', '-q', 'other').code).not.toBe(0);
        },
        holds: ['conflicted', ...IN_PROGRESS],
      },
      'a merge, stopped and taken back': { build: resolved('merge', '-q', 'other'), holds: IN_PROGRESS },
      'a merge that changes nothing': {
        build: stopped('merge', '-q', '--no-commit', '-s', 'ours', 'other'),
        holds: IN_PROGRESS,
      },
      'a merge that put edits aside': {
        build: (r, desk) => {
          edited(desk);
          resolved('merge', '-q', '--autostash', 'other')(r, desk);
        },
        holds: IN_PROGRESS,
      },
      'a cherry-pick, stopped and taken back': { build: resolved('cherry-pick', 'other'), holds: IN_PROGRESS },
      'a cherry-pick of several, of which one was thrown away': {
        build: (r, desk) => {
          expect(r.tryGit({ cwd: desk }, 'cherry-pick', 'other~1', 'other').code).not.toBe(0);
          gitAt(r, desk, 'reset', '-q', '--hard');
          expect(existsSync(join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), 'sequencer'))).toBe(true);
        },
        holds: IN_PROGRESS,
      },
      'a revert': {
        build: (r, desk) => gitAt(r, desk, 'revert', '--no-commit', 'HEAD'),
        holds: ['staged', ...IN_PROGRESS],
      },
      'a revert that was taken back': {
        build: (r, desk) => {
          gitAt(r, desk, 'revert', '--no-commit', 'HEAD');
          gitAt(r, desk, 'checkout', '-q', 'HEAD', '--', '.');
          expectUnseen(r, desk);
        },
        holds: IN_PROGRESS,
      },
      'patches that did not apply': {
        build: (r, desk) => {
          const input = r.git('format-patch', '--stdout', 'other~2..other');
          expect(r.tryGit({ cwd: desk, input: `${input}\n` }, 'am', '-q').code).not.toBe(0);
          expectUnseen(r, desk);
        },
        holds: IN_PROGRESS,
      },
      'a bisect that was only begun': { build: stopped('bisect', 'start'), holds: IN_PROGRESS },
      'a bisect that is elsewhere by now': {
        build: (r, desk) => {
          gitAt(r, desk, 'bisect', 'start', 'HEAD', 'HEAD~3');
          expectUnseen(r, desk);
        },
        holds: ['no-own-commits', ...IN_PROGRESS],
      },
    },
    withOther,
  );
});

describe('a lock of git', () => {
  const lock =
    (name: string): Build =>
    (r, desk) =>
      writeFileSync(join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), name), '');
  together({
    'on its index': { build: lock('index.lock'), holds: ['index-locked'] },
    'on its HEAD': { build: lock('HEAD.lock'), holds: ['index-locked'] },
    'on its index, with edits': {
      build: (r, desk) => {
        edited(desk);
        lock('index.lock')(r, desk);
      },
      holds: ['index-locked', 'modified'],
    },
  });

  it('on the index of the main checkout holds no other', async () => {
    const { r } = temporaryDesk();
    writeFileSync(r.path('.git/index.lock'), '');
    expectCodes(codesIn(await look(r), 'desk'), {});
  });
});

describe('a detached HEAD', () => {
  const detached =
    (happens: Build, at = 'HEAD'): Build =>
    (r, desk) => {
      gitAt(r, desk, 'checkout', '-q', '--detach', at);
      happens(r, desk);
    };
  together(
    {
      'at merged work': { build: detached(() => {}) },
      'at a commit that nothing else has': { build: detached(committed), holds: ['detached-commits'] },
      'at a commit that a branch has, too': { build: detached(() => {}, 'other'), holds: ['detached-commits'] },
      'at a commit that a tag has, too': {
        build: detached((r, desk) => {
          committed(r, desk);
          gitAt(r, desk, 'tag', 'kept-by-a-tag');
        }),
        holds: ['detached-commits'],
      },
      'at an amended commit': {
        build: detached((r, desk) => {
          r.clock.advance();
          gitAt(r, desk, 'commit', '-q', '--amend', '-m', 'better');
        }),
      },
    },
    withOther,
  );
});

describe('commits that its reflog holds', () => {
  const DROPPED = ['reflog-commits'];
  const back = (r: Repository, desk: string) => gitAt(r, desk, 'reset', '-q', '--hard', 'HEAD~1');
  together(
    {
      'dropped by a reset': {
        build: (r, desk) => {
          committed(r, desk);
          back(r, desk);
        },
        holds: DROPPED,
      },
      'dropped by a reset, long before the last move': {
        build: (r, desk) => {
          committed(r, desk);
          back(r, desk);
          gitAt(r, desk, 'checkout', '-q', 'HEAD~1');
          gitAt(r, desk, 'checkout', '-q', '-');
        },
        holds: DROPPED,
      },
      'left by a checkout': {
        build: (r, desk) => {
          gitAt(r, desk, 'checkout', '-q', '--detach');
          committed(r, desk);
          gitAt(r, desk, 'checkout', '-q', '-');
        },
        holds: DROPPED,
      },
      'left when the branch was forced elsewhere': {
        build: (r, desk) => {
          committed(r, desk);
          gitAt(r, desk, 'checkout', '-q', '-B', gitAt(r, desk, 'symbolic-ref', '--short', 'HEAD'), 'HEAD~1');
        },
        holds: DROPPED,
      },
      'dropped, and a branch that stays has it': {
        build: (r, desk) => {
          committed(r, desk);
          gitAt(r, desk, 'branch', 'stays');
          back(r, desk);
        },
      },
      'dropped, and a tag has it': {
        build: (r, desk) => {
          committed(r, desk);
          gitAt(r, desk, 'tag', 'dropped');
          back(r, desk);
        },
      },
      'dropped, and a remote has it': {
        build: (r, desk) => {
          committed(r, desk);
          gitAt(r, desk, 'push', '-q', 'origin', 'HEAD:refs/heads/pushed');
          back(r, desk);
        },
      },
      'replaced by an amend': {
        build: (r, desk) => {
          r.clock.advance();
          gitAt(r, desk, 'commit', '-q', '--amend', '-m', 'better');
        },
        noted: ['anchored'],
      },
      'replaced by a rebase': {
        build: (r, desk) => {
          r.clock.advance();
          gitAt(r, desk, 'rebase', '-q', '--force-rebase', 'HEAD~1');
        },
        noted: ['anchored'],
      },
      'dropped, of which its branch knows nothing': {
        build: (r, desk) => {
          gitAt(r, desk, 'checkout', '-q', '--detach');
          committed(r, desk);
          gitAt(r, desk, 'checkout', '-q', '--detach', 'HEAD~1');
        },
        holds: DROPPED,
      },
    },
    withOther,
  );

  it('cannot be told when it is damaged', async () => {
    const { r } = temporaryDesk();
    writeFileSync(r.path('.git/worktrees/desk/logs/HEAD'), 'nothing of the kind\n');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['probe-failed'] });
  });
});

describe('the stash', () => {
  const stash = (...options: readonly string[]): Build => {
    return (r, desk) => {
      edited(desk);
      gitAt(r, desk, 'stash', 'push', '-q', ...options);
    };
  };
  const NOTED = { noted: ['stash-entries'] };
  const NOT_NOTED = { notNoted: ['stash-entries'] };
  together({
    'with nothing of this one': { build: () => {}, ...NOT_NOTED },
    'with an entry made here': { build: stash(), ...NOTED },
    'with an entry of new files, made here with words': {
      build: (r, desk) => {
        writeFileSync(join(desk, 'new'), 'x');
        stash('--include-untracked', '-m', 'for later')(r, desk);
      },
      ...NOTED,
    },
    'with an entry that only speaks of this one': {
      build: (r, desk) => {
        const name = gitAt(r, desk, 'symbolic-ref', '--short', 'HEAD');
        appendFileSync(r.path(BETA), 'x\n');
        r.git('stash', 'push', '-q', '-m', `WIP on ${name}: no`);
      },
      ...NOT_NOTED,
    },
  });
});

describe('refs of its own', () => {
  it('are noted by name', async () => {
    const { r, desk } = temporaryDesk();
    committed(r, desk);
    gitAt(r, desk, 'update-ref', 'refs/worktree/mine', 'HEAD');
    gitAt(r, desk, 'update-ref', 'refs/bisect/bad', 'HEAD');
    const told = rowOf(await look(r), 'desk').evidence.find(({ code }) => code === 'anchored')?.text;
    expect(told).toMatch(/refs\/worktree.*refs\/bisect/);
  });
});
