import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/table.ts';
import { UserError } from '../../src/judge/facts/user-error.ts';
import { place, put, unprivileged } from './support.ts';

function faultOf(load: () => unknown): UserError {
  try {
    load();
  } catch (fault) {
    if (fault instanceof UserError) return fault;
    throw fault;
  }
  throw new Error('nothing was thrown');
}

describe('without files', () => {
  it('every setting has its default', () => {
    const loaded = place({}).load();
    for (const key of SETTING_KEYS) {
      expect(loaded.settings[key]).toEqual(SETTINGS[key].default);
      expect(loaded.sources[key]).toBe('default');
    }
    expect(loaded.warnings).toEqual([]);
    expect(loaded.files).toEqual({ user: null, repository: null });
  });

  it('nothing is made', () => {
    const { home, load } = place({});
    load();
    expect(readdirSync(home)).toEqual([]);
  });

  it('a bare repository has no file, and an account without home has none of its own', () => {
    const { where } = place({ user: 'idle = "1h"', repository: 'idle = "48h"' });
    const loaded = loadSettings({ ...where, home: null, repositoryTop: null });
    expect(loaded.settings.idle).toBe(86_400_000);
    expect(loaded.warnings).toEqual([
      { code: 'no-user-settings', key: null, text: expect.stringContaining('not read') },
    ]);
  });
});

describe("the user's file", () => {
  it('sets every kind of value', () => {
    const { home, load } = place({
      user: `
        base = "refs/remotes/origin/next"
        idle = "0s"
        unused = "7d"
        protect = { paths = ["~/vault/", "/srv/keep"], branches = ["!gh-pages", "wip/*"] }
        forge.use = "none"
        forge.hosts = ["Git.Example.org:8443"]
        probe = "proc"
        ignored.archiveUpTo = "64MiB"
        reservations.enabled = true
        [sweep]
        kinds = ["worktree"]
        remoteBranches = "mine"
      `,
    });
    const { settings, sources } = load();
    expect(settings).toMatchObject({
      base: 'refs/remotes/origin/next',
      idle: 0,
      unused: 604_800_000,
      'protect.paths': [join(home, 'vault'), '/srv/keep'],
      forge: 'none',
      'forge.hosts': ['git.example.org:8443'],
      probe: 'proc',
      'ignored.archiveUpTo': 67_108_864,
      'reservations.enabled': true,
      'sweep.kinds': ['worktree'],
      'sweep.remoteBranches': 'mine',
    });
    expect(settings['protect.branches'].slice(-3)).toEqual(['release/*', '!gh-pages', 'wip/*']);
    expect(sources).toMatchObject({ idle: 'user', forge: 'user', 'trash.keep': 'default' });
  });

  it.each([
    ['off', 0],
    ['0s', 0],
    ['2w', 1_209_600_000],
  ])('idle = %j', (value, expected) => {
    expect(place({ user: `idle = "${value}"` }).load().settings.idle).toBe(expected);
  });

  it('lies below XDG_CONFIG_HOME where that is set, on macOS too', () => {
    const { folder, where } = place({ user: 'idle = "1h"' });
    put(join(folder, 'xdg', 'coppice', 'config.toml'), 'idle = "2h"');
    const named = { ...where, env: { XDG_CONFIG_HOME: join(folder, 'xdg') } };
    expect(loadSettings(named).settings.idle).toBe(7_200_000);
    expect(loadSettings({ ...where, platform: 'darwin' }).settings.idle).toBe(3_600_000);
    expect(loadSettings({ ...where, env: { XDG_CONFIG_HOME: '' } }).settings.idle).toBe(3_600_000);
    const fault = faultOf(() => loadSettings({ ...where, env: { XDG_CONFIG_HOME: 'xdg' } }));
    expect(fault).toMatchObject({ code: 'relative-folder', exit: 2 });
  });

  it('may be a link, also on the way', () => {
    const { folder, home, load } = place({});
    put(join(folder, 'dotfiles', 'coppice.toml'), 'idle = "1h"');
    mkdirSync(join(folder, 'dotfiles', 'config'));
    symlinkSync(join(folder, 'dotfiles', 'config'), join(home, '.config'));
    mkdirSync(join(home, '.config', 'coppice'));
    symlinkSync(join(folder, 'dotfiles', 'coppice.toml'), join(home, '.config', 'coppice', 'config.toml'));
    expect(load().settings.idle).toBe(3_600_000);
  });

  it('keeps anchors as long as the trash', () => {
    const { settings, sources } = place({ user: 'trash.keep = "120d"' }).load();
    expect(settings['trash.keepRefs']).toBe(settings['trash.keep']);
    expect(sources['trash.keepRefs']).toBe('user');
  });

  it('may begin with a byte order mark', () => {
    expect(place({ user: '\ufeffidle = "1h"\r\n' }).load().settings.idle).toBe(3_600_000);
  });
});

