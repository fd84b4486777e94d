/** The kernel lock. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Locking, lockFile } from '../../src/system/file-lock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { killHolder, startHolder } from '../support/lock-holder.ts';
import { giveToStranger, isRoot } from '../support/other-account.ts';
import { run } from '../support/processes.ts';
import { ACCOUNT } from '../support/state.ts';

/** Asked before the kernel is, so that a test can do something between the opening of the file and the lock. */
const { before } = vi.hoisted(() => ({ before: { lock: () => {} } }));
vi.mock('fs-native-extensions', async (original) => {
  const real = await original<{ tryLock(descriptor: number): boolean }>();
  return {
    tryLock(descriptor: number) {
      before.lock();
      return real.tryLock(descriptor);
    },
  };
});

let path = '';
beforeEach(() => {
  path = join(temporaryFolder(), 'lock');
  before.lock = () => {};
});

async function lock(wait = 0, note = 'mine'): Promise<Locking> {
  const locking = await lockFile(path, { account: ACCOUNT, wait, note });
  if (locking.kind === 'locked') onTestFinished(locking.release);
  return locking;
}

/** Releases before the test ends; to close a descriptor twice would close another one's. */
async function held(note?: string): Promise<() => void> {
  const locking = await lockFile(path, { account: ACCOUNT, wait: 0, note: note ?? 'mine' });
  if (locking.kind !== 'locked') throw new Error('busy');
  return locking.release;
}

describe('the lock on a file', () => {
  it('is had by one at a time, and tells the others what its holder wrote', async () => {
    const release = await held('first');
    expect(await lock()).toEqual({ kind: 'busy', note: 'first' });
    release();
    expect(await lock(0, 'second')).toMatchObject({ kind: 'locked' });
    expect(readFileSync(path, 'utf8')).toBe('second');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is waited for', async () => {
    const release = await held();
    let asked = 0;
    before.lock = () => {
      asked += 1;
      // The first time it is still held.
      if (asked === 1) setImmediate(release);
    };
    expect(await lock(10_000)).toMatchObject({ kind: 'locked' });
    expect(asked).toBeGreaterThan(1);
  });

  it('a shorter note leaves nothing of a longer one', async () => {
    (await held('a long note of somebody else'))();
    (await held('short'))();
    expect(readFileSync(path, 'utf8')).toBe('short');
  });

  it('ends with the process that holds it, however that ends', async () => {
    const holder = await startHolder(path, 'theirs');
    expect(await lock()).toEqual({ kind: 'busy', note: 'theirs' });
    await killHolder(holder);
    expect(await lock()).toMatchObject({ kind: 'locked' });
  });

  it('is not inherited by programs that are started meanwhile', async () => {
    const release = await held();
    const child = spawn('sleep', ['60'], { stdio: ['ignore', 'inherit', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.once('spawn', resolve));
    release();
    expect(await lock()).toMatchObject({ kind: 'locked' });
    expect(child.exitCode).toBeNull();
  });

  it('is on what lies there, also when somebody puts another file in its place meanwhile', async () => {
    let replaced = 0;
    before.lock = () => {
      if (replaced > 0) return;
      replaced += 1;
      writeFileSync(`${path}.other`, '', { mode: 0o600 });
      renameSync(`${path}.other`, path);
    };
    expect(await lock(1000)).toMatchObject({ kind: 'locked' });
    expect(replaced).toBe(1);
    expect(await lock()).toEqual({ kind: 'busy', note: 'mine' });
  });

  it('a file that was removed meanwhile is made anew', async () => {
    let removed = 0;
    before.lock = () => {
      if (removed > 0) return;
      removed += 1;
      renameSync(path, `${path}.gone`);
    };
    expect(await lock(1000)).toMatchObject({ kind: 'locked' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

describe('is refused on', () => {
  const unusable: Readonly<Record<string, readonly [string, () => void]>> = {
    'a symbolic link': ['it is a symbolic link', () => symlinkSync('elsewhere', path)],
    'a folder': ['it is a folder (EISDIR)', () => mkdirSync(path)],
    'a FIFO': [
      'it is a FIFO, not a file',
      () => void run('mkfifo', [path], { cwd: '/', env: { PATH: '/usr/bin:/bin' } }),
    ],
    'a file that others may write': [
      'others may write it',
      () => {
        writeFileSync(path, '');
        chmodSync(path, 0o620);
      },
    ],
    'a file that is no lock': [
      'it is larger than 4096 bytes',
      () => writeFileSync(path, 'x'.repeat(5000), { mode: 0o600 }),
    ],
    'a folder that is not there': [
      'not there (ENOENT)',
      () => {
        path = join(path, 'lock');
      },
    ],
    ...(isRoot && {
      "another account's file": [
        `it belongs to user 65533, not to ${ACCOUNT}`,
        () => {
          writeFileSync(path, '', { mode: 0o600 });
          giveToStranger(path);
        },
      ],
    }),
  };

  it.each(Object.entries(unusable))('%s', async (_, [why, make]) => {
    make();
    await expect(lock()).rejects.toMatchObject({ code: 'lock-unusable', message: `${path} cannot be locked: ${why}` });
    expect(existsSync(join(path, '..', 'elsewhere'))).toBe(false);
  });
});
