/** Branches that something or other makes look merged, acted on without a worktree and with one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { APPLY, applySweep, forget, missing } from '../support/acts.ts';
import { errorOf, runCli } from '../support/cli.ts';
import { MIXTURE, temporaryMixture } from '../support/mixture.ts';
import { GAMMA, type Repository } from '../support/repository.ts';
import { temporaryMerged } from '../support/worktree.ts';
import { bringBack, changes, firm, seen } from './seen.ts';

/** Each makes a branch of its own name, and what speaks for it; main has not all of it. */
const LIES: Readonly<Record<string, (r: Repository, name: string) => void>> = {
  'upstream-gone': (r, name) => r.gone(name),
  'upstream-has-it': (r, name) => r.track(name),
  'title-of-it': (r, name) => void r.commitStaged(`Merge branch '${name}' (#1)`),
  reverted: (r, name) => {
    r.squash(name);
    r.revert();
  },
  'merged-and-reverted': (r, name) => {
    r.merge(name);
    r.revert('HEAD', 1);
  },
  'reused-name': (r, name) => {
    r.squash(name);
    r.checkout(name);
    r.write(`${name}-2.txt`, ['other work']);
    r.commit('other work');
  },
  'one-more-commit': (r, name) => {
    r.merge(name);
    r.checkout(name);
    r.write(`${name}-2.txt`, ['later']);
    r.commit('later');
  },
  'one-of-two': (r, name) => {
    r.checkout(name);
    r.write(`${name}-2.txt`, ['second']);
    r.commit('second');
    r.toMain();
    r.cherryPick(`${name}~1`);
  },
  'added-while-merging': (r, name) => {
    r.squash(name);
    r.checkout(name);
    r.mergeOpen('main');
    r.write(`${name}-evil.txt`, ['of the merge alone']);
    r.commit('Merge main');
  },
};

/** A repository of such branches, and of all others that git shows wrongly. */
function lies(): { r: Repository; stay: string[] } {
  const r = temporaryMixture();
  for (const [name, lie] of Object.entries(LIES)) {
    r.checkout('main');
    r.branch(name);
    r.write(`${name}.txt`, [name]);
    r.commit(name);
    r.toMain();
    lie(r, name);
    r.toMain();
  }
  r.publish();
  const unspent = Object.entries(MIXTURE).filter(([, { action }]) => action === 'keep');
  return { r, stay: [...unspent.map(([name]) => name), ...Object.keys(LIES)] };
}

it.each([false, true])(
  'nothing of what is not on main goes, all else comes back; with worktrees: %s',
  async (isDesk) => {
    const { r, stay } = lies();
    if (isDesk) for (const name of stay) r.worktree(`desk-${name}`, name);
    const [before, kept] = [seen(r), firm(r)];
    const tips = stay.map((name) => r.id(`refs/heads/${name}`));
    const { sweep } = await applySweep(r);
    const told = JSON.stringify(
      sweep.rows.map(({ id, reason, outcome }) => [id, outcome?.status, reason.code]),
      null,
      1,
    );
    expect(sweep.rows.filter(({ outcome }) => outcome?.status === 'done').length, told).toBeGreaterThan(3);
    expect(
      stay.map((name) => r.id(`refs/heads/${name}`)),
      told,
    ).toEqual(tips);
    if (isDesk) {
      for (const name of stay) expect(existsSync(join(r.places.root, `desk-${name}`)), `${name} ${told}`).toBe(true);
      for (const name of ['reverted', 'upstream-gone', 'fresh']) {
        await runCli(['rm', name, '--no-fetch', '--idle', '0s'], { cwd: r.work, env: r.env });
        expect(existsSync(join(r.places.root, `desk-${name}`)), name).toBe(true);
      }
    }
    forget(r);
    expect(missing(r, kept)).toEqual([]);
    await bringBack(r);
    expect(changes(before, seen(r), (key) => key.includes('logs/'))).toEqual([]);
  },
);

it.each(['no remote', 'no branch to judge by'])('%s: nothing of anybody goes', async (which) => {
  const r = temporaryMerged();
  r.branch('work');
  r.change(GAMMA, 3, 'work');
  if (which === 'no remote') r.git('remote', 'remove', 'origin');
  else {
    r.git('update-ref', '-d', 'refs/remotes/origin/main');
    r.git('remote', 'set-head', 'origin', '--delete');
    r.git('branch', '-m', 'main', 'some-name');
  }
  r.worktree('desk', 'work', '--force');
  const before = seen(r);
  const result = await runCli(APPLY, { cwd: r.work, env: r.env });
  if (result.json?.schema !== 'coppice.sweep.v1') expect(errorOf(result).code).not.toBe('');
  expect(r.tryGit({}, 'rev-parse', '--verify', 'refs/heads/work').code).toBe(0);
  await bringBack(r);
  expect(changes(before, seen(r))).toEqual([]);
});
