/** Worktrees of another mount than their repository: put aside in a trash there, brought back, purged. */
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forget, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import type { Repository } from '../support/repository.ts';
import { heldBy, retire, wholeOf } from '../support/retired.ts';
import { settings } from '../support/state.ts';
import { gitAt, temporaryMerged } from '../support/worktree.ts';

/** A worktree on a disk of its own, with a trash there that the settings name. */
function onDisk(size = '8m'): { r: Repository; disk: string; desk: string } {
  const r = temporaryMerged();
  const disk = join(r.places.root, 'disk');
  mountEmpty(disk, size);
  chmodSync(disk, 0o755);
  settings(r, `trash.path = "${disk}/trash"\n`);
  return { r, disk, desk: r.worktree('disk/desk', 'topic') };
}

describe.skipIf(!canMount)('on another disk', () => {
  it('it comes back as it was', async () => {
    const { r, disk, desk } = onDisk();
    const [before, held] = [wholeOf(desk), heldBy(r, desk)];
    expect((await retire(r, desk)).outcome.status).toBe('done');
    const [entry = ''] = readdirSync(join(disk, 'trash'));
    expect(readdirSync(join(disk, 'trash', entry))).toContain('tree');
    expect(r.tryGit({ cwd: join(disk, 'trash', entry, 'tree') }, 'status').code).not.toBe(0);
    forget(r);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(wholeOf(desk)).toEqual(before);
    expect(heldBy(r, desk)).toEqual(held);
  });

  it('it is purged there, and nothing else is', async () => {
    const { r, disk, desk } = onDisk();
    await retire(r, desk);
    mkdirSync(join(disk, 'trash/mine'));
    expect((await runCli(['purge', '--all', '--apply'], { cwd: r.work, env: r.env })).code).toBe(0);
    expect(readdirSync(join(disk, 'trash'))).toEqual(['mine']);
    expect((await undo(r, '--last')).code).toBe(2);
  });

  it('a place on the first disk is refused, and it stays whole', async () => {
    const { r, desk } = onDisk();
    const { outcome } = await retire(r, desk);
    const id = outcome.undo?.split(' ')[2] ?? '';
    const refused = await undo(r, id, '--to', join(r.places.root, 'here'));
    expect([refused.code, refused.json]).toMatchObject([2, { code: 'not-restored' }]);
    expect(existsSync(join(r.places.root, 'here'))).toBe(false);
    expect((await undo(r, id)).code).toBe(0);
    expect(gitAt(r, desk, 'status', '--porcelain')).toBe('');
  });
});
