/** Branches that a worktree uses, in whatever way: they stay, merged or not, unless the worktree would go before them. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { also, goes, scenario, stays } from '../support/scenario.ts';

const used = stays('checked-out', 'branch-elsewhere');

/** `topic`, squashed into main and gone on the remote; ends on main. */
function squashed(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  r.squash('topic');
  r.gone('topic');
}

/** The same, merged truly. */
function merged(r: Repository): void {
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.toMain();
  r.merge('topic');
  r.gone('topic');
}

describe('a merged branch', () => {
  scenario(
    'is checked out in the clone',
    { topic: used },
    (r) => {
      squashed(r);
      r.publish();
      r.checkout('topic');
    },
    { publish: false },
  );

  scenario('is checked out in a worktree that would go, too', { topic: goes('ancestor') }, (r) => {
    merged(r);
    r.worktree('desk', 'topic');
  });

  scenario('is checked out in two worktrees, which hold each other', { topic: used }, (r) => {
    merged(r);
    r.worktree('desk', 'topic');
    r.worktree('other', 'topic', '--force');
  });

  scenario('is checked out in a worktree with edits', { topic: used }, (r) => {
    squashed(r);
    writeFileSync(join(r.worktree('desk', 'topic'), BETA), 'work\n');
  });

  scenario('is checked out in a worktree with an ignored file', { topic: goes('landed') }, (r) => {
    r.write('.gitignore', ['.env']);
    r.commit('ignore');
    squashed(r);
    writeFileSync(join(r.worktree('desk', 'topic'), '.env'), 'SECRET=1\n');
  });

  scenario('is checked out in a locked worktree', { topic: used }, (r) => {
    squashed(r);
    r.git('worktree', 'lock', '--reason', 'on a stick', r.worktree('desk', 'topic'));
  });

  scenario('is checked out in a worktree whose folder is not there', { topic: used }, (r) => {
    merged(r);
    rmSync(r.worktree('desk', 'topic'), { recursive: true });
  });

  scenario('is checked out in a worktree whose folder was moved by hand', { topic: used }, (r) => {
    merged(r);
    const desk = r.worktree('desk', 'topic');
    renameSync(desk, `${desk}-moved`);
  });

  scenario('is checked out in a worktree whose folder is a file now', { topic: used }, (r) => {
    merged(r);
    const desk = r.worktree('desk', 'topic');
    rmSync(desk, { recursive: true });
    writeFileSync(desk, 'not a folder\n');
  });

  scenario('is checked out in two worktrees', { topic: used }, (r) => {
    squashed(r);
    r.worktree('desk', 'topic');
    r.worktree('bench', 'topic', '--force');
  });

  scenario('is checked out in a worktree with a name that no line holds', { topic: goes('landed') }, (r) => {
    squashed(r);
    r.worktree('a desk\nbranch refs/heads/other', 'topic');
  });

  scenario('is only the commit of a detached worktree', { topic: goes('landed') }, (r) => {
    squashed(r);
    r.worktree('desk', 'topic', '--detach');
  });

  scenario('is being rebased in a worktree', { topic: used }, (r) => {
    squashed(r);
    const desk = r.worktree('desk', 'topic');
    const stop = { cwd: desk, env: { GIT_SEQUENCE_EDITOR: "sed -i -e '1s/pick/edit/'" } };
    r.tryGit(stop, 'rebase', '--quiet', '--interactive', 'HEAD~2');
    expect(r.gitWith({ cwd: desk }, 'status').toString()).toContain('rebase in progress');
  });

  scenario('is being rebased with the other backend, stopped by a conflict', { topic: used }, (r) => {
    squashed(r);
    r.change(ALPHA, 20, 'main knew better');
    const desk = r.worktree('desk', 'topic');
    expect(r.tryGit({ cwd: desk }, 'rebase', '--apply', '--quiet', 'main').code).not.toBe(0);
    expect(r.tryGit({ cwd: desk }, 'symbolic-ref', '--quiet', 'HEAD').code).toBe(1);
  });

  scenario(
    'is being rebased in the clone',
    { topic: used },
    (r) => {
      squashed(r);
      r.publish();
      r.checkout('topic');
      r.tryGit(
        { env: { GIT_SEQUENCE_EDITOR: "sed -i -e '1s/pick/edit/'" } },
        'rebase',
        '--quiet',
        '--interactive',
        'HEAD~2',
      );
      expect(r.tryGit({}, 'symbolic-ref', '--quiet', 'HEAD').code).toBe(1);
    },
    { publish: false },
  );

  scenario(
    'waits for the end of a rebase that takes it along',
    { topic: used, top: also(stays('unmerged'), 'checked-out') },
    (r) => {
      squashed(r);
      const desk = r.worktree('desk', 'topic', '-b', 'top');
      writeFileSync(join(desk, 'top.txt'), 'top\n');
      r.gitWith({ cwd: desk }, 'add', '--all');
      r.gitWith({ cwd: desk }, 'commit', '--quiet', '--message=top');
      const stop = { cwd: desk, env: { GIT_SEQUENCE_EDITOR: "sed -i -e '1s/pick/edit/'" } };
      r.tryGit(stop, 'rebase', '--quiet', '--interactive', '--update-refs', 'HEAD~3');
      const waiting = readFileSync(join(r.work, '.git/worktrees/desk/rebase-merge/update-refs'), 'utf8');
      expect(waiting).toContain('refs/heads/topic');
    },
  );

  scenario('is where a bisection in a worktree began', { topic: used }, (r) => {
    squashed(r);
    const desk = r.worktree('desk', 'topic');
    r.gitWith({ cwd: desk }, 'bisect', 'start', 'HEAD', 'HEAD~2');
    expect(r.tryGit({ cwd: desk }, 'symbolic-ref', '--quiet', 'HEAD').code).toBe(1);
  });

  scenario(
    'is where a bisection in the clone began',
    { topic: used },
    (r) => {
      squashed(r);
      r.publish();
      r.checkout('topic');
      r.git('bisect', 'start', 'HEAD', 'HEAD~2');
    },
    { publish: false },
  );

  scenario('has a merge open in a worktree', { topic: used }, (r) => {
    squashed(r);
    r.change(ALPHA, 10, 'main knew better');
    const desk = r.worktree('desk', 'topic');
    expect(r.tryGit({ cwd: desk }, 'merge', 'main').code).not.toBe(0);
  });
});

