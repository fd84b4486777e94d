/** One worktree by its name: what it takes, what it refuses, and what it says stands in the way. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RetireDocument } from '../../src/contract/sweep.ts';
import { standing, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import type { Repository } from '../support/repository.ts';
import { wholeOf } from '../support/retired.ts';
import { gitAt, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

type Answer = { readonly code: number | null; readonly document: RetireDocument };

async function ask(r: Repository, ...words: readonly string[]): Promise<Answer> {
  const { code, json, stdout, stderr } = await runCli([...words, '--json'], { cwd: r.work, env: r.env });
  if (json?.schema !== 'coppice.retire.v1') throw new Error(`no retirement: ${stdout}${stderr}`);
  return { code, document: json };
}

const outcomesOf = ({ rows }: RetireDocument) => rows.map(({ id, outcome }) => `${id} ${outcome?.status}`);

/** A worktree `desk` on a branch with a commit that is nowhere else. */
function unmerged(): { r: Repository; desk: string } {
  const r = temporaryMerged();
  const desk = r.worktree('desk', 'main', '-b', 'work');
  writeFileSync(join(desk, 'new.txt'), 'new\n');
  gitAt(r, desk, 'add', '.');
  gitAt(r, desk, 'commit', '--quiet', '--message=work');
  return { r, desk };
}

