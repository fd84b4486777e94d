/** The user's hook may forbid a deletion; one that changes things meanwhile, and whoever else does, is seen. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applySweep, hook, journalOf, squashedRepository, standing, undo } from '../support/acts.ts';

/** As it sees a branch that is to be deleted; `$1` is the state of the transaction. */
const deletes = (name: string) => `grep -q "0000 refs/heads/${name}\\$"`;

it('a hook may reach a remote, as under git itself', async () => {
  const r = squashedRepository('a');
  const backup = `${r.places.root}/backup.git`;
  r.git('clone', '--quiet', '--bare', r.work, backup);
  hook(r, `test "$1" != prepared || git push --quiet '${backup}' HEAD:refs/heads/backed-up || exit 1`);
  expect((await applySweep(r)).outcomes.get('a')).toMatchObject({ status: 'done' });
  expect(r.gitWith({ cwd: backup }, 'rev-parse', 'backed-up').toString().trim()).toBe(r.id('HEAD'));
});

describe('a hook that forbids', () => {
  it('one branch keeps that one, and nothing is tried with more power', async () => {
    const r = squashedRepository('a', 'b');
    hook(r, `echo "$1" >> calls; if [ "$1" = prepared ] && ${deletes('a')}; then echo "not a" >&2; exit 1; fi`);
    const { code, outcomes } = await applySweep(r);
    expect([code, outcomes.get('b')?.status]).toEqual([2, 'done']);
    expect(outcomes.get('a')).toMatchObject({ status: 'failed', undo: null });
    expect(r.id('refs/heads/a')).toMatch(/^[0-9a-f]{40}$/);
    expect(journalOf(r)).toContain('sweep failed a');
    // Both together, then each for itself, and no more.
    const calls = readFileSync(r.path('.git/calls'), 'utf8')
      .split('\n')
      .filter((word) => word === 'prepared');
    expect(calls).toHaveLength(3);
  });

  it('all keeps all, and leaves no trash', async () => {
    const r = squashedRepository('a', 'b');
    const before = standing(r);
    hook(r, 'test "$1" != prepared');
    const { code, outcomes } = await applySweep(r);
    expect([code, outcomes.get('a')?.status, outcomes.get('b')?.status]).toEqual([2, 'failed', 'failed']);
    expect(standing(r)).toEqual(before);
    expect(r.git('for-each-ref', 'refs/coppice')).toBe('');
    expect((await undo(r, '--last')).code).toBe(2);
  });

  it('the way back leaves the branch gone, and it can be tried again', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    await applySweep(r);
    hook(r, 'test "$1" != prepared');
    expect(await undo(r, '--last')).toMatchObject({ code: 2, json: { code: 'not-restored' } });
    r.delete('.git/hooks/reference-transaction');
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });
});

