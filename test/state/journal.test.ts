/** The record of what was done. */
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginAct } from '../../src/state/journal.ts';
import { ensureState, type StateFolder } from '../../src/state/place.ts';
import { type Journal, readJournal } from '../../src/state/read-journal.ts';
import { describeProcess } from '../../src/system/self.ts';
import { fileId } from '../../src/system/file-id.ts';
import { temporaryFolder } from '../support/folders.ts';
import { giveToStranger, isRoot } from '../support/other-account.ts';
import { ACCOUNT } from '../support/state.ts';

let commonDir = '';
let folder: StateFolder;
const clock = { time: 0 };
const world = { self: describeProcess(process.pid), now: () => clock.time, random: randomBytes };

beforeEach(() => {
  commonDir = temporaryFolder();
  folder = ensureState({ commonDir, account: ACCOUNT });
  clock.time = Date.UTC(2026, 10, 30, 12);
});

const file = (name = '2026-11.jsonl') => join(folder.path, 'journal', name);

function act(name = 'feature/x', why = 'it is gone') {
  const said = { verb: 'lease', subject: `/srv/${name}`, why, detail: { key: 'k', epoch: 3, from: null } };
  return beginAct(folder, commonDir, world, name, said);
}

function journal(): Journal {
  const read = readJournal({ commonDir, account: ACCOUNT });
  if (read.kind !== 'known') throw new Error(JSON.stringify(read));
  return read.value;
}

describe('the journal', () => {
  it('is absent where nothing was done', () => {
    expect(readJournal({ commonDir, account: ACCOUNT })).toEqual({ kind: 'absent' });
    const recording = act();
    expect(readdirSync(folder.path)).toEqual([]);
    recording.step('intent');
    expect(journal().entries).toHaveLength(1);
  });

  it('gives back what was written, in its order', () => {
    const first = act();
    first.step('intent');
    clock.time += 1500;
    const second = act('caf\xc3\xa9 \xff\n#torn', '');
    second.step('refused');
    first.step('done');
    const common = {
      verb: 'lease',
      account: ACCOUNT,
      pid: process.pid,
      commonDir: fileId(commonDir),
      detail: { key: 'k', epoch: 3, from: null },
    };
    expect(journal()).toEqual({
      entries: [
        {
          ...common,
          id: first.id,
          step: 'intent',
          time: clock.time - 1500,
          subject: '/srv/feature/x',
          why: 'it is gone',
        },
        {
          ...common,
          id: second.id,
          step: 'refused',
          time: clock.time,
          subject: '/srv/caf\xc3\xa9 \xff\n#torn',
          why: '',
        },
        { ...common, id: first.id, step: 'done', time: clock.time, subject: '/srv/feature/x', why: 'it is gone' },
      ],
      torn: [],
      damaged: [],
    });
    expect(first.id).toMatch(/^20261130T120000Z-feature-x-[0-9a-f]{8}$/);
    expect(second.id).toMatch(/^20261130T120001Z-caf-torn-[0-9a-f]{8}$/);
  });

  it('is a line a step, of this account alone, a file a month', () => {
    act().step('intent');
    act().step('intent');
    clock.time = Date.UTC(2026, 11, 1);
    act().step('intent');
    expect(readdirSync(join(folder.path, 'journal'))).toEqual(['2026-11.jsonl', '2026-12.jsonl']);
    expect(readFileSync(file(), 'utf8')).toMatch(/^(?:\{"schema":"coppice\.journal\.v1",.*\}\n){2}$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'journal')).mode & 0o777).toBe(0o700);
    expect(journal().entries.map(({ time }) => new Date(time).getUTCMonth() + 1)).toEqual([11, 11, 12]);
  });

  it.each(['../../x', '', '...', 'A B', '-', 'x'.repeat(300)])('a name like %j stays out of paths', (name) => {
    expect(act(name).id).toMatch(/^\d{8}T\d{6}Z-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{8}$/);
    act(name).step('intent');
    expect(journal()).toMatchObject({ entries: [{ subject: `/srv/${name}` }], damaged: [] });
  });
});

