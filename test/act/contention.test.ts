/** What somebody does between the plan and the act: kept, and said. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applySweep as applySweepHere, type Applied } from '../../src/act/apply.ts';
import { APPLY, applySweep, journalOf, squashedRepository, standing, undo } from '../support/acts.ts';
import { type CliResult, runCli } from '../support/cli.ts';
import { startHolder } from '../support/lock-holder.ts';
import type { Repository } from '../support/repository.ts';
import { standInGit, withProgramsOf } from '../support/programs.ts';
import { makeState, settings, worldOf } from '../support/state.ts';

/** A sweep that acts, with `work` done between its first look and its second. */
async function between(r: Repository, work: () => void, fetch = false): Promise<Applied> {
  let looks = 0;
  const world = {
    ...worldOf(r, Date.now()),
    home: null,
    platform: process.platform,
    pid: process.pid,
    uptime: () => process.uptime(),
  };
  return applySweepHere(
    world,
    {
      directory: r.work,
      base: null,
      remote: null,
      fetch,
      kinds: null,
      budget: null,
      standingIn: [],
      measure: false,
      audit: false,
      named: null,
      unused: null,
      archiveUpTo: null,
      idle: 0,
      progress: (text) => {
        if (text === 'reading the repository' && ++looks === 2) work();
      },
    },
    { verb: 'sweep', of: (rows) => rows },
  );
}

function rowsOf({ json, stdout }: CliResult) {
  if (json?.schema !== 'coppice.sweep.v1') throw new Error(stdout);
  return json.rows;
}

const OPERATIONS: readonly (readonly [string, stays: boolean, (r: Repository) => void])[] = [
  [
    'a commit on it',
    true,
    (r) => r.git('update-ref', 'refs/heads/a', r.git('commit-tree', '-p', 'a', '-m', 'x', 'a^{tree}')),
  ],
  ['a checkout of it', true, (r) => r.worktree('desk', 'a')],
  ['a rebase of it', true, (r) => r.write('.git/rebase-merge/head-name', 'refs/heads/a\n')],
  ['a bisect that began on it', true, (r) => r.write('.git/BISECT_START', 'a\n')],
  ['a rename of it', false, (r) => r.git('branch', '-m', 'a', 'z')],
  ['a deletion of it by hand', false, (r) => r.git('branch', '-D', 'a')],
  ['a branch of its name made anew', true, (r) => r.git('update-ref', 'refs/heads/a', r.id('main~1'))],
  [
    'a revert of what was merged',
    true,
    (r) => {
      r.revert(r.git('log', '--format=%H', '--max-count=1', '--grep=^a ', 'main'));
      r.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    },
  ],
];

describe('between the plan and the act', () => {
  it.each(OPERATIONS)('%s', async (_title, stays, operation) => {
    const r = squashedRepository('a', 'b');
    const { outcomes } = await between(r, () => operation(r));
    const outcomeOf = (name: string) => outcomes.get(`branch:refs/heads/${name}`);
    expect(outcomeOf('a')).toMatchObject({ status: 'kept', undo: null });
    expect(outcomeOf('a')?.text).toMatch(/since it was looked at first|not there any more|checked-out/);
    expect(r.tryGit({}, 'rev-parse', '--verify', '--quiet', 'refs/heads/a').code === 0).toBe(stays);
    expect(journalOf(r)).toContain('sweep kept a');
    // With another base nothing is as it was judged.
    if (!_title.includes('revert')) expect(outcomeOf('b')?.status).toBe('done');
  });

  it('asks no remote a second time', async () => {
    const r = squashedRepository('a');
    const { outcomes, sweep } = await between(r, () => renameSync(r.origin, `${r.origin}.gone`), true);
    expect([sweep.fetch.status, outcomes.get('branch:refs/heads/a')?.status]).toEqual(['fresh', 'done']);
  });
});

