/** Strays in managed roots, protected places, and what coppice's own folder must be before it is read. */
import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look, runCli } from '../support/cli.ts';
import { ALPHA, type Repository, temporaryRepository } from '../support/repository.ts';

interface Desk {
  readonly r: Repository;
  readonly home: string;
  /** The managed root of this repository. */
  readonly root: string;
}

/** A repository whose managed root exists, with one worktree `desk` in it. */
function managed(): Desk {
  const r = temporaryRepository();
  r.publish();
  const home = r.path('../coppice-home');
  const first = r.git('rev-list', '--max-parents=0', 'HEAD').trim();
  const root = join(home, 'worktrees', first.slice(0, 12));
  for (const folder of [home, join(home, 'worktrees'), root]) mkdirSync(folder, { mode: 0o700 });
  r.git('branch', 'topic');
  r.git('worktree', 'add', '--quiet', join(root, 'desk'), 'topic');
  return { r, home, root };
}

function settings({ r, home }: Desk, text = ''): { env: Record<string, string> } {
  const folder = r.path('../config/coppice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), text);
  return { env: { ...r.env, COPPICE_HOME: home, XDG_CONFIG_HOME: r.path('../config') } };
}

async function places(desk: Desk, text = '') {
  const sweep = await look(desk.r, settings(desk, text));
  const rows = sweep.rows.filter(({ kind }) => kind === 'stray' || kind === 'protected');
  for (const row of rows) expect(row.action).toBe('keep');
  return {
    rows: rows.map(({ kind, name, reason }) => `${kind} ${name} ${reason.code}`),
    doubts: sweep.doubts.map(({ code, text: words }) => `${code} ${words}`),
    desk: sweep.rows.find(({ id }) => id === 'worktree:desk'),
  };
}

const STRAYS: Readonly<Record<string, readonly [code: string, make: (desk: Desk, path: string) => void]>> = {
  'a folder': ['no-worktree', (_, path) => mkdirSync(path)],
  'a file': ['no-worktree', (_, path) => writeFileSync(path, '')],
  'a link to a worktree': ['no-worktree', ({ root }, path) => symlinkSync(join(root, 'desk'), path)],
  'a link to nothing': ['no-worktree', (_, path) => symlinkSync('/nowhere', path)],
  'a clone': ['other-repository', ({ r }, path) => r.git('clone', '--quiet', r.work, path)],
  "another clone's worktree": [
    'other-repository',
    ({ r }, path) => {
      r.git('clone', '--quiet', r.work, r.path('../other'));
      r.gitWith({ cwd: r.path('../other') }, 'worktree', 'add', '--quiet', path);
    },
  ],
  'a worktree that was moved by hand': [
    'no-worktree',
    ({ r }, path) => {
      r.git('worktree', 'add', '--quiet', r.path('../lost'), '-b', 'lost');
      renameSync(r.path('../lost'), path);
    },
  ],
  'a .git file that leads nowhere': [
    'other-repository',
    (_, path) => {
      mkdirSync(path);
      writeFileSync(join(path, '.git'), 'gitdir: /nowhere/at/all\n');
    },
  ],
  'a .git file that says nothing': [
    'no-worktree',
    (_, path) => {
      mkdirSync(path);
      writeFileSync(join(path, '.git'), 'nothing\n');
    },
  ],
};

describe('in a managed root', () => {
  for (const [title, [code, make]] of Object.entries(STRAYS)) {
    it(`is named and kept: ${title}`, async () => {
      const desk = managed();
      make(desk, join(desk.root, 'stray'));
      const found = await places(desk);
      expect(found.rows).toEqual([`stray stray ${code}`]);
      expect(found.doubts).toEqual([]);
    });
  }

  it('a registered worktree is none, nor are the folders above it', async () => {
    const desk = managed();
    desk.r.git('worktree', 'add', '--quiet', join(desk.root, 'feature', 'deep', 'name'), '-b', 'deep');
    mkdirSync(join(desk.root, 'feature', 'other'));
    expect((await places(desk)).rows).toEqual(['stray other no-worktree']);
  });

  it('it is explained by its id as printed, and by its path', async () => {
    const desk = managed();
    mkdirSync(join(desk.root, 'stray'));
    const { env } = settings(desk);
    const id = (await look(desk.r, { env })).rows.find(({ kind }) => kind === 'stray')?.id ?? '';
    for (const name of [id, join(desk.root, 'stray')]) {
      const run = await runCli(['explain', '--no-fetch', name], { cwd: desk.r.work, env });
      expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('no-worktree keeps it')]);
    }
  });

  it('roots of the settings are looked through as well; a template names its own', async () => {
    const desk = managed();
    const more = desk.r.path('../more');
    mkdirSync(join(more, 'thing'), { recursive: true });
    mkdirSync(desk.r.path('../work.trees/thing-2'), { recursive: true });
    mkdirSync(desk.r.path('../work.trees/other'), { recursive: true });
    const text = `[roots]\nalso = ["${more}"]\ntemplate = "{repository}.trees/thing-{name}"\n`;
    expect((await places(desk, text)).rows).toEqual(['stray thing-2 no-worktree', 'stray thing no-worktree']);
  });
});

