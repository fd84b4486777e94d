/** What happens to a worktree while it is moved into the trash: it is put back, or waits there whole, and that is said. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalOf, runPrinted, standing, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { occupiedBy } from '../support/occupied-by.ts';
import { quoted, standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';
import { heldBy, retire, treesIn, wholeOf } from '../support/retired.ts';
import { stateOf } from '../support/state.ts';
import { gitAt, temporaryDesk } from '../support/worktree.ts';

/** An environment in which `script` is run once, in the tree, when git is asked about it in the trash. */
function meanwhile(r: Repository, script: string) {
  const once = quoted(join(r.places.root, 'once'));
  const body = `case "$PWD" in
*/coppice/trash/*) if mkdir ${once} 2>/dev/null; then ( exec >/dev/null 2>&1 </dev/null; unset $(env | sed -n 's/^\\(GIT_[A-Z_]*\\)=.*/\\1/p'); GIT=${quoted('git')}; PATH=/usr/bin:/bin:/usr/local/bin
${script}
); fi ;;
esac
exec "$GIT" "$@"`;
  return withProgramsOf(standInGit(r.places.root, body), r.env);
}

const MOVED: Readonly<Record<string, readonly [script: (r: Repository, desk: string) => string, why: RegExp]>> = {
  'a new file': [() => 'echo new > new.txt', /untracked, while it was moved/],
  'an edit of a tracked file': [() => 'echo more >> package.json', /modified, while it was moved/],
  'an ignored file that nothing makes again': [() => 'echo S=1 > .env', /changed while it was moved|ignored-precious/],
  'a repository in it': [() => 'git init -q node_modules/inner', /nested-repository/],
  'its branch goes on': [
    (r) => `git -C ${quoted(r.work)} update-ref refs/heads/topic main`,
    /its branch was moved while it was moved/,
  ],
  'its branch is deleted': [
    (r) => `git -C ${quoted(r.work)} update-ref -d refs/heads/topic`,
    /staged|its branch was moved while it was moved/,
  ],
  'something is staged by its git directory': [
    (r) => `echo x > x; git --git-dir=${quoted(r.path('.git/worktrees/desk'))} --work-tree=. add x; rm x`,
    /staged|modified|changed/,
  ],
  'a lock of its index': [(r) => `: > ${quoted(r.path('.git/worktrees/desk/index.lock'))}`, /index-locked/],
  'its lock is taken away': [(r) => `rm ${quoted(r.path('.git/worktrees/desk/locked'))}`, /lock was taken away/],
};