describe('the lock', () => {
  it('lets one of two sweeps do it, and the other keeps what is gone', async () => {
    const r = squashedRepository('a', 'b');
    const before = standing(r);
    const both = await Promise.all([1, 2].map(() => runCli(APPLY, { cwd: r.work, env: r.env })));
    const statuses = both.flatMap((result) =>
      rowsOf(result).flatMap(({ kind, name, outcome }) =>
        kind === 'branch' && name !== 'main' ? [outcome?.status] : [],
      ),
    );
    expect(statuses.filter((status) => status === 'done')).toHaveLength(2);
    expect(statuses).not.toContain('failed');
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });

  it('that somebody holds for too long ends with 3, and nothing is changed', async () => {
    const r = squashedRepository('a');
    await applySweep(r);
    await undo(r, '--last');
    settings(r, 'lock.wait = "0s"\n');
    const before = standing(r);
    await startHolder(join(makeState(r), 'lock'), 'x');
    for (const words of [APPLY, ['undo', '--json', '--last'], ['purge', '--json', '--all', '--apply']]) {
      expect(await runCli(words, { cwd: r.work, env: r.env })).toMatchObject({
        code: 3,
        json: { code: 'locked-by-another', exit: 3 },
      });
    }
    expect(standing(r)).toEqual(before);
  });
});

it('a folder of the state that is not private is not used', async () => {
  const r = squashedRepository('a');
  writeFileSync(r.path('.git/coppice'), 'a file');
  const before = standing(r);
  expect(await runCli(APPLY, { cwd: r.work, env: r.env })).toMatchObject({ code: 2, json: { code: 'unsafe-folder' } });
  expect(standing(r)).toEqual(before);
});

describe('while what brings it back is written', () => {
  /** An environment in which `work` is done by plain git before git packs. */
  const whilePacking = (r: Repository, work: string) => {
    const body = `case "$*" in *pack-objects*) (unset GIT_CONFIG_COUNT; cd '${r.work}'; ${work}) ;; esac
exec "$GIT" "$@"`;
    return withProgramsOf(standInGit(r.places.root, body), r.env);
  };

  it('a branch that is moved and moved back stays, with the work that its reflog alone holds', async () => {
    const r = squashedRepository('a', 'b');
    const [tip, work] = [r.id('a'), r.git('commit-tree', '-p', 'a', '-m', 'work', 'a^{tree}')];
    const move = (to: string) => `GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@y "$GIT" update-ref refs/heads/a ${to}`;
    const { outcomes } = await applySweep(r, { env: whilePacking(r, `${move(work)}; ${move(tip)}`) });
    expect(outcomes.get('a')).toMatchObject({ status: 'kept', text: expect.stringContaining('and back'), undo: null });
    expect(outcomes.get('b')?.status).toBe('done');
    expect(r.id('a@{1}')).toBe(work);
  });
});

describe('a branch that comes back and is deleted by hand before its settings are there', () => {
  it.each([
    ['its name', 'a', []],
    ['another', 'again', ['--as', 'again']],
  ])('leaves nothing behind under %s, and can be had again', async (_title, name, words) => {
    const r = squashedRepository('a', 'b');
    r.git('config', 'branch.a.description', 'about a');
    const { outcomes } = await applySweep(r);
    const id = outcomes.get('a')?.undo?.split(' ')[2] ?? '';
    const gone = standing(r);
    const once = join(r.places.root, 'once');
    const body = `case "$*" in *'config --file -'*) test -e '${once}' || (touch '${once}'; "$GIT" -C '${r.work}' branch -D ${name} >&2) ;; esac
exec "$GIT" "$@"`;
    const env = withProgramsOf(standInGit(r.places.root, body), r.env);
    const first = await runCli(['undo', '--json', id, ...words], { cwd: r.work, env });
    expect(first).toMatchObject({
      code: 2,
      json: { code: 'not-restored', text: expect.stringContaining('took it away again') },
    });
    expect(standing(r)).toEqual(gone);
    expect((await undo(r, id, ...words)).code).toBe(0);
    expect(r.git('config', `branch.${name}.description`)).toBe('about a');
  });
});

it('a reflog with a commit that is damaged in part keeps its branch', async () => {
  const r = squashedRepository('b');
  r.branch('a');
  r.write('p', ['precious']);
  r.write('q', ['damaged']);
  r.commit('one');
  const [first, blob] = [r.id('HEAD'), r.id('HEAD:q')];
  r.git('rm', '-q', 'p', 'q');
  r.write('a.txt', ['a']);
  r.git('add', 'a.txt');
  r.amend();
  r.toMain();
  r.squash('a');
  r.publish();
  r.delete('.git/logs/HEAD');
  r.delete(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
  const { outcomes } = await applySweep(r);
  expect(outcomes.get('a')).toMatchObject({ status: 'kept', text: expect.stringContaining('not all that it reaches') });
  expect([r.id('a@{1}'), outcomes.get('b')?.status]).toEqual([first, 'done']);
});
