/** Worktrees of another account, or with parts that may not be read, on disks that may not be written to. */
import { appendFileSync, chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { look } from '../support/cli.ts';
import { canMount, mountEmpty } from '../support/mounts.ts';
import { giveAway, giveToStranger, isRoot, unprivileged } from '../support/other-account.ts';
import { ALPHA, type Repository } from '../support/repository.ts';
import { run } from '../support/processes.ts';
import {
  alone,
  type Build,
  codesIn,
  expectCodes,
  gitAt,
  temporaryDesk,
  temporaryMerged,
  type Wanted,
} from '../support/worktree.ts';

// Only root can give a file away.
describe.skipIf(!isRoot)('a worktree of another account', () => {
  alone('by its folder', { build: (_r, desk) => giveToStranger(desk), holds: ['foreign-owner'] });
  alone('by its .git file', { build: (_r, desk) => giveToStranger(join(desk, '.git')), holds: ['foreign-owner'] });
  alone('with work in it', {
    build: (_r, desk) => {
      writeFileSync(join(desk, 'new'), 'x');
      giveToStranger(desk);
    },
    holds: ['foreign-owner'],
  });
});

describe('what may not be read', () => {
  const shut = (path: string) => chmodSync(path, 0o000);
  const put = (...parts: readonly string[]) => {
    const path = join(...parts);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'x');
  };
  const admin = (r: Repository, desk: string, ...parts: readonly string[]) =>
    r.path(join('.git/worktrees', basename(desk), ...parts));

  const cases: Readonly<Record<string, readonly [Build, Wanted]>> = {
    'nothing: all may be': [() => {}, {}],
    'a folder of new files': [
      (_r, desk) => {
        put(desk, 'inner', 'new');
        shut(join(desk, 'inner'));
      },
      { holds: ['probe-failed'] },
    ],
    'an ignored folder': [
      (_r, desk) => {
        put(desk, 'scratch', 'note');
        shut(join(desk, 'scratch'));
      },
      { holds: ['probe-failed'] },
    ],
    'an ignored file, of which no copy could be kept': [
      (_r, desk) => {
        put(desk, 'scratch', 'note');
        shut(join(desk, 'scratch', 'note'));
      },
      { holds: ['ignored-precious'] },
    ],
    'a folder in what tools make again': [
      (_r, desk) => {
        put(desk, 'node_modules', 'a', 'index.js');
        shut(join(desk, 'node_modules', 'a'));
      },
      { holds: ['probe-failed'] },
    ],
    'a folder of tracked files': [(_r, desk) => shut(join(desk, 'wood')), { holds: ['probe-failed'] }],
    'a new file': [
      (_r, desk) => {
        put(desk, 'new');
        shut(join(desk, 'new'));
      },
      { holds: ['untracked'] },
    ],
    'an ignored file that the main checkout has, too': [
      (r, desk) => {
        r.write('.env', 'x');
        put(desk, '.env');
        shut(join(desk, '.env'));
      },
      { holds: ['ignored-precious'], notNoted: ['duplicate', 'archived'] },
    ],
    'an edited file': [
      (_r, desk) => {
        appendFileSync(join(desk, ALPHA), 'x');
        shut(join(desk, ALPHA));
      },
      { holds: ['modified'] },
    ],
    'a file behind a flag': [
      (r, desk) => {
        gitAt(r, desk, 'update-index', '--skip-worktree', ALPHA);
        shut(join(desk, ALPHA));
      },
      { holds: ['hidden-edits'] },
    ],
    'its folder': [(_r, desk) => shut(desk), { holds: ['pointer-broken'] }],
    'its .git file': [(_r, desk) => shut(join(desk, '.git')), { holds: ['pointer-broken'] }],
    'its git directory': [(r, desk) => shut(admin(r, desk)), { holds: ['repository-damaged', 'unmerged'] }],
    'its index': [(r, desk) => shut(admin(r, desk, 'index')), { holds: ['probe-failed', 'repository-damaged'] }],
    'its reflog': [(r, desk) => shut(admin(r, desk, 'logs', 'HEAD')), { holds: ['probe-failed'] }],
  };

  it.each(Object.entries(cases))('%s', async (_title, [build, wanted]) => {
    const { r, desk } = temporaryDesk();
    const given = (): void => giveAway(r.places.root);
    build(r, desk);
    given();
    const { holds, ...rest } = codesIn(await look(r, unprivileged), 'desk');
    expectCodes({ holds, ...rest }, wanted);
  });
});

