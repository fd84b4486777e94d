/**
 * What people do while coppice acts: each worktree gets another one's deed, all of them when coppice asks git for the
 * nth time. Whatever was written stays written, where it was or where undo brings it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applySweep, missing, squashed } from '../support/acts.ts';
import { quoted, standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';
import { gitAt, temporaryMerged } from '../support/worktree.ts';
import { bringBack, firm, seen } from './seen.ts';

/** Shell scripts that are run in the worktree; what they print is a file of the worktree or a commit that must be kept. */
const DEEDS: Readonly<Record<string, string>> = {
  'a new file': 'echo new > new.txt && echo file new.txt',
  'a file that is edited': 'echo more >> package.json && echo file package.json',
  'a file that is staged': 'echo staged > s.txt && $GIT add s.txt && echo file s.txt',
  'an ignored file': 'echo S=1 > .env && echo file .env',
  'a file in a folder of its own': 'mkdir deep && echo new > deep/new.txt && echo file deep/new.txt',
  'a commit': 'echo c > c.txt && $GIT add c.txt && $GIT commit -qm c && $GIT rev-parse HEAD',
  'a commit on another branch':
    '$GIT checkout -qb taken-over && $GIT commit -qm c --allow-empty && $GIT rev-parse HEAD',
  'a commit without a branch': '$GIT checkout -q --detach && $GIT commit -qm d --allow-empty && $GIT rev-parse HEAD',
  'a branch that goes on':
    'C=$($GIT commit-tree -p HEAD -m on HEAD^{tree}) && $GIT update-ref "$($GIT symbolic-ref HEAD)" $C && echo $C',
  'a repository in it': '$GIT init -q scratch/in && echo x > scratch/in/x && echo file scratch/in/x',
  'a private ref': 'C=$($GIT commit-tree -m mine HEAD^{tree}) && $GIT update-ref refs/worktree/mine $C && echo $C',
  'a bisect': '$GIT bisect start >/dev/null && echo file .git',
};

/** @returns what the deeds printed, one word list each, in their order; empty where one failed, as in a tree that is gone. */
async function during(r: Repository, desks: readonly string[], nth: number) {
  const once = quoted(join(r.places.root, 'once'));
  const deeds = Object.values(DEEDS).map(
    (deed, at) => `( cd ${quoted(desks[at] as string)} && ${deed} ) > ${once}/${at} 2>/dev/null </dev/null`,
  );
  const beside = `( cd ${quoted(r.work)} && $GIT commit-tree -p goes-on -m on goes-on^{tree} > ${once}/on && $GIT update-ref refs/heads/goes-on $(cat ${once}/on) ) >/dev/null 2>&1 </dev/null`;
  const folder = standInGit(
    r.places.root,
    `echo >> ${quoted(join(r.places.root, 'once-calls'))}
if [ "$(wc -l < ${quoted(join(r.places.root, 'once-calls'))})" -ge ${nth} ] && mkdir ${once} 2>/dev/null; then
  ( unset $(env | sed -n 's/^\\(GIT_[A-Z_]*\\)=.*/\\1/p'); export HOME=${quoted(r.places.home)}
  export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
  ${[...deeds, beside].join('\n  ')} )
fi
exec "$GIT" "$@"`,
  );
  const applied = await applySweep(r, { env: withProgramsOf(folder, r.env) });
  const said = (name: string) => {
    const path = join(r.places.root, 'once', name);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  };
  return { applied, done: Object.keys(DEEDS).map((_, at) => said(String(at))), on: said('on') };
}

/** From the first look to the branches; COPPICE_TEST_SEEDS asks for the long form. */
const CALLS =
  process.env['COPPICE_TEST_SEEDS'] === undefined ? [24, 52] : [1, 8, 16, 20, 24, 28, 32, 36, 40, 52, 60, 70];

it.each(CALLS)('when git is asked for the %ith time', async (nth) => {
  const r = temporaryMerged();
  for (const name of ['goes-on', 'plain']) squashed(r, name);
  r.publish();
  const desks = Object.keys(DEEDS).map((_, at) => r.worktree(`desk-${at}`, 'topic', '-b', `case/${at}`));
  const [before, kept] = [seen(r), firm(r)];
  const { done, on, applied } = await during(r, desks, nth);
  const told = () =>
    JSON.stringify(
      applied.sweep.rows.map(({ id, outcome }) => [id, outcome]),
      null,
      1,
    );
  expect(done.flat(), told()).not.toEqual([]);
  const isCommit = (word: string) => /^[0-9a-f]{40}$/.test(word);
  expect(missing(r, new Set([...kept, ...done.flat().filter(isCommit), ...on])), told()).toEqual([]);
  const at = Object.keys(DEEDS).indexOf('a private ref');
  // git's own collection takes what such a ref holds, while the worktree is at home.
  const spared = done.filter((_, index) => index !== at || !existsSync(desks[at] as string));
  const commits = spared.flat().filter(isCommit);
  r.git('-c', 'gc.reflogExpire=never', '-c', 'gc.reflogExpireUnreachable=never', 'gc', '--quiet', '--prune=now');
  await bringBack(r);
  // What a deed wrote is there, and all else is as it was.
  const after = seen(r);
  for (const [at, words] of done.entries()) {
    const files = words.filter((word) => word.startsWith('file ')).map((word) => `desk-${at}/${word.slice(5)}`);
    for (const file of files) expect(after.files.has(file), `${file} ${told()}`).toBe(true);
  }
  const theirs = /^desk-\d+$|\/(?:package\.json|c\.txt|s\.txt|new\.txt|\.env|deep|scratch)(?:\/|$)/;
  for (const [path, line] of before.files) if (!theirs.test(path)) expect(after.files.get(path), path).toBe(line);
  expect(missing(r, new Set([...kept, ...commits, ...on])), told()).toEqual([]);
  for (const desk of desks) gitAt(r, desk, 'status');
});
