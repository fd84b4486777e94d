import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protectedBy } from '../../src/config/branch-patterns.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from '../../src/config/table.ts';
import { UserError } from '../../src/judge/facts/user-error.ts';
import { layers, place } from './support.ts';

describe("a repository's file", () => {
  it('tightens', () => {
    const { load, top } = place({
      user: 'protect.branches = ["!main"]',
      repository: `
        idle = "48h"
        trash.keep = "30d"
        protect.paths = ["private", "/srv/x"]
        protect.branches = ["keep/*", "main"]
        sweep.kinds = ["branch"]
        sweep.worktrees = "managed"
        sweep.remoteBranches = "off"
        reservations.enabled = true
      `,
    });
    const { settings, sources, warnings } = load();
    expect(warnings).toEqual([]);
    expect(settings).toMatchObject({
      idle: 172_800_000,
      'trash.keep': 2_592_000_000,
      'protect.paths': [`${top}/private`, '/srv/x'],
      'sweep.kinds': ['branch'],
      'sweep.worktrees': 'managed',
      'sweep.remoteBranches': 'off',
      'reservations.enabled': true,
    });
    expect(settings['protect.branches'].slice(-3)).toEqual(['!main', 'keep/*', 'main']);
    expect(sources).toMatchObject({ idle: 'repository', 'protect.branches': 'repository', unused: 'default' });
  });

  it.each([
    ['idle = "1h"', '"1h" is not used: a repository may only make it longer; "24h" stands'],
    ['idle = "off"', '"0s" is not used'],
    ['unused = "7d"', '"7d" is not used: a repository may only make it longer or switch it off; "off" stands'],
    ['trash.keep = "0s"', '"0s" is not used'],
    ['trash.keepRefs = "1d"', '"24h" is not used'],
    ['protect.branches = ["!main"]', '["!main"] is not used: a repository may only protect more'],
  ])('weakens nothing by %s', (content, text) => {
    const { load, repositoryFile } = place({ repository: content });
    const key = content.split(' ')[0] as SettingKey;
    const loaded = load();
    expect(loaded.settings).toEqual(place({}).load().settings);
    expect(loaded.sources[key]).toBe('default');
    expect(loaded.warnings).toEqual([
      { code: 'setting-weaker', key, text: expect.stringContaining(`${repositoryFile}: ${key} = ${text}`) },
    ]);
  });

  it.each([
    ['sweep.worktrees = "managed"', 'sweep.worktrees = "all"'],
    ['sweep.remoteBranches = "off"', 'sweep.remoteBranches = "mine"'],
    ['reservations.enabled = true', 'reservations.enabled = false'],
    ['sweep.kinds = ["branch"]', 'sweep.kinds = ["branch", "worktree"]'],
    ['unused = "9d"', 'unused = "8d"'],
  ])("keeps the user's %s", (user, repository) => {
    const alone = place({ user }).load();
    const both = place({ user, repository }).load();
    expect(both.settings).toEqual(alone.settings);
    expect(both.sources).toEqual(alone.sources);
    expect(both.warnings).toMatchObject([{ code: 'setting-weaker' }]);
  });

  it('uses the part of a list that tightens', () => {
    const { settings, warnings } = resolveSettings(layers({}, { protect: { branches: ['!main', 'mine'] } }));
    expect(settings['protect.branches'].at(-1)).toBe('mine');
    expect(protectedBy(settings['protect.branches'])('main')).toBe(true);
    expect(warnings).toHaveLength(1);
  });

  const userOnly = SETTING_KEYS.filter((key) => SETTINGS[key].repository.who === 'user');

  it.each(userOnly)('never sets %s, whatever it says', (key) => {
    for (const value of ['x', 1, true, ['a'], '/tmp/evil', 'none']) {
      const document = document_([[key, value]]);
      for (const trusted of [false, true]) {
        const { settings, sources, warnings } = resolveSettings(layers({}, document, trusted));
        expect(settings[key]).toEqual(SETTINGS[key].default);
        expect(sources[key]).toBe('default');
        expect(warnings).toEqual([{ code: 'setting-user-only', key, text: expect.stringContaining(key) }]);
      }
    }
  });

  it('the list of what only the user sets', () => {
    expect(userOnly).toEqual([
      'trash.path',
      'roots.template',
      'roots.also',
      'forge',
      'forge.hosts',
      'inbox.target',
      'inbox.records',
      'lock.wait',
      'probe',
      'probe.lsof',
      'identity.holder',
    ]);
  });

  it('says one warning for each key, and escapes what it quotes', () => {
    const { warnings } = resolveSettings(
      layers({}, { idle: '1h', unused: '1d', identity: { holder: '\u001b[31m\u202e' } }),
    );
    expect(warnings.map(({ key }) => key)).toEqual(['identity.holder', 'idle', 'unused']);
    expect(JSON.stringify(warnings)).not.toMatch(/\p{C}|\\u001b/u);
  });
});