describe('what may not be written', () => {
  it('a repository without a right to write is judged as ever, and nothing of it can be moved', async () => {
    const { r, desk } = temporaryDesk();
    const dirty = r.worktree('dirty', 'topic', '-b', 'dirty');
    writeFileSync(join(dirty, 'new'), 'x');
    giveAway(r.places.root);
    const withoutWrite = [r.work, desk, dirty, r.places.home];
    for (const folder of withoutWrite) run('/usr/bin/env', ['chmod', '-R', 'a-w', folder], { cwd: '/', env: r.env });
    onTestFinished(() => {
      for (const folder of withoutWrite) run('/usr/bin/env', ['chmod', '-R', 'u+w', folder], { cwd: '/', env: r.env });
    });
    for (const cache of [r.places.cache, join(r.work, 'cache')]) {
      const sweep = await look(r, { ...unprivileged, env: { ...r.env, COPPICE_CACHE: cache } });
      expectCodes(codesIn(sweep, 'desk'), { holds: ['trash-unreachable'] });
      expectCodes(codesIn(sweep, 'dirty'), { holds: ['untracked', 'trash-unreachable'] });
    }
  });

  // Only root may mount, and not in every container.
  it.skipIf(!canMount)('a disk without a free byte changes nothing', async () => {
    const r = temporaryMerged();
    const full = join(r.places.root, 'full');
    mountEmpty(full, '16m');
    chmodSync(full, 0o755);
    cpSync(r.work, join(full, 'work'), { recursive: true });
    r.work = join(full, 'work');
    r.git('worktree', 'add', '-q', join(full, 'desk'), 'topic');
    r.git('worktree', 'add', '-q', '-b', 'dirty', join(full, 'dirty'), 'topic');
    appendFileSync(join(full, 'dirty', ALPHA), 'x');
    mkdirSync(join(full, 'home'));
    run('/usr/bin/env', ['dd', 'if=/dev/zero', `of=${join(full, 'filling')}`, 'bs=64k'], { cwd: '/', env: r.env });
    expect(() => writeFileSync(join(full, 'more'), Buffer.alloc(65_536))).toThrow('ENOSPC');
    const env = { ...r.env, HOME: join(full, 'home'), COPPICE_CACHE: join(full, 'cache'), TMPDIR: full };
    const sweep = await look(r, { env });
    expectCodes(codesIn(sweep, 'desk'), {});
    expectCodes(codesIn(sweep, 'dirty'), { holds: ['modified'] });
  });
});

describe('links on the way', () => {
  it('to the home folder, the repository and the worktree change nothing', async () => {
    const { r } = temporaryDesk();
    const alias = `${r.places.root}-alias`;
    symlinkSync(r.places.root, alias);
    onTestFinished(() => void run('/usr/bin/env', ['rm', alias], { cwd: '/', env: r.env }));
    r.git('worktree', 'add', '-q', '-b', 'two', join(alias, 'two'), 'topic');
    r.git('worktree', 'add', '-q', '-b', 'inner', join(alias, 'two', 'scratch', 'inner'), 'topic');
    const plain = await look(r);
    expectCodes(codesIn(plain, 'two'), { holds: ['nested-worktree'] });
    const env = Object.fromEntries(
      Object.entries(r.env).map(([name, value]) => [name, value.replaceAll(r.places.root, alias)]),
    );
    const seen = await look(r, { cwd: join(alias, 'work'), env });
    for (const name of ['desk', 'two', 'inner']) expect(codesIn(seen, name)).toEqual(codesIn(plain, name));
    expectCodes(codesIn(await look(r, { cwd: join(alias, 'desk', 'wood'), env }), 'desk'), {
      holds: ['current-worktree'],
    });
  });
});