describe('retire', () => {
  it('shows what would go, and changes nothing', async () => {
    const { r, desk } = temporaryDesk();
    const { code, document } = await ask(r, 'retire', 'topic', '--no-fetch');
    expect([code, document.mode, document.recovery]).toEqual([0, 'dry-run', []]);
    expect(document.rows.map(({ id, action }) => `${id} ${action}`)).toEqual([
      'worktree:desk remove',
      'branch:refs/heads/topic delete',
    ]);
    expect(existsSync(desk)).toBe(true);
    const { stdout } = await runCli(['retire', 'topic', '--no-fetch'], { cwd: r.work, env: r.env });
    expect(stdout).toContain('coppice rm topic');
  });

  it.each([
    ['its name', (desk: string) => [desk, 'desk']],
    ['its path', (desk: string) => [desk, desk]],
    ['its id', (desk: string) => [desk, 'worktree:desk']],
    ['its branch', (desk: string) => [desk, 'topic']],
  ])('takes it by %s, its branch with it, and both come back', async (_title, of) => {
    const { r, desk } = temporaryDesk();
    r.worktree('other', 'main', '-b', 'other');
    const own = standing(r);
    const before = wholeOf(desk);
    const [, name = ''] = of(desk);
    const { code, document } = await ask(r, 'rm', name, '--no-fetch');
    expect([code, outcomesOf(document)]).toEqual([0, ['worktree:desk done', 'branch:refs/heads/topic done']]);
    expect([existsSync(desk), existsSync(`${r.work}/../other`)]).toEqual([false, true]);
    expect(document.aside).toMatchObject({ undo: expect.stringMatching(/^coppice undo /) });
    expect((await undo(r, document.aside?.run ?? '')).code).toBe(0);
    expect(wholeOf(desk)).toEqual(before);
    expect(standing(r)).toEqual(own);
  });

  it('is on record under its own verb', async () => {
    const { r } = temporaryDesk();
    await ask(r, 'rm', 'topic', '--no-fetch');
    const { json } = await runCli(['history', '--json'], { cwd: r.work, env: r.env });
    expect(json).toMatchObject({ acts: [{ verb: 'retire' }, { verb: 'retire' }] });
  });

  it('with --keep-branch takes one that is merged nowhere, and its branch stays', async () => {
    const { r, desk } = unmerged();
    const tip = r.id('work');
    expect((await ask(r, 'retire', 'work', '--no-fetch')).document.recovery).toMatchObject([
      { code: 'unmerged', how: `coppice retire ${desk} --keep-branch` },
    ]);
    const { code, document } = await ask(r, 'rm', 'work', '--keep-branch', '--no-fetch');
    expect([code, outcomesOf(document)]).toEqual([0, ['worktree:desk done']]);
    expect(document.rows[0]?.reason.code).toBe('branch-stays');
    expect([existsSync(desk), r.id('work')]).toEqual([false, tip]);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(gitAt(r, desk, 'status', '--porcelain', '--branch')).toBe('## work');
  });

  it('with --keep-branch keeps the branch of one that is merged', async () => {
    const { r } = temporaryDesk();
    const { document } = await ask(r, 'rm', 'topic', '--keep-branch', '--no-fetch');
    expect(outcomesOf(document)).toEqual(['worktree:desk done']);
    expect(r.git('branch', '--list', 'topic')).toContain('topic');
  });

  it('takes one whose very commit the remote has just now, and its branch stays', async () => {
    const { r, desk } = unmerged();
    r.git('push', '--quiet', 'origin', 'work');
    expect((await ask(r, 'retire', 'work', '--no-fetch')).code).toBe(2);
    const { code, document } = await ask(r, 'rm', 'work');
    expect(code).toBe(0);
    expect(document.rows.map(({ id, reason }) => `${id} ${reason.code}`)).toEqual([
      'worktree:desk pushed',
      'branch:refs/heads/work unmerged',
    ]);
    expect([existsSync(desk), r.git('branch', '--list', 'work')]).toEqual([false, '  work']);
  });

  it.each(['staged', 'modified', 'untracked'])('keeps what is not committed, whatever the branch: %s', async (kind) => {
    const { r, desk } = unmerged();
    if (kind === 'modified') writeFileSync(join(desk, 'new.txt'), 'other\n');
    else writeFileSync(join(desk, 'more.txt'), 'more\n');
    if (kind === 'staged') gitAt(r, desk, 'add', '.');
    const before = wholeOf(desk);
    const { code, document } = await ask(r, 'rm', 'work', '--keep-branch', '--no-fetch');
    expect([code, outcomesOf(document)]).toEqual([2, ['worktree:desk kept']]);
    expect(document.recovery).toMatchObject([{ code: kind, how: expect.stringContaining('stash push') }]);
    expect(wholeOf(desk)).toEqual(before);
  });

  it('with --keep-branch keeps one that has no branch', async () => {
    const { r, desk } = unmerged();
    gitAt(r, desk, 'checkout', '--quiet', '--detach');
    r.git('branch', '--quiet', '-D', 'work');
    const { code, document } = await ask(r, 'rm', 'desk', '--keep-branch', '--no-fetch');
    expect([code, document.recovery.map((one) => one.code)]).toEqual([2, ['detached-commits']]);
  });

  it('refuses the main one, the one around the caller, and those that hold either', async () => {
    const { r, desk } = temporaryDesk();
    expect(await ask(r, 'rm', r.work, '--no-fetch')).toMatchObject({
      code: 2,
      document: { recovery: [{ code: 'main-worktree' }, { code: 'current-worktree' }] },
    });
    const { code, json } = await runCli(['rm', '.', '--no-fetch', '--json'], { cwd: desk, env: r.env });
    expect([code, json]).toMatchObject([2, { recovery: [{ code: 'current-worktree' }] }]);
    expect(existsSync(desk)).toBe(true);
  });

  it("refuses one that holds the account's home, or coppice's own folder", async () => {
    const { r, desk } = temporaryDesk();
    for (const [name, value] of [
      ['HOME', join(desk, 'node_modules/home')],
      ['COPPICE_HOME', join(desk, 'node_modules/own')],
    ] as const) {
      mkdirSync(value, { recursive: true });
      const { code, json } = await runCli(['rm', 'topic', '--no-fetch', '--json'], {
        cwd: r.work,
        env: { ...r.env, [name]: value },
      });
      expect([code, json]).toMatchObject([2, { recovery: [{ code: 'protected' }] }]);
    }
    expect(existsSync(desk)).toBe(true);
  });

  it('keeps one that was written to within a time that is named', async () => {
    const { r } = temporaryDesk();
    const { code, document } = await ask(r, 'retire', 'topic', '--no-fetch', '--idle', '1d');
    expect([code, document.recovery]).toMatchObject([
      2,
      [{ code: 'recent-write', how: expect.stringContaining('--idle 0s') }],
    ]);
  });

  it.each([
    ['no name', ['rm', ''], 64, 'bad-value'],
    ['a name that nothing has', ['rm', 'nothing'], 2, 'no-such-row'],
    ['a branch without a worktree', ['rm', 'lonely'], 2, 'no-such-row'],
  ] as const)('%s', async (_title, words, exit, code) => {
    const { r } = temporaryDesk();
    r.git('branch', 'lonely', 'topic');
    expect(await runCli([...words, '--no-fetch', '--json'], { cwd: r.work, env: r.env })).toMatchObject({
      code: exit,
      json: { code },
    });
  });

  it('a name that several have: their ids are listed', async () => {
    const { r } = temporaryDesk();
    r.worktree('one/twin', 'main', '-b', 'desk-twin');
    gitAt(r, r.worktree('two', 'main', '-b', 'two'), 'symbolic-ref', 'HEAD', 'refs/heads/desk-twin');
    const { code, json } = await runCli(['rm', 'desk-twin', '--no-fetch', '--json'], { cwd: r.work, env: r.env });
    expect([code, json]).toMatchObject([2, { code: 'ambiguous', text: expect.stringContaining('worktree:two') }]);
  });
});