/** A document that sets dotted keys; a key that is also a head is spelled as in a table. */
function document_(pairs: readonly (readonly [SettingKey, unknown])[]): object {
  const root: Record<string, unknown> = {};
  for (const [key, value] of pairs) {
    const row: { readonly inTable?: string } = SETTINGS[key];
    const parts = (row.inTable ?? key).split('.');
    let at = root;
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>;
    }
    at[parts.at(-1) ?? ''] = value;
  }
  return root;
}

const span = fc.tuple(fc.nat(400), fc.constantFrom('s', 'm', 'h', 'd', 'w')).map(([count, unit]) => `${count}${unit}`);
const spanOrOff = fc.oneof({ weight: 9, arbitrary: span }, { weight: 1, arbitrary: fc.constant('off') });
const long = fc.integer({ min: 1, max: 400 }).map((count) => `${count}d`);
const branch = fc.constantFrom('main', 'master', 'release/1', 'release/*', 'keep', 'k*', '*', 'a/b', 'a/*', 'dev');
const kinds = fc.subarray(['worktree', 'branch', 'remote-branch', 'reservation', 'inbox']);
const MEANT: { readonly [K in SettingKey]?: fc.Arbitrary<unknown> } = {
  base: fc.constantFrom('next', 'main'),
  remote: fc.constantFrom('origin', 'upstream'),
  idle: spanOrOff,
  unused: spanOrOff,
  'protect.paths': fc.array(fc.constantFrom('/a', '/b', '~/c', '/d/e')),
  'protect.branches': fc.array(
    fc.oneof(
      branch,
      branch.map((name) => `!${name}`),
    ),
  ),
  'sweep.kinds': kinds,
  'sweep.worktrees': fc.constantFrom('all', 'managed'),
  'sweep.remoteBranches': fc.constantFrom('all', 'mine', 'off'),
  'trash.keep': span,
  'trash.keepRefs': span,
  'trash.path': fc.constantFrom('/x', '/y'),
  'ignored.rebuildable': fc.array(fc.constantFrom('out', 'tmp', '.env')),
  'ignored.precious': fc.constantFrom('archive', 'hold'),
  'ignored.archiveUpTo': fc.oneof(fc.constantFrom('1K', '16MiB', '2G'), fc.nat()),
  forge: fc.constantFrom('auto', 'none'),
  'reservations.enabled': fc.boolean(),
  'reservations.namespace': fc.constantFrom('held', 'x/y'),
  'reservations.remote': fc.constantFrom('origin', 'team'),
  'reservations.workflow': fc.constantFrom('a.yml', 'b.yaml'),
  'probe.lsof': fc.constantFrom('/bin/true', '/bin/false'),
  'identity.holder': fc.constantFrom('me', 'you'),
};
const garbage = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), fc.constant({}), fc.double());

/** What the user may write, or a part of it; always understood. */
const users = someOf({ ...MEANT, 'trash.keep': long, 'trash.keepRefs': long }, 0);
/** What a repository may hold: every key, now and then not even of its kind. */
const repositories = someOf(Object.fromEntries(SETTING_KEYS.map((key) => [key, MEANT[key] ?? garbage])), 1);