describe("coppice's own folder", () => {
  const bad: Readonly<Record<string, (desk: Desk, level: string) => void>> = {
    'is writable by others': (_, level) => chmodSync(level, 0o777),
    'is writable by the group': (_, level) => chmodSync(level, 0o770),
    "is another account's": (_, level) => chownSync(level, 65534, 65534),
    'is a link': (_, level) => {
      renameSync(level, `${level}-real`);
      symlinkSync(`${level}-real`, level);
    },
  };
  for (const [title, spoil] of Object.entries(bad)) {
    for (const level of ['home', 'worktrees', 'root'] as const) {
      it(`is not read where its ${level} ${title}, and that is said`, async () => {
        const desk = managed();
        mkdirSync(join(desk.root, 'stray'));
        spoil(desk, { home: desk.home, worktrees: join(desk.home, 'worktrees'), root: desk.root }[level]);
        const found = await places(desk);
        expect(found.rows).toEqual([]);
        expect(found.doubts).toEqual([expect.stringMatching(/^probe-failed the managed root is not read: /)]);
      });
    }
  }

  it('is nothing to doubt where it is not there', async () => {
    const desk = managed();
    const found = await places({ ...desk, home: desk.r.path('../nowhere') });
    expect([found.rows, found.doubts]).toEqual([[], []]);
  });
});

describe('a protected place', () => {
  it('is a row of its own, and holds every worktree below it unread', async () => {
    const desk = managed();
    writeFileSync(join(desk.root, 'desk', 'untracked'), '');
    mkdirSync(join(desk.root, 'stray'));
    const found = await places(desk, `[protect]\npaths = ["${desk.root}"]\n`);
    expect(found.rows).toEqual([`protected ${desk.root.split('/').at(-1)} protected`]);
    expect(found.desk?.reason.code).toBe('protected');
    expect(found.desk?.evidence.map(({ code }) => code)).not.toContain('untracked');
  });

  it('inside a worktree holds it, and nothing of it is read', async () => {
    const desk = managed();
    const secret = join(desk.root, 'desk', 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'file'), '');
    const found = await places(desk, `[protect]\npaths = ["${secret}"]\n`);
    expect(found.rows).toEqual(['protected secret protected']);
    expect(found.desk?.reason.code).toBe('protected');
    expect(found.desk?.evidence.map(({ code }) => code)).not.toContain('untracked');
  });

  it('elsewhere is not named', async () => {
    const desk = managed();
    desk.r.change(ALPHA, 3, 'x');
    expect((await places(desk, '[protect]\npaths = ["/somewhere/else"]\n')).rows).toEqual([]);
  });
});