describe.each(['user', 'repository'] as const)('a %s file that cannot be used stops everything', (whose) => {
  const fileOf = (made: ReturnType<typeof place>) => (whose === 'user' ? made.userFile : made.repositoryFile);

  it.each([
    ['idel = "1h"', 'unknown setting idel; did you mean idle?'],
    ['[protct]\nbranches = ["x"]', 'unknown setting protct; did you mean protect?'],
    ['[protct]', 'unknown setting protct'],
    ['protect.brances = ["x"]', 'unknown setting protect.brances; did you mean protect.branches?'],
    ['Protect.branches = ["x"]', 'unknown setting Protect'],
    ['branches = ["x"]', 'unknown setting branches; did you mean protect.branches?'],
    ['"protect.branches" = ["x"]', 'unknown setting "protect.branches"; did you mean protect.branches?'],
    ['trash.keeprefs = "1d"', 'did you mean trash.keepRefs'],
    ['xyzzy = 1', 'unknown setting xyzzy'],
    ['[[protect]]\nbranches = []', 'unknown setting protect'],
    ['protect = 1', 'unknown setting protect'],
    ['idle.x = 1', 'idle = a table: write a whole number'],
    ['"" = 1', 'unknown setting ""'],
    ['"a\\u001b[31m" = 1', 'unknown setting "a\\u{1b}[31m"'],
    ['idle = 24', 'idle = 24: write a whole number and s, m, h, d or w, such as "90m" or "7d"'],
    ['idle = "24"', 'idle = "24": write a whole number and'],
    ['idle = true', 'idle = true: write'],
    ['idle = 2026-11-30', 'idle = a date: write'],
    ['idle = ["1h"]', 'idle = ["1h"]: write'],
    ['unused = false', 'unused = false: write'],
    ['protect.branches = "main"', 'protect.branches = "main": write a list'],
    ['protect.branches = ["main", 1]', '1: write a text in quotes'],
    ['protect.branches = [""]', 'not empty'],
    ['protect.branches = [" x"]', 'no blanks around it'],
    ['protect.branches = ["a b"]', 'no branch can have such a name'],
    ['protect.branches = ["release/[0-9]"]', 'no branch can have such a name'],
    ['protect.branches = ["refs/heads/x"]', 'without "refs/heads/"'],
    ['protect.branches = ["a\\nb"]', 'without control'],
    ['protect.branches = ["!"]', 'no branch can have such a name'],
    ['protect.paths = ["/a/../b"]', 'without ".."'],
    ['protect.paths = ["~other/x"]', '~/'],
    ['sweep.kinds = ["worktrees"]', 'write one of "worktree"'],
    ['sweep.worktrees = "none"', 'write one of "all", "managed"'],
    ['reservations.enabled = "yes"', 'write true or false, without quotes'],
  ])('%s', (content, message) => {
    const made = place({ [whose]: content });
    const fault = faultOf(made.load);
    expect(fault.code).toBe('settings-invalid');
    expect(fault.message.startsWith(`${fileOf(made)}: `)).toBe(true);
    expect(fault.message).toContain(message);
    expect(fault.message).not.toMatch(/[^\P{C}\n]/u);
  });

  it('names every problem at once', () => {
    const fault = faultOf(place({ [whose]: 'idle = 1\nunused = 2\ntrash.keep = "x"' }).load);
    expect(fault.message.split('\n')).toHaveLength(3);
    const many = Array.from({ length: 50 }, (_, index) => `x${index} = 1`).join('\n');
    expect(faultOf(place({ [whose]: many }).load).message).toContain('and 30 more');
  });

  it.each([
    'idle = ',
    'idle = "1h"\nidle = "2h"',
    '[a',
    '__proto__ = 1',
    'constructor = 1',
    '\0',
    'x = [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]',
  ])('no TOML: %j', (content) => {
    const made = place({ [whose]: content });
    const fault = faultOf(made.load);
    expect(fault.code).toBe('settings-invalid');
    expect(fault.message).toMatch(/\.toml:\d+:\d+: not TOML: .+$/);
    expect(fault.message.split('\n')).toHaveLength(1);
  });

  it.each([[Buffer.from('idle = "1h" # \xff', 'latin1')], [Buffer.from([0xff, 0xfe, 0x69, 0x00])]])(
    'no UTF-8',
    (content) => {
      const made = place({ [whose]: content });
      expect(faultOf(made.load)).toMatchObject({ code: 'settings-invalid', message: `${fileOf(made)}: not UTF-8` });
    },
  );

  it('larger than 256 KiB', () => {
    expect(place({ [whose]: `#${' '.repeat(256 * 1024 - 1)}` }).load().settings.idle).toBe(86_400_000);
    const made = place({ [whose]: `#${' '.repeat(256 * 1024)}` });
    expect(faultOf(made.load)).toMatchObject({
      code: 'settings-unreadable',
      message: expect.stringContaining('262144'),
    });
  });

  it.each([
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['link', (path: string) => symlinkSync(path, path)],
    ['link', (path: string) => symlinkSync('nowhere', path)],
  ])('%s', (what, make) => {
    const made = place({});
    mkdirSync(dirname(fileOf(made)), { recursive: true });
    make(fileOf(made));
    const fault = faultOf(made.load);
    expect(fault.code).toBe('settings-unreadable');
    expect(fault.message).toContain(`cannot read ${fileOf(made)}: `);
    expect(fault.message).toContain(what);
  });

  it('unreadable', () => {
    const made = place({ [whose]: 'idle = "48h"' });
    chmodSync(fileOf(made), 0o000);
    const body = `return loadSettings(${JSON.stringify(made.where)})`;
    const answer = unprivileged(made.folder, 'config/load.ts', 'loadSettings', body);
    expect(answer).toEqual(['settings-unreadable', `cannot read ${fileOf(made)}: permission denied (EACCES)`]);
  });
});