function someOf(values: typeof MEANT, odd: number): fc.Arbitrary<object> {
  const pairs = SETTING_KEYS.map((key) => {
    const meant = values[key];
    if (meant === undefined) return fc.constant(null);
    const value = fc.oneof({ weight: 100, arbitrary: meant }, { weight: odd, arbitrary: garbage });
    return fc.option(fc.tuple(fc.constant(key), value), { nil: null, freq: 2 });
  });
  return fc.tuple(...pairs).map((all) => document_(all.filter((pair) => pair !== null)));
}

const includes = (all: readonly unknown[], some: readonly unknown[]) => some.every((entry) => all.includes(entry));
const longer = (value: number, than: number) => value >= than;
const same = (value: unknown, than: unknown) => JSON.stringify(value) === JSON.stringify(than);
const NAMES = ['main', 'master', 'release/1', 'release/1/x', 'keep', 'kept', 'a/b', 'a/c', 'dev', 'other', 'staging'];
const after = (list: readonly string[]) => (value: string, than: string) => list.indexOf(value) >= list.indexOf(than);

/** What at least as strict means; written apart from the table, so that one cannot hide the other's mistake. */
const STRICT: { readonly [K in SettingKey]?: (value: never, than: never) => boolean } = {
  idle: longer,
  unused: (value: number | null, than: number | null) => value === null || (than !== null && value >= than),
  'protect.paths': includes,
  'protect.branches': (value: readonly string[], than: readonly string[]) =>
    NAMES.every((name) => protectedBy(value)(name) || !protectedBy(than)(name)),
  'sweep.kinds': (value: readonly string[], than: readonly string[]) => includes(than, value),
  'sweep.worktrees': after(['all', 'managed']),
  'sweep.remoteBranches': after(['all', 'mine', 'off']),
  'trash.keep': longer,
  'trash.keepRefs': longer,
  'ignored.precious': after(['archive', 'hold']),
  'ignored.archiveUpTo': (value: number, than: number) => value <= than,
  'reservations.enabled': (value: boolean, than: boolean) => value || !than,
};

/** Null when the files are refused as a whole, which changes nothing at all. */
function resolved(user: object, repository: object | null, trusted: boolean): Settings | null {
  try {
    return resolveSettings(layers(user, repository, trusted)).settings;
  } catch (fault) {
    if (fault instanceof UserError) return null;
    throw fault;
  }
}

describe('a repository file can only tighten', () => {
  function check(trusted: boolean, mayChange: readonly SettingKey[]) {
    let compared = 0;
    fc.assert(
      fc.property(users, repositories, (user, repository) => {
        const alone = resolved(user, null, false);
        if (alone === null) throw new Error('the file of the user is not understood');
        const both = resolved(user, repository, trusted);
        if (both === null) return;
        compared++;
        for (const key of SETTING_KEYS) {
          if (mayChange.includes(key)) continue;
          const asStrict = (STRICT[key] ?? same) as (value: unknown, than: unknown) => boolean;
          expect([key, asStrict(both[key], alone[key])]).toEqual([key, true]);
        }
        expect(both['trash.keepRefs']).toBeGreaterThanOrEqual(both['trash.keep']);
      }),
      { numRuns: 600 },
    );
    expect(compared).toBeGreaterThan(200);
  }

  it('while its content is not trusted', () => check(false, []));

  it('and where no trust is asked for, when it is', () => {
    check(true, [
      'base',
      'remote',
      'ignored.rebuildable',
      'reservations.namespace',
      'reservations.remote',
      'reservations.workflow',
    ]);
  });

  it('untrusted, it moves nothing but what it tightens', () => {
    const tightened = SETTING_KEYS.filter((key) => SETTINGS[key].repository.who === 'tighten');
    expect(Object.keys(STRICT).toSorted()).toEqual(
      [...tightened, 'ignored.precious', 'ignored.archiveUpTo'].toSorted(),
    );
  });
});
