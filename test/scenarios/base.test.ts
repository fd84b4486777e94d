/** The branch that work is merged into: named by the remote, never guessed. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, LOOK, look, runCli, sweepOf } from '../support/cli.ts';
import { ALPHA, BETA, type Repository, temporaryRepository } from '../support/repository.ts';
import { expectVerdicts, goes, scenario, stays } from '../support/scenario.ts';

const known = { topic: goes('landed'), other: stays('unmerged') };
const unknown = { topic: stays('base-unknown'), other: stays('base-unknown') };

/** `topic` squashed into main, `other` not; ends on main. */
function pair(r: Repository): void {
  r.branch('other');
  r.change(BETA, 10, 'other');
  r.toMain();
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  r.squash('topic');
}

describe('without a remote', () => {
  scenario(
    'it is main, checked out',
    known,
    (r) => {
      pair(r);
      r.git('remote', 'remove', 'origin');
    },
    { publish: false },
  );

  scenario(
    'it is master, checked out beside a main',
    known,
    (r) => {
      pair(r);
      r.git('branch', 'main', 'other');
      r.git('remote', 'remove', 'origin');
    },
    { start: { main: 'master' }, publish: false },
  );

  scenario(
    'it is the only one that bears such a name',
    { topic: goes('landed'), other: stays('unmerged', 'checked-out') },
    (r) => {
      pair(r);
      r.checkout('other');
      r.git('remote', 'remove', 'origin');
    },
    { publish: false },
  );

  scenario(
    'it is none of two that bear such names',
    { topic: stays('base-unknown') },
    (r) => {
      pair(r);
      r.git('branch', 'trunk', 'other');
      r.checkout('other');
      r.git('remote', 'remove', 'origin');
    },
    { publish: false },
  );

  scenario(
    'it is not just any branch',
    unknown,
    (r) => {
      pair(r);
      r.git('branch', '--move', 'main', 'work-in-progress');
      r.git('remote', 'remove', 'origin');
    },
    { publish: false },
  );
});

describe('with a remote', () => {
  scenario(
    'that has no HEAD here, it is the only main',
    known,
    (r) => {
      pair(r);
      r.publish();
      r.git('remote', 'set-head', 'origin', '--delete');
    },
    { publish: false },
  );

  scenario(
    'that has no HEAD here and both main and master, it is unknown',
    { topic: stays('base-unknown') },
    (r) => {
      pair(r);
      r.publish();
      r.git('push', '--quiet', 'origin', 'other:refs/heads/master');
      r.git('remote', 'set-head', 'origin', '--delete');
    },
    { publish: false },
  );

  scenario(
    'that has no HEAD here and no such name, it is unknown',
    unknown,
    (r) => {
      pair(r);
      r.git('branch', '--move', 'main', 'work');
      r.main = 'work';
      r.track('work');
    },
    { publish: false },
  );

  scenario(
    'whose HEAD here names a branch that is not there, it is the only main',
    known,
    (r) => {
      pair(r);
      r.publish();
      r.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/gone');
    },
    { publish: false },
  );

  scenario(
    'it is what HEAD names, not what is called main',
    { topic: stays('unmerged'), other: goes('landed') },
    (r) => {
      pair(r);
      r.publish();
      r.branch('release-train', 'HEAD~1');
      r.squash('other');
      r.track('release-train');
      r.git('remote', 'set-head', 'origin', 'release-train');
      r.toMain();
    },
    { publish: false },
  );

  scenario(
    'it is not the local main',
    { topic: stays('merged-locally', 'unmerged') },
    (r) => {
      r.publish();
      pair(r);
    },
    { publish: false },
  );

  scenario(
    'that was never fetched, nothing is known',
    unknown,
    (r) => {
      pair(r);
    },
    { publish: false },
  );
});

describe('with several remotes', () => {
  scenario(
    'it is that of origin',
    known,
    (r) => {
      pair(r);
      r.publish();
      r.git('remote', 'add', 'fork', r.origin);
      r.git('update-ref', 'refs/remotes/fork/main', 'other');
      r.git('symbolic-ref', 'refs/remotes/fork/HEAD', 'refs/remotes/fork/main');
    },
    { publish: false },
  );

  scenario(
    'none of them called origin, it is unknown',
    unknown,
    (r) => {
      pair(r);
      r.publish();
      r.git('remote', 'rename', 'origin', 'upstream');
      r.git('remote', 'add', 'fork', r.origin);
      r.git('update-ref', 'refs/remotes/fork/main', 'other');
    },
    { publish: false },
  );

  scenario(
    'with a slash in its name, the only one counts',
    known,
    (r) => {
      pair(r);
      r.publish();
      r.git('remote', 'rename', 'origin', 'company/upstream');
    },
    { publish: false },
  );

  it('--remote chooses', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    r.git('remote', 'rename', 'origin', 'upstream');
    r.git('remote', 'add', 'fork', r.origin);
    r.git('update-ref', 'refs/remotes/fork/main', 'other');
    const run = await runCli([...LOOK, '--remote', 'upstream'], { cwd: r.work, env: r.env });
    expectVerdicts(branchesOf(sweepOf(run)), known);
  });
});

describe('named by the caller', () => {
  it('--base decides', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    const run = await runCli([...LOOK, '--base', 'refs/heads/other'], { cwd: r.work, env: r.env });
    const sweep = sweepOf(run);
    expect(sweep.repository.base).toMatchObject({ ref: 'refs/heads/other', oid: r.id('other'), how: 'option' });
    expect(branchesOf(sweep).get('topic')?.action).toBe('keep');
    expect(branchesOf(sweep).get('other')?.action).toBe('keep');
  });

  it.each(['refs/heads/none', '-D', '', 'main..other', 'main:wood', 'HEAD~1', '@{-1}'])(
    '--base %j is refused',
    async (base) => {
      const r = temporaryRepository();
      pair(r);
      r.publish();
      const run = await runCli([...LOOK, `--base=${base}`], { cwd: r.work, env: r.env });
      expect([2, 64]).toContain(run.code);
      expect(run.json?.schema).toBe('coppice.error.v1');
    },
  );
});

describe('the document', () => {
  it('says what was judged by', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    const sweep = await look(r);
    expect(sweep.mode).toBe('dry-run');
    expect(sweep.repository).toEqual({
      path: r.work,
      rootCommit: r.git('rev-list', '--max-parents=0', 'HEAD'),
      base: { ref: 'refs/remotes/origin/main', oid: r.id('main'), how: 'tracking-head' },
    });
    expect(sweep.fetch.status).toBe('skipped');
    expect(sweep.totals).toMatchObject({ rows: sweep.rows.length, acting: 1, kept: sweep.rows.length - 1 });
    expect(branchesOf(sweep).get('topic')).toMatchObject({
      id: 'branch:refs/heads/topic',
      kind: 'branch',
      name: 'topic',
      state: { head: r.id('topic'), upstream: null, worktree: null },
    });
    expect(sweep.rows.filter((row) => row.kind === 'worktree').map((row) => row.id)).toContain('worktree:@');
  });

  it('is in the same order each time: worktrees, then branches by name', async () => {
    const r = temporaryRepository();
    pair(r);
    r.worktree('desk', 'other');
    r.publish();
    const kinds = (await look(r)).rows.map((row) => row.kind);
    expect(kinds).toEqual([...kinds].sort().reverse());
    expect(kinds).toContain('worktree');
  });

  it('writes the home folder as ~', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    const inHome = join(r.places.home, 'work');
    renameSync(r.work, inHome);
    r.work = inHome;
    expect((await look(r)).repository.path).toBe('~/work');
  });
});
