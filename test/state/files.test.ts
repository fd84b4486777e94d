/** State files: what is read of them, and what is not believed. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureState } from '../../src/state/place.ts';
import { acquireLease } from '../../src/state/leases/acquire.ts';
import { readLease, readLeases } from '../../src/state/leases/read.ts';
import { LEASE_FORM } from '../../src/state/leases/record.ts';
import { readRuns } from '../../src/state/runs/read.ts';
import { RUN_FORM } from '../../src/state/runs/record.ts';
import { startRun } from '../../src/state/runs/write.ts';
import { type Form, LARGEST_STATE, parseState, readState, writeState } from '../../src/state/store.ts';
import { temporaryFolder } from '../support/folders.ts';
import { giveToStranger, isRoot } from '../support/other-account.ts';
import { run } from '../support/processes.ts';
import { Repository, temporaryRepository } from '../support/repository.ts';
import { ACCOUNT, leaseFile, makeState, stateOf, wish, worldOf } from '../support/state.ts';

type Fields = Record<string, unknown>;

const LEASE: Fields = {
  schema: 'coppice.state.lease.v1',
  worktree: '/srv/app',
  branch: 'refs/heads/x',
  head: 'a'.repeat(40),
  task: 'T-1',
  pullRequest: 7,
  gate: null,
  owner: 'ash',
  purpose: null,
  tokenHash: 'b'.repeat(64),
  epoch: 1,
  acquired: '2026-11-30T12:00:00Z',
  heartbeat: '2026-11-30T12:30:00Z',
  expires: '2026-11-30T14:00:00Z',
  released: null,
  pid: 4711,
  start: 99,
  host: 'oak',
  bootId: null,
};

const RUN: Fields = {
  schema: 'coppice.state.run.v1',
  id: '20261130T120000Z-0123abcd',
  title: 'release',
  lanes: [{ task: 'T-1', worktree: '/srv/app', key: null, branch: null }],
  started: '2026-11-30T12:00:00Z',
  updated: '2026-11-30T12:30:00Z',
  finished: null,
  lease: 86_400_000,
};

/** What is wrong, what is written there, and how the reason begins. */
type Malformed = readonly [what: string, text: string, why: string];

const change = (base: Fields) => (fields: Fields) => JSON.stringify({ ...base, ...fields });
const without = (base: Fields, field: string) => {
  return JSON.stringify(Object.fromEntries(Object.entries(base).filter(([name]) => name !== field)));
};
const lease = change(LEASE);
const runWith = change(RUN);
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const TEXTS: readonly Malformed[] = [
  ['empty', '', 'it is empty'],
  ['blank', ' \n', 'it is no JSON'],
  ['truncated', lease({}).slice(0, -20), 'it is no JSON'],
  ['garbage', '\0\x01\xff', 'it is no JSON'],
  ['bytes that are no UTF-8', `"\xff"`, 'it is no JSON'],
  ['a mark before the text', '\u{feff}{}', 'it is no JSON'],
  ['two documents', `${lease({})}${lease({})}`, 'it is no JSON'],
  ['null', 'null', 'it is no JSON object'],
  ['a list', '[]', 'it is no JSON object'],
  ['a text', '"lease"', 'it is no JSON object'],
  ['nothing in it', '{}', 'it names no schema'],
  ['no schema', without(LEASE, 'schema'), 'it names no schema'],
  ['a schema that is no text', lease({ schema: 1 }), 'it names no schema'],
  ['another version', lease({ schema: 'coppice.state.lease.v2' }), 'its schema is not coppice.state.lease.v1'],
  ['another kind', JSON.stringify(RUN), 'its schema is not coppice.state.lease.v1'],
  ['deeper than any', deep, 'it holds what no state file holds'],
  ['a key that objects have anyway', lease({}).replace('{', '{"__proto__":{},'), 'it holds what no state file holds'],
  ['a key that all objects inherit', lease({ constructor: 1 }), 'it holds what no state file holds'],
  ['half a character', lease({ task: 'x\ud800' }), 'it holds what no state file holds'],
];

