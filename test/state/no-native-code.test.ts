/** A machine that the native code of the lock was not built for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockFile } from '../../src/system/file-lock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ACCOUNT } from '../support/state.ts';

vi.mock('fs-native-extensions', () => {
  throw new Error('no such build');
});

it('has no lock, and says so', async () => {
  const path = join(temporaryFolder(), 'lock');
  await expect(lockFile(path, { account: ACCOUNT, wait: 0, note: '' })).rejects.toMatchObject({
    code: 'lock-unusable',
    exit: 2,
    message: `${path} cannot be locked: the native code for it cannot be loaded on this machine`,
  });
  expect(existsSync(path)).toBe(false);
});