describe('a line that a crash cut off', () => {
  it.each([1, 40, 10_000])('is known as such (%d bytes less)', (missing) => {
    act().step('intent');
    const whole = readFileSync(file(), 'utf8');
    act().step('intent');
    const both = readFileSync(file(), 'utf8');
    writeFileSync(file(), both.slice(0, Math.max(whole.length + 1, both.length - missing)));
    expect(journal()).toMatchObject({
      entries: [{ step: 'intent' }],
      torn: [{ file: '2026-11.jsonl', line: 2 }],
      damaged: [],
    });

    // The next writer leaves it, and its own line is whole.
    act().step('done');
    expect(journal()).toMatchObject({
      entries: [{ step: 'intent' }, { step: 'done' }],
      torn: [{ file: '2026-11.jsonl', line: 2 }],
      damaged: [],
    });
  });

  it('the first line of all', () => {
    act().step('intent');
    writeFileSync(file(), readFileSync(file()).subarray(0, 20));
    expect(journal()).toMatchObject({ entries: [], torn: [{ line: 1 }] });
    act().step('intent');
    expect(journal()).toMatchObject({ entries: [{ step: 'intent' }], torn: [{ line: 1 }], damaged: [] });
  });

  it('an empty file is one without a line', () => {
    act().step('intent');
    writeFileSync(file(), '');
    expect(journal()).toEqual({ entries: [], torn: [], damaged: [] });
  });
});

describe('damage', () => {
  const line = (text: string) => {
    act().step('intent');
    appendFileSync(file(), `${text}\n`);
    act().step('done');
    return journal();
  };

  it.each([
    ['', 'it is empty'],
    ['garbage', 'it is no JSON'],
    ['{}', 'it names no schema'],
    ['{"schema":"coppice.journal.v2"}', 'its schema is not coppice.journal.v1'],
    ['{"schema":"coppice.journal.v1"}', 'it does not follow coppice.journal.v1 at "id"'],
    ['\0'.repeat(64), 'it is no JSON'],
  ])('in the middle is a fault: %j', (text, why) => {
    expect(line(text)).toMatchObject({
      entries: [{ step: 'intent' }, { step: 'done' }],
      torn: [],
      damaged: [{ file: '2026-11.jsonl', line: 2, why }],
    });
  });

  it.each([
    ['id', 'x'],
    ['id', '../20261130T120000Z-x-00000000'],
    ['time', '2026-11-30T12:00:00'],
    ['verb', 'Lease'],
    ['step', ''],
    ['detail', { a: [] }],
    ['account', -1],
    ['commonDir', { device: '1', inode: 'x' }],
    ['more', 1],
  ])('an entry whose %s is %j', (field, value) => {
    act().step('intent');
    const entry = { ...JSON.parse(readFileSync(file(), 'utf8')), [field]: value };
    writeFileSync(file(), `${JSON.stringify(entry)}\n`);
    const { entries, damaged } = journal();
    expect(entries).toEqual([]);
    expect(damaged[0]?.why).toContain(`it does not follow coppice.journal.v1 at "${field}`);
  });

  it('a file that is none of the journal, and one that cannot be read, are faults too', () => {
    act().step('intent');
    writeFileSync(file('notes.txt'), '');
    writeFileSync(file('2026-10.jsonl'), '');
    chmodSync(file('2026-10.jsonl'), 0o666);
    expect(journal()).toMatchObject({
      entries: [{ step: 'intent' }],
      damaged: [
        { file: '2026-10.jsonl', line: 0, why: 'others may write it' },
        { file: 'notes.txt', line: 0, why: 'it is no file of the journal' },
      ],
    });
  });

  it('a folder that is not to be believed is unknown', () => {
    act().step('intent');
    chmodSync(join(folder.path, 'journal'), 0o777);
    expect(readJournal({ commonDir, account: ACCOUNT })).toMatchObject({ kind: 'unknown' });
  });
});

describe('what cannot be put on record is refused before anything is changed', () => {
  const spoiled: Readonly<Record<string, readonly [string, () => void]>> = {
    'a link': ['it is a symbolic link', () => symlinkSync('elsewhere', file())],
    'a folder': ['it is a folder (EISDIR)', () => mkdirSync(file())],
    'a file that others may write': [
      'others may write it',
      () => {
        writeFileSync(file(), '');
        chmodSync(file(), 0o606);
      },
    ],
    ...(isRoot && {
      "another account's file": [
        `it belongs to user 65533, not to ${ACCOUNT}`,
        () => {
          writeFileSync(file(), '');
          giveToStranger(file());
        },
      ],
    }),
  };

  it.each(Object.entries(spoiled))('%s in its place', (_, [why, spoil]) => {
    act().step('intent');
    rmSync(file());
    spoil();
    expect(() => act().step('intent')).toThrow(`nothing was changed, because ${file()} cannot be written: ${why}`);
  });

  it('an entry that is too large', () => {
    expect(() => act('x', 'y'.repeat(70_000)).step('intent')).toThrow(/the entry is too large/);
    expect(readdirSync(join(folder.path, 'journal'))).toEqual([]);
  });
});