describe('while it is moved', () => {
  it.each(Object.entries(MOVED))('%s: it is put back', async (title, [script, why]) => {
    const { r, desk } = temporaryDesk();
    const [before, held, own] = [wholeOf(desk), heldBy(r, desk), standing(r)];
    const { outcome, sweep } = await retire(r, desk, { env: meanwhile(r, script(r, desk)) });
    expect(outcome).toMatchObject({ status: 'kept', text: expect.stringMatching(why), undo: null });
    expect(sweep.rows.find(({ id }) => id === 'branch:refs/heads/topic')?.outcome?.status ?? 'kept').toBe('kept');
    const after = wholeOf(desk);
    for (const [path, line] of before)
      if (path !== '.' && !(title.startsWith('an edit') && path === 'package.json')) expect(after.get(path)).toBe(line);
    if (!title.includes('staged') && !title.includes('index')) expect(heldBy(r, desk)).toEqual(held);
    expect(treesIn(r)).toEqual([]);
    expect(existsSync(r.path('.git/worktrees/desk/locked'))).toBe(false);
    expect(r.git('for-each-ref', 'refs/coppice')).toBe('');
    if (!title.startsWith('its branch')) expect(standing(r)).toEqual(own);
    expect((await undo(r, '--last')).json).toMatchObject({ code: 'nothing-to-undo' });
  });

  it('a process that starts to work in it follows the move, and keeps it', async () => {
    const { r, desk } = temporaryDesk();
    const before = wholeOf(desk);
    const occupant = occupiedBy(r);
    const { outcome } = await retire(r, desk, { env: meanwhile(r, occupant.script) });
    occupant.end();
    expect(outcome).toMatchObject({ status: 'kept', text: expect.stringContaining('process-inside') });
    expect(wholeOf(desk)).toEqual(before);
  });

  it('git prunes, and collects: neither gets in the way', async () => {
    const { r, desk } = temporaryDesk();
    // Else it would take old entries out of the reflog, and that is a change.
    for (const key of ['gc.reflogExpire', 'gc.reflogExpireUnreachable']) r.git('config', key, 'never');
    const before = wholeOf(desk);
    const git = `git -C ${quoted(r.work)}`;
    const { outcome } = await retire(r, desk, {
      env: meanwhile(r, `${git} worktree prune; ${git} gc --quiet --prune=now; ${git} worktree prune`),
    });
    expect([outcome.status, outcome.text]).toEqual(['done', expect.any(String)]);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(wholeOf(desk)).toEqual(before);
  });

  it('a folder that is made in its place is left alone', async () => {
    const { r, desk } = temporaryDesk();
    const { outcome } = await retire(r, desk, { env: meanwhile(r, `mkdir ${quoted(desk)}`) });
    expect(outcome.status).toBe('done');
    expect((await undo(r, '--last')).code).toBe(2);
    const id = outcome.undo?.split(' ')[2] ?? '';
    expect((await undo(r, id, '--to', `${desk}-2`)).code).toBe(0);
    expect([existsSync(desk), gitAt(r, `${desk}-2`, 'branch', '--show-current')]).toEqual([true, 'topic']);
  });

  it('when it cannot be put back, because something is in its place, both are named and nothing is lost', async () => {
    const { r, desk } = temporaryDesk();
    const { outcome, code } = await retire(r, desk, {
      env: meanwhile(r, `echo new > new.txt; mkdir ${quoted(desk)}; echo other > ${quoted(join(desk, 'other'))}`),
    });
    const [entry = ''] = treesIn(r);
    expect([code, outcome.status]).toEqual([2, 'failed']);
    for (const part of ['rollback-blocked', desk, join(stateOf(r, 'trash', entry), 'tree')])
      expect(outcome.text).toContain(part);
    const id = outcome.undo?.split(' ')[2] ?? '';
    expect((await undo(r, id)).json).toMatchObject({ code: 'path-taken' });
    expect((await runPrinted(r, outcome.undo)).code).toBe(0);
    expect(readFileSync(join(`${desk}-2`, 'new.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(desk, 'other'), 'utf8')).toBe('other\n');
    expect(gitAt(r, `${desk}-2`, 'status', '--porcelain')).toBe('?? new.txt');
  });
});

it('a lock that somebody sets between the look and the move keeps it', async () => {
  const { r, desk } = temporaryDesk();
  // The last thing that git is asked before.
  const once = quoted(join(r.places.root, 'once'));
  const locked = quoted(r.path('.git/worktrees/desk/locked'));
  const begun = quoted(r.path('.git/coppice/journal'));
  const body = `if [ -d ${begun} ] && mkdir ${once} 2>/dev/null; then echo mine > ${locked}; fi
exec "$GIT" "$@"`;
  const { outcome } = await retire(r, desk, { env: withProgramsOf(standInGit(r.places.root, body), r.env) });
  expect(outcome.status).toBe('kept');
  expect(readFileSync(r.path('.git/worktrees/desk/locked'), 'utf8')).toBe('mine\n');
});

it.each([
  ['commits', '"$GIT" commit -q --allow-empty -m mine'],
  ['commits without a branch', '"$GIT" checkout -q --detach; "$GIT" commit -q --allow-empty -m mine'],
  ['commits on another branch', '"$GIT" checkout -q -b mine; "$GIT" commit -q --allow-empty -m mine'],
])('who %s in it as soon as it is back keeps it, with that', async (_title, script) => {
  const { r, desk } = temporaryDesk();
  await retire(r, desk);
  const [once, said] = ['once', 'said'].map((name) => quoted(join(r.places.root, name)));
  const clean = `unset $(env | sed -n 's/^\\(GIT_[A-Z_]*\\)=.*/\\1/p'); export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a`;
  const body = `case "$*" in *--show-toplevel*) if [ -d ${quoted(desk)} ] && mkdir ${once} 2>/dev/null; then
  ( ${clean}; cd ${quoted(desk)}; ${script}; "$GIT" rev-parse HEAD > ${said} ) >/dev/null 2>&1 </dev/null; fi ;;
esac
# The commit comes before any of the answers.
case "$*" in rev-parse*|symbolic-ref*) [ ! -d ${quoted(desk)} ] || until [ -s ${said} ]; do sleep 0.05; done ;; esac
exec "$GIT" "$@"`;
  const env = withProgramsOf(standInGit(r.places.root, body), r.env);
  const back = await runCli(['undo', '--last', '--json'], { cwd: r.work, env });
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('done')]);
  const mine = readFileSync(join(r.places.root, 'said'), 'utf8').trim();
  expect(mine).toMatch(/^[0-9a-f]{40}$/);
  expect([gitAt(r, desk, 'rev-parse', 'HEAD'), gitAt(r, desk, 'log', '-1', '--format=%s', mine)]).toEqual([
    mine,
    'mine',
  ]);
  expect(gitAt(r, desk, 'reflog', '-1', '--format=%H', 'HEAD')).toBe(mine);
  expect([treesIn(r), existsSync(r.path('.git/worktrees/desk/locked'))]).toEqual([[], false]);
  expect(journalOf(r).at(-1)).toMatch(/^undo done/);
});
