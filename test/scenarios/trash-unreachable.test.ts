/** Worktrees that no trash can take: a rename stays in its mount, and needs leave to write. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { look } from '../support/cli.ts';
import { canMount, mountBound, mountEmpty } from '../support/mounts.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import type { Repository } from '../support/repository.ts';
import { settings } from '../support/state.ts';
import { codesIn, expectCodes, rowOf, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

describe.skipIf(!canMount)('in another file system', () => {
  const far = (): { r: Repository; disk: string } => {
    const r = temporaryMerged();
    const disk = join(r.places.root, 'disk');
    mountEmpty(disk, '8m');
    chmodSync(disk, 0o755);
    r.worktree('disk/desk', 'topic');
    return { r, disk };
  };

  it('it stays, and the setting is named', async () => {
    const { r } = far();
    const row = rowOf(await look(r), 'desk');
    expect(row).toMatchObject({ action: 'keep', reason: { code: 'trash-unreachable' } });
    expect(row.reason.text).toContain('trash.path');
  });

  it('a trash that the settings name there will do', async () => {
    const { r, disk } = far();
    settings(r, `trash.path = "${disk}/trash"\n`);
    expectCodes(codesIn(await look(r), 'desk'), {});
  });

  it('so does the folder of coppice, and a managed root', async () => {
    const { r, disk } = far();
    expectCodes(codesIn(await look(r, { env: { ...r.env, COPPICE_HOME: join(disk, 'own') } }), 'desk'), {});
    mkdirSync(join(disk, 'root'));
    settings(r, `roots.also = ["${disk}/root"]\n`);
    expectCodes(codesIn(await look(r), 'desk'), {});
  });

  it('none will do where everybody may put another one in its place, or that is a link', async () => {
    const { r, disk } = far();
    settings(r, `trash.path = "${disk}/trash"\n`);
    chmodSync(disk, 0o777);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['trash-unreachable'] });
    chmodSync(disk, 0o755);
    mkdirSync(join(disk, 'real'), { mode: 0o700 });
    symlinkSync('real', join(disk, 'trash'));
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['trash-unreachable'] });
  });

  it('no trash will do that lies in the worktree', async () => {
    const { r, disk } = far();
    settings(r, `trash.path = "${disk}/desk/node_modules/trash"\n`);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['trash-unreachable'] });
  });
});

it.skipIf(!canMount)('of the same file system, mounted apart', async () => {
  const { r, desk } = temporaryDesk();
  const at = join(r.places.root, 'apart');
  mkdirSync(at);
  mountBound(dirname(desk), at);
  r.git('worktree', 'repair', join(at, 'desk'));
  const { holds } = codesIn(await look(r), 'desk');
  expect(holds).toContain('trash-unreachable');
});

it.skipIf(!isRoot).each([
  ['the folder that it lies in', (desk: string) => dirname(desk)],
  ['its own folder', (desk: string) => desk],
])('%s cannot be written', async (_title, folderOf) => {
  const r = temporaryMerged();
  const desk = r.worktree('shut/desk', 'topic');
  giveAway(r.places.root);
  chmodSync(folderOf(desk), 0o555);
  onTestFinished(() => chmodSync(folderOf(desk), 0o755));
  expectCodes(codesIn(await look(r, unprivileged), 'desk'), { holds: ['trash-unreachable'] });
});