describe('asked from elsewhere', () => {
  const mine = { topic: goes('landed'), mine: stays('no-own-commits', 'checked-out') };

  scenario(
    'in a linked worktree',
    mine,
    (r) => {
      squashed(r);
      r.publish();
      r.work = r.worktree('desk', 'main', '-b', 'mine');
    },
    { publish: false },
  );

  scenario(
    'in a folder below a linked worktree',
    mine,
    (r) => {
      squashed(r);
      r.publish();
      r.work = join(r.worktree('desk', 'main', '-b', 'mine'), 'wood');
    },
    { publish: false },
  );

  scenario(
    'in a worktree of a bare repository',
    { ...mine, main: stays('protected', 'default-branch') },
    (r) => {
      squashed(r);
      r.publish();
      const bare = join(r.places.root, 'bare.git');
      renameSync(join(r.work, '.git'), bare);
      r.work = bare;
      r.git('config', 'core.bare', 'true');
      r.work = r.worktree('desk', 'main', '-b', 'mine');
    },
    { publish: false },
  );

  scenario(
    'in a bare repository itself',
    { topic: goes('landed') },
    (r) => {
      squashed(r);
      r.publish();
      const bare = join(r.places.root, 'bare.git');
      renameSync(join(r.work, '.git'), bare);
      r.work = bare;
      r.git('config', 'core.bare', 'true');
    },
    { publish: false },
  );

  scenario(
    'in a worktree with a configuration of its own',
    mine,
    (r) => {
      squashed(r);
      r.publish();
      r.git('config', 'extensions.worktreeConfig', 'true');
      r.work = r.worktree('desk', 'main', '-b', 'mine');
      r.git('config', '--worktree', 'diff.external', 'false');
    },
    { publish: false },
  );

  scenario('beside a folder that only looks like a worktree', { topic: goes('landed') }, (r) => {
    squashed(r);
    mkdirSync(join(r.places.root, 'desk'));
    writeFileSync(join(r.places.root, 'desk', '.git'), `gitdir: ${r.work}/.git/worktrees/desk\n`);
  });

  scenario(
    'while the admin folder of a worktree is damaged',
    { other: stays('checked-out', 'branch-elsewhere', 'probe-failed') },
    (r) => {
      merged(r);
      r.git('branch', 'other', 'topic');
      r.worktree('desk', 'other');
      rmSync(join(r.work, '.git', 'worktrees', 'desk', 'gitdir'));
    },
  );
});
