/** Commits that only a worktree's own git directory holds: at its HEAD, in its reflog, in refs of its own; and the stash. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { type Build, codesIn, expectCodes, gitAt, rowOf, temporaryDesk, together } from '../support/worktree.ts';

/** A branch `other` of two commits that do not go together with topic. */
function withOther(r: Repository): void {
  r.branch('other', 'topic~1');
  r.change(ALPHA, 10, 'two');
  r.change(ALPHA, 10, 'three');
  r.toMain();
}

const edited = (desk: string) => appendFileSync(join(desk, BETA), 'x\n');
const committed = (r: Repository, desk: string) => {
  edited(desk);
  r.clock.advance();
  gitAt(r, desk, 'commit', '-q', '-a', '-m', `of ${desk}`);
};

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
      'left when the branch was moved from elsewhere': {
        build: (r, desk) => {
          committed(r, desk);
          r.git('update-ref', gitAt(r, desk, 'symbolic-ref', 'HEAD'), 'topic');
          gitAt(r, desk, 'reset', '-q', '--hard');
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