const LEASES: readonly Malformed[] = [
  ['an extra key', lease({ more: 1 }), 'it does not follow coppice.state.lease.v1 at "more"'],
  ...Object.keys(LEASE)
    .filter((field) => field !== 'schema')
    .map(
      (field): Malformed => [
        `no ${field}`,
        without(LEASE, field),
        `it does not follow coppice.state.lease.v1 at "${field}"`,
      ],
    ),
  ...(
    [
      ['worktree', 'relative'],
      ['worktree', '/a\0b'],
      ['branch', 'x'],
      ['branch', 'refs/heads/a..b'],
      ['head', 'abc'],
      ['head', 'A'.repeat(40)],
      ['task', 'x'.repeat(1025)],
      ['task', 5],
      ['pullRequest', 0],
      ['pullRequest', 1.5],
      ['pullRequest', '7'],
      ['tokenHash', 'b'.repeat(63)],
      ['tokenHash', null],
      ['epoch', 0],
      ['epoch', 1.5],
      ['epoch', '1'],
      ['acquired', '2026-11-30T12:00:00'],
      ['acquired', '2026-11-30T12:00:00+00:00'],
      ['heartbeat', '2026-11-31T12:00:00Z'],
      ['expires', 'NaN'],
      ['expires', null],
      ['expires', 1_796_040_000],
      ['released', 'never'],
      ['pid', -1],
      ['start', 1.5],
    ] as const
  ).map(([field, value]): Malformed => {
    return [
      `${field} ${JSON.stringify(value).slice(0, 40)}`,
      lease({ [field]: value }),
      `it does not follow coppice.state.lease.v1 at "${field}"`,
    ];
  }),
  ['a time that is no number', lease({ expires: 0 }).replace('"expires":0', '"expires":NaN'), 'it is no JSON'],
  [
    'an epoch without end',
    lease({ epoch: 0 }).replace('"epoch":0', '"epoch":1e999'),
    'it does not follow coppice.state.lease.v1 at "epoch"',
  ],
  [
    'a heartbeat before it was acquired',
    lease({ heartbeat: '2026-11-30T11:59:59Z' }),
    'it does not follow coppice.state.lease.v1: its heartbeat is before it was acquired',
  ],
  [
    'an end before it was acquired',
    lease({ expires: '2026-11-30T11:00:00Z' }),
    'it does not follow coppice.state.lease.v1: it expires before it was acquired',
  ],
  [
    'an end when it was acquired',
    lease({ expires: '2026-11-30T12:00:00Z' }),
    'it does not follow coppice.state.lease.v1: it expires before it was acquired',
  ],
  [
    'more than 30 days',
    lease({ expires: '2026-12-30T12:30:01Z' }),
    'it does not follow coppice.state.lease.v1: it lasts longer than 30 days',
  ],
  [
    'released before it began',
    lease({ released: '2026-11-30T11:00:00Z' }),
    'it does not follow coppice.state.lease.v1: it was released before it began',
  ],
];

const RUNS: readonly Malformed[] = [
  ['an extra key', runWith({ more: 1 }), 'it does not follow coppice.state.run.v1 at "more"'],
  ...Object.keys(RUN)
    .filter((field) => field !== 'schema')
    .map(
      (field): Malformed => [
        `no ${field}`,
        without(RUN, field),
        `it does not follow coppice.state.run.v1 at "${field}"`,
      ],
    ),
  [
    'an id that is a path',
    runWith({ id: '../20261130T120000Z-0123abcd' }),
    'it does not follow coppice.state.run.v1 at "id"',
  ],
  ['no lane', runWith({ lanes: [] }), 'it does not follow coppice.state.run.v1 at "lanes"'],
  [
    'a lane with a key that is none',
    runWith({ lanes: [{ task: '', worktree: '/a', key: 'x', branch: null }] }),
    'it does not follow coppice.state.run.v1 at "lanes.0.key"',
  ],
  [
    'a lane with an extra key',
    runWith({ lanes: [{ task: '', worktree: '/a', key: null, branch: null, more: 1 }] }),
    'it does not follow coppice.state.run.v1 at "lanes.0.more"',
  ],
  [
    'a lane elsewhere',
    runWith({ lanes: [{ task: '', worktree: 'a', key: null, branch: null }] }),
    'it does not follow coppice.state.run.v1 at "lanes.0.worktree"',
  ],
  [
    'a lease without end',
    runWith({ lease: 0 }).replace('"lease":0', '"lease":1e999'),
    'it does not follow coppice.state.run.v1 at "lease"',
  ],
  ['a lease of no time', runWith({ lease: 0 }), 'it does not follow coppice.state.run.v1 at "lease"'],
  [
    'a lease of more than 30 days',
    runWith({ lease: 31 * 86_400_000 }),
    'it does not follow coppice.state.run.v1 at "lease"',
  ],
  [
    'updated before it began',
    runWith({ updated: '2026-11-30T11:00:00Z' }),
    'it does not follow coppice.state.run.v1: it was updated before it began',
  ],
  [
    'finished before it began',
    runWith({ finished: '2026-11-30T11:00:00Z' }),
    'it does not follow coppice.state.run.v1: it was finished before it began',
  ],
];

