/** Worktrees of which something is damaged or set so that git speaks of something else: it is said, and nothing is guessed. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look, LOOK, runCli } from '../support/cli.ts';
import { standInGit, withProgramsOf } from '../support/programs.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import {
  alone,
  codesIn,
  expectCodes,
  gitAt,
  rowOf,
  temporaryDesk,
  temporaryMerged,
  together,
} from '../support/worktree.ts';

const DAMAGED = 'repository-damaged';

describe('its git directory', () => {
  const admin = (r: Repository, desk: string, file: string) =>
    join(gitAt(r, desk, 'rev-parse', '--absolute-git-dir'), file);
  together({
    'has an index that is gone': {
      build: (r, desk) => rmSync(admin(r, desk, 'index')),
      holds: [DAMAGED, 'staged', 'untracked'],
    },
    'has an index without an entry': {
      build: (r, desk) => gitAt(r, desk, 'read-tree', '--empty'),
      holds: [DAMAGED, 'staged', 'untracked'],
    },
    'has an index without a byte': {
      build: (r, desk) => truncateSync(admin(r, desk, 'index'), 0),
      holds: [DAMAGED, 'probe-failed'],
    },
    'has an index that begins with something else': {
      build: (r, desk) => {
        const index = readFileSync(admin(r, desk, 'index'));
        index[0] = 0;
        writeFileSync(admin(r, desk, 'index'), index);
      },
      holds: [DAMAGED, 'probe-failed'],
    },
    'has an index of the future': {
      build: (r, desk) => writeFileSync(admin(r, desk, 'index'), Buffer.from('DIRC\0\0\0\x09\0\0\0\0')),
      holds: [DAMAGED, 'probe-failed'],
    },
    'has no commondir': { build: (r, desk) => rmSync(admin(r, desk, 'commondir')), holds: [DAMAGED, 'unmerged'] },
    'has a HEAD that names no commit of this repository': {
      build: (r, desk) => writeFileSync(admin(r, desk, 'HEAD'), `${'1'.repeat(40)}\n`),
      holds: ['probe-failed', 'probe-failed'],
    },
    'has a HEAD on a branch that is not there': {
      build: (r, desk) => writeFileSync(admin(r, desk, 'HEAD'), 'ref: refs/heads/nowhere\n'),
      holds: ['staged', 'unmerged'],
    },
  });

  it('is a file', async () => {
    const { r } = temporaryDesk();
    writeFileSync(r.path('.git/worktrees/stray'), '');
    const sweep = await look(r);
    expect(codesIn(sweep, 'stray').holds).toContain(DAMAGED);
    expectCodes(codesIn(sweep, 'desk'), {});
  });

  it('is empty', async () => {
    const { r } = temporaryDesk();
    mkdirSync(r.path('.git/worktrees/stray'));
    const sweep = await look(r);
    expect(codesIn(sweep, 'stray').holds).toContain(DAMAGED);
    expectCodes(codesIn(sweep, 'desk'), {});
  });
});

describe('settings that all worktrees share', () => {
  it.each(['work', 'desk'])('core.bare turned on, asked from %s', async (from) => {
    const { r, desk } = temporaryDesk();
    r.git('config', 'core.bare', 'true');
    const { holds } = codesIn(await look(r, { cwd: from === 'desk' ? desk : r.work }), 'desk');
    expect(holds).toContain(DAMAGED);
  });

  it.each(['work', 'desk'])('core.worktree set, asked from %s', async (from) => {
    const { r, desk } = temporaryDesk();
    r.git('config', 'core.worktree', r.work);
    const { holds } = codesIn(await look(r, { cwd: from === 'desk' ? desk : r.work }), 'desk');
    expect(holds).toContain(DAMAGED);
  });

  alone('core.worktree of the worktree alone, to the main one, which is clean', {
    build: (r, desk) => {
      r.git('config', 'extensions.worktreeConfig', 'true');
      gitAt(r, desk, 'config', '--worktree', 'core.worktree', r.work);
      writeFileSync(join(desk, 'new'), '');
    },
    holds: ['untracked'],
  });

  alone('core.worktree of the worktree alone, to the main one, which is not', {
    build: (r, desk) => {
      r.git('config', 'extensions.worktreeConfig', 'true');
      gitAt(r, desk, 'config', '--worktree', 'core.worktree', r.work);
      r.write('new', '');
    },
  });

  it('core.bare in a bare repository with settings for each worktree is as it should be', async () => {
    const r = temporaryMerged();
    const bare = join(r.places.root, 'bare.git');
    renameSync(r.path('.git'), bare);
    r.work = bare;
    r.git('config', 'extensions.worktreeConfig', 'true');
    r.git('config', '--unset', 'core.bare');
    r.git('config', '--worktree', 'core.bare', 'true');
    r.git('worktree', 'add', '-q', '--detach', join(r.places.root, 'desk'), 'topic');
    writeFileSync(join(r.places.root, 'desk', 'new'), '');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['untracked'] });
  });
});

describe("the caller's environment", () => {
  it('that names another git directory, index, or folder changes nothing', async () => {
    const { r, desk } = temporaryDesk();
    writeFileSync(join(desk, 'new'), '');
    const plain = await look(r);
    expectCodes(codesIn(plain, 'desk'), { holds: ['untracked'] });
    const index = r.path('.git/index');
    const git = { GIT_DIR: r.path('.git'), GIT_WORK_TREE: r.work, GIT_INDEX_FILE: index, GIT_PREFIX: 'wood/' };
    const settings = {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'status.showUntrackedFiles',
      GIT_CONFIG_VALUE_0: 'no',
      GIT_CONFIG_KEY_1: 'core.worktree',
      GIT_CONFIG_VALUE_1: r.work,
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
    };
    expect(await look(r, { env: { ...r.env, ...git, ...settings } })).toEqual(plain);
  });
});

describe('a git that fails', () => {
  const misdeeds: Readonly<Record<string, string>> = {
    'with an error': 'echo "fatal: unable to read" >&2; exit 128',
    'after the beginning': '"$GIT" "$@" | head -c 20; exit 128',
    'in the middle, saying that all is well': '"$GIT" "$@" | head -c 20; exit 0',
    'with bytes that mean nothing': "head -c 300 /dev/zero | tr '\\0' '\\377'; exit 0",
  };
  const commands = ['status', 'ls-files', 'rev-list', 'check-attr'];

  it.each(commands)('at %s leaves nothing unheld', async (command) => {
    const r = temporaryMerged();
    const desks: Readonly<Record<string, (desk: string) => void>> = {
      new: (desk) => writeFileSync(join(desk, 'new'), ''),
      edited: (desk) => appendFileSync(join(desk, ALPHA), 'x'),
      hidden: (desk) => {
        gitAt(r, desk, 'update-index', '--skip-worktree', BETA);
        appendFileSync(join(desk, BETA), 'x');
      },
      nested: (desk) => r.git('init', '-q', join(desk, 'scratch', 'inner')),
      ahead: (desk) => {
        appendFileSync(join(desk, BETA), 'x');
        gitAt(r, desk, 'commit', '-q', '-a', '-m', 'more');
      },
    };
    for (const [name, build] of Object.entries(desks)) build(r.worktree(name, 'topic', '-b', `desk/${name}`));
    for (const [title, misdeed] of Object.entries(misdeeds)) {
      const body = `for word in "$@"; do\nif [ "$word" = ${command} ]; then\n${misdeed}\nfi\ndone\nexec "$GIT" "$@"`;
      const env = withProgramsOf(standInGit(r.places.root, body), { ...r.env, COPPICE_CACHE: 'off' });
      const run = await runCli(LOOK, { cwd: r.work, env });
      if (run.json?.schema !== 'coppice.sweep.v1') {
        expect(run.code, title).toBe(2);
        continue;
      }
      for (const name of Object.keys(desks)) {
        const told = `${command}, ${title}: ${name}`;
        expect(codesIn(run.json, name).holds.length, told).toBeGreaterThan(0);
        expect(rowOf(run.json, name).state.changes.untracked === 0 && name === 'new', told).toBe(false);
      }
    }
  });
});
