/** The name of a working copy: random digits in the worktree's own git directory, which go and move with it. */
import { isUtf8 } from 'node:buffer';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { nativePath, toNative } from '../system/bytes.ts';
import { createExclusive } from '../system/exclusive.ts';
import { readBounded } from '../system/files.ts';

const FILE = 'coppice-key';
export const KEY = /^[0-9a-f]{32}$/;

/**
 * The key of the working copy with this git directory (a byte string). Absent: it has none yet, so that no state can
 * name it.
 */
export function readKey(gitDir: string, account: number | null): Fact<string> {
  const bytes = readBounded(nativePath(`${gitDir}/${FILE}`), 64, account === null ? {} : { owner: account });
  if (bytes.kind === 'absent') return bytes;
  if (bytes.kind === 'unknown') return unknown(`its key cannot be read: ${bytes.reason}`);
  const key = bytes.value.toString('latin1').replace(/\n$/, '');
  return KEY.test(key) ? known(key) : unknown('its key is damaged');
}

/**
 * The same, made when it is missing; only for what writes, and under the lifecycle lock.
 * @throws UserError `key-unreadable`, `write-failed`, `state-unusable`
 */
export function ensureKey(gitDir: string, account: number, random: (bytes: number) => Buffer): string {
  const key = readKey(gitDir, account);
  if (key.kind === 'known') return key.value;
  if (key.kind === 'unknown') throw keyUnreadable(gitDir, key.reason);
  if (!isUtf8(Buffer.from(gitDir, 'latin1'))) {
    throw new UserError('state-unusable', `${gitDir} gets no key: its path is no UTF-8`);
  }
  const made = random(16).toString('hex');
  createExclusive(`${toNative(gitDir)}/${FILE}`, Buffer.from(`${made}\n`), 0o600);
  return made;
}

export function keyUnreadable(gitDir: string, reason: string): UserError {
  return new UserError('key-unreadable', `${gitDir}: ${reason}`, {
    hint: `have a look at ${gitDir}/${FILE}; coppice replaces none that it cannot read`,
  });
}