const reading = <T>(form: Form<T>, text: string) =>
  parseState(Buffer.from(text, text.includes('\xff') ? 'latin1' : 'utf8'), form);

describe('a file that says what it should', () => {
  it('is read: a lease', () => {
    expect(reading(LEASE_FORM, JSON.stringify(LEASE))).toMatchObject({
      kind: 'known',
      value: { worktree: '/srv/app', epoch: 1, acquired: Date.UTC(2026, 10, 30, 12), released: null },
    });
  });

  it('is read: a run', () => {
    expect(reading(RUN_FORM, JSON.stringify(RUN))).toMatchObject({ kind: 'known', value: { title: 'release' } });
  });

  it('is read: thirty days to the second', () => {
    expect(reading(LEASE_FORM, lease({ expires: '2026-12-30T12:30:00Z' })).kind).toBe('known');
  });
});

describe('is not believed', () => {
  it.each(TEXTS)('%s', (_, text, reason) => expect(reading(LEASE_FORM, text)).toEqual({ kind: 'unknown', reason }));
  it.each(LEASES)('a lease: %s', (_, text, reason) =>
    expect(reading(LEASE_FORM, text)).toEqual({ kind: 'unknown', reason }),
  );
  it.each(RUNS)('a run: %s', (_, text, reason) => expect(reading(RUN_FORM, text)).toEqual({ kind: 'unknown', reason }));
});

