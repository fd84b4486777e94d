/** Worktrees with submodules: their stores go with the git directory, and each leads to the other again at any place. */
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forget, undo } from '../support/acts.ts';
import { withLibrary } from '../support/library.ts';
import type { Repository } from '../support/repository.ts';
import { heldBy, retire, wholeOf } from '../support/retired.ts';
import { gitAt, temporaryMerged } from '../support/worktree.ts';

/** A worktree with a submodule that has one of its own, both checked out. */
function withSubmodules(): { r: Repository; desk: string } {
  const r = temporaryMerged();
  withLibrary(r, 'deep/lib');
  const desk = r.worktree('desk', 'topic');
  gitAt(r, desk, 'submodule', '--quiet', 'update', '--init', '--recursive');
  return { r, desk };
}

/** git works in all of them, and finds nothing changed. */
function expectClean(r: Repository, desk: string): void {
  for (const folder of ['.', 'deep/lib', 'deep/lib/inner']) {
    const at = join(desk, folder);
    expect(gitAt(r, at, 'status', '--porcelain')).toBe('');
    expect(gitAt(r, at, 'rev-parse', '--show-toplevel')).toBe(at);
    gitAt(r, at, 'fsck', '--no-dangling');
  }
  expect(gitAt(r, desk, 'submodule', 'status', '--recursive')).not.toMatch(/^[-+U]/m);
}

describe('a worktree with submodules', () => {
  it('comes back as it was', async () => {
    const { r, desk } = withSubmodules();
    const [before, held] = [wholeOf(desk), heldBy(r, desk)];
    expect((await retire(r, desk)).outcome.status).toBe('done');
    forget(r);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(wholeOf(desk)).toEqual(before);
    expect(heldBy(r, desk)).toEqual(held);
    expectClean(r, desk);
  });

  it('comes back to a deeper place, and under another name', async () => {
    const { r, desk } = withSubmodules();
    const { mtimeMs } = statSync(join(desk, 'deep/lib/inner'));
    const { outcome } = await retire(r, desk);
    r.worktree(`other/${basename(desk)}`, 'main', '-b', 'other');
    const id = outcome.undo?.split(' ')[2] ?? '';
    const to = join(r.places.root, 'a/b/c/again');
    expect((await undo(r, id, '--to', to)).json).toMatchObject({ schema: 'coppice.undo.v1' });
    expect(gitAt(r, to, 'rev-parse', '--git-dir')).toMatch(/desk1$/);
    expectClean(r, to);
    expect(statSync(join(to, 'deep/lib/inner')).mtimeMs).toBeCloseTo(mtimeMs, 1);
    appendFileSync(join(to, 'deep/lib/file'), 'more\n');
    expect(gitAt(r, to, 'status', '--porcelain')).toBe('M deep/lib');
  });

  it('stays when something new is in a submodule', async () => {
    const { r, desk } = withSubmodules();
    writeFileSync(join(desk, 'deep/lib/inner/new'), 'x');
    const { sweep } = await retire(r, desk);
    expect(sweep.rows.find(({ id }) => id === 'worktree:desk')).toMatchObject({
      action: 'keep',
      reason: { code: 'submodule-commits' },
    });
  });
});
