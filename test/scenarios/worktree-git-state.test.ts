/** What a worktree's own git directory tells of work that is not at its end: operations that were begun, and locks. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { type Build, codesIn, expectCodes, expectUnseen, gitAt, temporaryDesk, together } from '../support/worktree.ts';

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
      'a merge of notes, stopped by a conflict': {
        build: (r, desk) => {
          const name = desk.split('/').at(-1);
          for (const side of ['one', 'two'])
            gitAt(r, desk, 'notes', `--ref=${name}-${side}`, 'add', '-m', side, 'HEAD');
          expect(r.tryGit({ cwd: desk }, 'notes', `--ref=${name}-one`, 'merge', `${name}-two`).code).not.toBe(0);
          expectUnseen(r, desk);
          const kept = join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), 'NOTES_MERGE_WORKTREE');
          expect(existsSync(kept)).toBe(true);
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

describe('what is known of a worktree whose folder is gone', () => {
  const gone =
    (happens: Build): Build =>
    (r, desk) => {
      happens(r, desk);
      rmSync(desk, { recursive: true });
    };
  together({
    'when nothing else is': { build: gone(() => {}), holds: ['missing'] },
    'when it is locked': {
      build: gone((r, desk) => r.git('worktree', 'lock', '--reason', 'on a stick', desk)),
      holds: ['missing', 'locked'],
    },
    'when it was in the middle of a bisect': {
      build: gone(stopped('bisect', 'start')),
      holds: ['missing', ...IN_PROGRESS],
    },
    'when it dropped a commit': {
      build: gone((r, desk) => {
        edited(desk);
        gitAt(r, desk, 'commit', '-q', '-a', '-m', `of ${desk}`);
        gitAt(r, desk, 'reset', '-q', '--hard', 'HEAD~1');
      }),
      holds: ['missing', 'reflog-commits'],
    },
    'when its commit is detached': {
      build: gone((r, desk) => {
        gitAt(r, desk, 'checkout', '-q', '--detach');
        edited(desk);
        gitAt(r, desk, 'commit', '-q', '-a', '-m', `of ${desk}`);
      }),
      holds: ['missing', 'detached-commits'],
    },
  });
});