describe('a place where a state file should be', () => {
  let path = '';
  beforeEach(() => {
    path = join(temporaryFolder(), 'file.json');
    writeFileSync(path, JSON.stringify(LEASE), { mode: 0o600 });
  });
  const aside = () => renameSync(path, `${path}.aside`);

  const spoiled: Readonly<Record<string, readonly [string, () => void]>> = {
    'a huge file': [
      'it is larger than 65536 bytes',
      () => writeFileSync(path, JSON.stringify(LEASE) + ' '.repeat(LARGEST_STATE)),
    ],
    'a FIFO': [
      'it is a FIFO, not a file',
      () => {
        aside();
        run('mkfifo', [path], { cwd: '/', env: { PATH: '/usr/bin:/bin' } });
      },
    ],
    'a symbolic link to a good one': [
      'it is a symbolic link',
      () => {
        aside();
        symlinkSync(`${path}.aside`, path);
      },
    ],
    'a symbolic link to nothing': [
      'it is a symbolic link',
      () => {
        aside();
        symlinkSync('nothing', path);
      },
    ],
    'a folder': [
      'it is a folder, not a file',
      () => {
        aside();
        mkdirSync(path);
      },
    ],
    'a file that the group may write': ['others may write it', () => chmodSync(path, 0o620)],
    'a file that everybody may write': ['others may write it', () => chmodSync(path, 0o602)],
    ...(isRoot && {
      "another account's file": [`it belongs to user 65533, not to ${ACCOUNT}`, () => giveToStranger(path)],
    }),
  };

  it.each(Object.entries(spoiled))('%s is not believed', (_, [reason, spoil]) => {
    expect(readState(path, LEASE_FORM, ACCOUNT).kind).toBe('known');
    spoil();
    expect(readState(path, LEASE_FORM, ACCOUNT)).toEqual({ kind: 'unknown', reason });
  });

  it('nothing is absent', () => {
    rmSync(path);
    expect(readState(path, LEASE_FORM, ACCOUNT)).toEqual({ kind: 'absent' });
  });

  it('what is written is read again, private, without anything left beside', () => {
    const read = readState(path, LEASE_FORM, ACCOUNT);
    if (read.kind !== 'known') throw new Error(read.kind);
    chmodSync(path, 0o666);
    const value = { ...read.value, task: 'caf\xc3\xa9 \xff \n', epoch: 2 };
    writeState(path, LEASE_FORM, value);
    expect(readState(path, LEASE_FORM, ACCOUNT)).toEqual({ kind: 'known', value });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))[0]).toBe('schema');
    expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
  });

  it('what could not be read again is not written', () => {
    const read = readState(path, LEASE_FORM, ACCOUNT);
    if (read.kind !== 'known') throw new Error(read.kind);
    const before = readFileSync(path, 'utf8');
    expect(() => writeState(path, LEASE_FORM, { ...read.value, expires: read.value.acquired })).toThrow(/not written/);
    expect(() => writeState(path, LEASE_FORM, { ...read.value, task: 'x'.repeat(LARGEST_STATE) })).toThrow(
      /larger than/,
    );
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('the folders of the state', () => {
  const template = new Repository();
  beforeAll(async () => {
    const world = worldOf(template);
    await acquireLease(world, wish(template.work), { holder: world.self, keepsToken: true });
    const lanes = [{ task: 'T-1', path: template.work }];
    await startRun(world, { directory: template.work, title: 'release', lanes, lease: 86_400_000 });
    return () => template.remove();
  });
  const placeOf = (repository: Repository) => ({ commonDir: join(repository.work, '.git'), account: ACCOUNT });
  const kinds = (repository: Repository) => {
    const place = placeOf(repository);
    return [readLeases(place), readRuns(place)].map((fact) => (fact.kind === 'unknown' ? fact.reason : fact.kind));
  };

  it('are read', () => {
    const r = temporaryRepository(template);
    const leases = readLeases(placeOf(r));
    if (leases.kind !== 'known') throw new Error(leases.kind);
    expect([...leases.value.byKey.values()]).toMatchObject([{ kind: 'known', value: { epoch: 1 } }]);
    expect(leases.value.strays).toEqual([]);
    expect(readRuns(placeOf(r))).toMatchObject({
      kind: 'known',
      value: { runs: [{ title: 'release' }], unreadable: [] },
    });
  });

  it('are absent where nothing was ever written', () => {
    expect(kinds(temporaryRepository())).toEqual(['absent', 'absent']);
    const r = temporaryRepository();
    makeState(r);
    expect(kinds(r)).toEqual(['absent', 'absent']);
  });

  const spoiled: Readonly<Record<string, readonly [reason: string | RegExp, (path: string) => void]>> = {
    'which the group may write': [/others may write it$/, (path) => chmodSync(path, 0o720)],
    'which is a link to such a folder': [
      /it is a symbolic link, not a folder$/,
      (path) => {
        renameSync(path, `${path}.aside`);
        symlinkSync(`${path}.aside`, path);
      },
    ],
    'which is a link to nothing': [
      /it is a symbolic link/,
      (path) => {
        rmSync(path, { recursive: true });
        symlinkSync('nothing', path);
      },
    ],
    'which is a file': [
      /it is a file, not a folder$/,
      (path) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, '');
      },
    ],
    ...(isRoot && { 'which is of another account': [/it belongs to user 65533, not to/, giveToStranger] }),
  };

  it.each(Object.entries(spoiled))('a folder %s is not believed', (_, [reason, spoil]) => {
    const r = temporaryRepository(template);
    spoil(stateOf(r));
    expect(kinds(r)).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)]);
    for (const [at, name] of ['leases', 'runs'].entries()) {
      const other = temporaryRepository(template);
      spoil(stateOf(other, name));
      expect(kinds(other)[at]).toMatch(reason);
      expect(kinds(other)[1 - at]).toBe('known');
    }
  });

  it('one damaged lease says nothing of the others', () => {
    const r = temporaryRepository(template);
    const key = 'f'.repeat(32);
    writeFileSync(stateOf(r, 'leases', `${key}.json`), '', { mode: 0o600 });
    const leases = readLeases(placeOf(r));
    if (leases.kind !== 'known') throw new Error(leases.kind);
    expect([...leases.value.byKey.values()].map(({ kind }) => kind).toSorted()).toEqual(['known', 'unknown']);
    expect(readLease(placeOf(r), key)).toEqual({ kind: 'unknown', reason: 'it is empty' });
    expect(readLease(placeOf(r), 'e'.repeat(32))).toEqual({ kind: 'absent' });
  });

  it('what is no lease is named, and a file that a crash left is passed over', () => {
    const r = temporaryRepository(template);
    const names = ['notes.txt', 'ABC.json', `${'0'.repeat(33)}.json`, 'caf\u00e9'];
    for (const name of [...names, '.coppice-0123456789abcdef.tmp']) writeFileSync(stateOf(r, 'leases', name), '');
    expect(readLeases(placeOf(r))).toMatchObject({
      value: { strays: [`${'0'.repeat(33)}.json`, 'ABC.json', 'caf\xc3\xa9', 'notes.txt'] },
    });
  });

  it('what is no run, or another one than its name says, is named', () => {
    const r = temporaryRepository(template);
    const [name = ''] = readdirSync(stateOf(r, 'runs'));
    linkSync(stateOf(r, 'runs', name), stateOf(r, 'runs', '20200101T000000Z-00000000.json'));
    writeFileSync(stateOf(r, 'runs', 'notes.txt'), '');
    writeFileSync(stateOf(r, 'runs', '20210101T000000Z-00000000.json'), '{', { mode: 0o600 });
    writeFileSync(stateOf(r, 'runs', '.coppice-0123456789abcdef.tmp'), '');
    expect(readRuns(placeOf(r))).toMatchObject({
      value: {
        runs: [{ title: 'release' }],
        unreadable: [
          { file: '20200101T000000Z-00000000.json', reason: `it is of run ${name.replace('.json', '')}` },
          { file: '20210101T000000Z-00000000.json', reason: 'it is no JSON' },
          { file: 'notes.txt', reason: 'it is no file of a run' },
        ],
      },
    });
  });

  it('where the path of the repository is no UTF-8, what is there is unknown, and nothing is written', async () => {
    const r = temporaryRepository(template);
    const moved = Buffer.concat([Buffer.from(`${r.places.root}/`), Buffer.from([0xff])]);
    renameSync(r.work, moved);
    const place = { commonDir: `${moved.toString('latin1')}/.git`, account: ACCOUNT };
    expect(readLeases(place)).toEqual({ kind: 'unknown', reason: 'the path of the repository is no UTF-8' });
    expect(() => ensureState(place)).toThrow(/the path of the repository is no UTF-8$/);
    rmSync(Buffer.concat([moved, Buffer.from('/.git/coppice')]), { recursive: true });
    expect(readLeases(place)).toEqual({ kind: 'absent' });
    expect(() => ensureState(place)).toThrow(/the path of the repository is no UTF-8$/);
    rmSync(moved, { recursive: true });
  });

  it('nothing is believed where accounts cannot be told', () => {
    const r = temporaryRepository(template);
    const place = { ...placeOf(r), account: null };
    expect(readLeases(place)).toMatchObject({ kind: 'unknown' });
    expect(readRuns(place)).toMatchObject({ kind: 'unknown' });
    expect(readLeases({ ...place, commonDir: r.places.home })).toEqual({ kind: 'absent' });
  });

  it('the lease of the template is where its key says', () => {
    const r = temporaryRepository(template);
    const key = readFileSync(join(r.work, '.git', 'coppice-key'), 'utf8').trim();
    expect(leaseFile(r)).toBe(stateOf(r, 'leases', `${key}.json`));
    expect(readLease(placeOf(r), key)).toMatchObject({ kind: 'known' });
  });
});
