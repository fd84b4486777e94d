/** What changes in a worktree, or of its branch, while it is moved into the trash: it is at home again, as it is by then. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { undo } from '../support/acts.ts';
import { quoted, standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';
import { retire, treesIn } from '../support/retired.ts';
import { restsOf } from '../support/retiring.ts';
import { gitAt, temporaryDesk } from '../support/worktree.ts';

/** Something that is done once, by the next call of git when `isTime` is true. Both are of a POSIX shell. */
const once = (r: Repository, isTime: string, deed: string) =>
  withProgramsOf(
    standInGit(
      r.places.root,
      `cd_=$PWD; cd ${quoted(r.path('.git'))}
if [ ! -e ../../happened ] && ${isTime}; then : > ../../happened; ${deed}; fi
cd "$cd_"; exec "$GIT" "$@"`,
    ),
    r.env,
  );

const LOCKED = '[ -e worktrees/desk/locked ]';
const TREE_GONE = 'ls coppice/trash/*/sealed > /dev/null 2>&1 && [ -d worktrees/desk ]';
const ALL_GONE = '[ ! -e worktrees/desk ]';
const SWITCH = 'echo "ref: refs/heads/other" > worktrees/desk/HEAD';
const MOVE = '"$GIT" update-ref refs/heads/topic main';

it.each([
  ['another branch, before anything was put aside', LOCKED, SWITCH],
  ['another branch, while its tree was moved', TREE_GONE, SWITCH],
  ['a branch that was moved, while its tree was moved', TREE_GONE, MOVE],
  ['a branch that was moved, after all of it was', ALL_GONE, MOVE],
])('%s', async (_title, isTime, deed) => {
  const { r, desk } = temporaryDesk();
  r.git('branch', '--quiet', 'other', 'topic');
  const isMove = deed === MOVE;
  const { outcome } = await retire(r, desk, { env: once(r, isTime, deed) });
  expect(existsSync(`${r.places.root}/happened`)).toBe(true);
  expect([outcome.status, outcome.text]).toEqual(['kept', expect.any(String)]);
  expect(existsSync(desk)).toBe(true);
  expect(gitAt(r, desk, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${isMove ? 'topic' : 'other'}`);
  expect(gitAt(r, desk, 'rev-parse', 'HEAD')).toBe(r.id(isMove ? 'main' : 'other'));
  expect([restsOf(r), treesIn(r)]).toEqual([[], []]);
  // Nothing waits for the next who acts.
  expect((await undo(r, '--last')).code).not.toBe(3);
  expect(restsOf(r)).toEqual([]);
});