describe('in the moment in which a branch goes', () => {
  /** The hook does it with nothing of git's. */
  const whileGoing = (r: ReturnType<typeof squashedRepository>, state: string, body: string) =>
    hook(r, `if [ "$1" = ${state} ] && ${deletes('a')} && [ ! -e once ]; then touch once; ${body}; fi`);

  it.each([
    ['a checkout', "printf 'ref: refs/heads/a\\n' > worktrees/desk/HEAD"],
    ['a rebase', "mkdir worktrees/desk/rebase-merge; printf 'refs/heads/a\\n' > worktrees/desk/rebase-merge/head-name"],
    ['a bisect', "printf 'a\\n' > BISECT_START"],
  ])('%s keeps it, before the change and after it', async (_title, body) => {
    for (const state of ['prepared', 'committed']) {
      const r = squashedRepository('a', 'b');
      r.worktree('desk', 'main', '--detach');
      const before = standing(r);
      whileGoing(r, state, body);
      const { code, outcomes } = await applySweep(r);
      expect([state, code, outcomes.get('b')?.status]).toEqual([state, 0, 'done']);
      expect(outcomes.get('a'), state).toMatchObject({
        status: 'kept',
        text: expect.stringContaining('a worktree'),
        undo: null,
      });
      const now = standing(r);
      for (const key of ['refs/heads/a', r.path('.git/logs/refs/heads/a')])
        expect(now.get(key), state).toBe(before.get(key));
      expect(now.get('config')).toContain('[branch "a"]');
      expect(journalOf(r)).toContain('sweep kept a');
    }
  });

  it('worktrees that cannot be read keep it', async () => {
    const r = squashedRepository('a');
    whileGoing(r, 'prepared', 'mkdir BISECT_START');
    expect((await applySweep(r)).outcomes.get('a')?.status).toBe('kept');
  });

  it('a hook that makes it again is seen, and it has its reflog and settings again', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    whileGoing(r, 'committed', `echo ${r.id('a')} > refs/heads/a`);
    const { code, outcomes } = await applySweep(r);
    expect([code, outcomes.get('a')]).toMatchObject([2, { status: 'failed', undo: null }]);
    expect(standing(r)).toEqual(before);
  });

  it('a hook that makes another one of that name is seen: that one stays, and the one that went can be had', async () => {
    const r = squashedRepository('a');
    const [tip, log] = [r.id('a'), readFileSync(r.path('.git/logs/refs/heads/a'), 'utf8')];
    whileGoing(r, 'committed', `echo ${r.id('main')} > refs/heads/a`);
    const { outcomes } = await applySweep(r);
    // It had to be `kept` before, with nothing to undo: its reflog was lost.
    expect(outcomes.get('a')).toMatchObject({ status: 'done', text: expect.stringContaining('another one') });
    expect(r.id('a')).toBe(r.id('main'));
    expect(r.git('config', 'branch.a.merge')).toBe('refs/heads/a');
    const words = outcomes.get('a')?.undo?.split(' ').slice(2) ?? [];
    expect(await undo(r, ...words)).toMatchObject({ code: 2, json: { code: 'name-taken' } });
    expect((await undo(r, ...words, '--as', 'old')).code).toBe(0);
    expect([r.id('old'), readFileSync(r.path('.git/logs/refs/heads/old'), 'utf8')]).toEqual([tip, log]);
    expect(r.id('a')).toBe(r.id('main'));
  });

  it('git that ends after it took the reflog and before it took the branch leaves both', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    const log = r.path('.git/logs/refs/heads/a');
    // Whatever ends it, this is what it leaves: the branch, its lock file gone or not, and no reflog.
    whileGoing(r, 'committed', `echo ${r.id('a')} > refs/heads/a; kill -9 $PPID`);
    const { code } = await applySweep(r);
    expect([code, existsSync(log), standing(r)]).toEqual([2, true, before]);
  });

  it('a hook that takes the anchors away is seen, and the pack holds', async () => {
    const r = squashedRepository('a');
    const before = standing(r);
    whileGoing(r, 'committed', 'rm -r refs/coppice/trash');
    const { outcomes } = await applySweep(r);
    expect(outcomes.get('a')).toMatchObject({ status: 'done', text: expect.stringContaining('the pack alone') });
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });

  it('what is written to it while it comes back stands after its reflog', async () => {
    const r = squashedRepository('a');
    const log = r.path('.git/logs/refs/heads/a');
    const before = readFileSync(log, 'utf8');
    await applySweep(r);
    const line = before.split('\n')[0]?.replace(/\t.*/, '\tcommit: later') ?? '';
    hook(
      r,
      `if [ "$1" = committed ] && [ ! -e once ]; then touch once; mkdir -p logs/refs/heads; echo '${line}' > logs/refs/heads/a; fi`,
    );
    expect((await undo(r, '--last')).code).toBe(0);
    expect(readFileSync(log, 'utf8')).toBe(`${before}${line}\n`);
  });
});
