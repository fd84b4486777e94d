/** The token of a lease: who has it may keep the lease alive, and give it back. It is never printed. */
import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../judge/facts/user-error.ts';
import { toByteString } from '../../system/bytes.ts';
import { createExclusive } from '../../system/exclusive.ts';
import { isFaultOf, readBounded, sayFault, writeAtomic } from '../../system/files.ts';
import { ensureFolder, type StateFolder } from '../place.ts';

const TOKEN = /^[0-9a-f]{64}$/;

export const TOKEN_VARIABLE = 'COPPICE_LEASE_TOKEN';

export function newToken(random: (bytes: number) => Buffer): string {
  return random(32).toString('hex');
}

/** What a lease file keeps of it. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** The token in a file; null: there is no file. @throws UserError `token-unreadable` */
export function readToken(path: string, account: number): string | null {
  const bytes = readBounded(path, 256, { owner: account });
  if (bytes.kind === 'absent') return null;
  const token = bytes.kind === 'known' ? bytes.value.toString('latin1').trim() : null;
  if (token !== null && TOKEN.test(token)) return token;
  const why = bytes.kind === 'unknown' ? bytes.reason : 'it holds none';
  throw new UserError('token-unreadable', `no token can be read from ${toByteString(path)}: ${why}`);
}

/** Writes it where a person wants it: nothing may be there. @throws UserError `file-exists`, `write-failed` */
export function writeToken(path: string, token: string): void {
  createExclusive(path, Buffer.from(`${token}\n`), 0o600);
}

/** Writes it where coppice keeps it. What is there is of a lease that is over. */
export function keepToken(folder: StateFolder, key: string, token: string): string {
  const path = `${ensureFolder(folder, 'tokens')}/${key}`;
  writeAtomic(path, Buffer.from(`${token}\n`), 0o600);
  return path;
}

/** Where coppice keeps the token of a working copy. */
export function keptTokenPath(folder: StateFolder, key: string): string {
  return `${folder.path}/tokens/${key}`;
}

/** Removes a token that is good for nothing any more. Only one that coppice itself wrote. */
export function dropToken(path: string): void {
  try {
    unlinkSync(path);
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return;
    throw new UserError('write-failed', `cannot remove the token ${toByteString(basename(path))}: ${sayFault(fault)}`, {
      cause: fault,
    });
  }
}