it('a repository file that is a link is refused', () => {
  const { folder, repositoryFile, load } = place({});
  writeFileSync(join(folder, 'private'), 'secret');
  symlinkSync(join(folder, 'private'), repositoryFile);
  expect(faultOf(load)).toMatchObject({
    code: 'settings-unreadable',
    message: expect.stringContaining('symbolic link'),
  });
});

it.each([
  ['trash.keep = "0s"', 'write at least "1h"'],
  ['trash.keep = "off"', 'write a whole number'],
  ['protect.paths = ["vault"]', 'absolute path'],
  ['probe.lsof = "lsof"', 'absolute path'],
  ['base = "--upload-pack=x"', 'the name of a branch'],
  ['remote = "-x"', 'the name of a remote'],
  ['remote = "a b"', 'the name of a remote'],
  ['identity.holder = "a b"', 'one word'],
  ['ignored.rebuildable = ["*"]', 'almost everything'],
  ['ignored.rebuildable = ["**/.*"]', 'almost everything'],
  ['ignored.rebuildable = ["/out"]', 'a name or a path'],
  ['ignored.rebuildable = ["../out"]', 'a name or a path'],
  ['ignored.rebuildable = ["a/.git"]', 'a name or a path'],
  ['ignored.archiveUpTo = -1', 'whole number of bytes'],
  ['ignored.archiveUpTo = 1.5', 'whole number of bytes'],
  ['ignored.archiveUpTo = 9223372036854775807', 'whole number of bytes'],
  ['forge.hosts = ["https://x"]', 'a host name'],
  ['forge = "none"\nforge.use = "auto"', 'not TOML'],
  ['reservations.namespace = "a..b"', 'letters, digits'],
  ['reservations.workflow = "../x.yml"', 'a file name'],
  ['inbox.records = "/x"', 'a path inside the repository'],
  ['inbox.target = "x"', 'write one of "records", "issues"'],
  ['roots.template = "{home}/worktrees"', '{name} once'],
  ['roots.template = "{home}/{name}/x"', '{name} once'],
  ['roots.template = "{home}/{nmae}"', 'only {home}'],
  ['roots.template = "{home}/../{name}"', 'without ".."'],
  ['roots.template = "worktrees/{name}"', 'begin with'],
  ['roots.template = "/x/{home}/{name}"', 'only stand first'],
])('refuses %s from the user', (content, message) => {
  expect(faultOf(place({ user: content }).load).message).toContain(message);
});

it.each([
  ['ignored.archiveUpTo = 1000', 'ignored.archiveUpTo', 1000],
  ['ignored.archiveUpTo = "2G"', 'ignored.archiveUpTo', 2 * 1024 ** 3],
  ['ignored.rebuildable = ["out/", "web/*.map"]', 'ignored.rebuildable', ['out', 'web/*.map']],
  ['roots.template = "{repository}.worktrees/{name}"', 'roots.template', '{repository}.worktrees/{name}'],
  ['roots.template = "~/wt/{root}/x-{name}"', 'roots.template', '~/wt/{root}/x-{name}'],
  ['reservations.namespace = "team/held"', 'reservations.namespace', 'team/held'],
  ['lock.wait = "0s"', 'lock.wait', 0],
] as const)('accepts %s from the user', (content, key, value) => {
  expect(place({ user: content }).load().settings[key]).toEqual(value);
});
