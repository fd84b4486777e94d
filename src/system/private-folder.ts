/** Folders that only this account may write to. */
import { lstatSync } from 'node:fs';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { nativePath } from './bytes.ts';

/**
 * Proves a folder and each level of `below` in it: a real folder, no link, of this account, writable by nobody else.
 * Absent: one of them is not there. Unknown: why it is not to be trusted.
 *
 * @param folder absolute, as a byte string; what lies above it is not looked at.
 * @param account the user id of this account; null where there is no such thing, and nothing can be proven.
 */
export function provePrivate(folder: string, below: readonly string[], account: number | null): Fact<string> {
  if (account === null) return unknown('accounts cannot be told apart here');
  let at = folder;
  for (const level of ['', ...below]) {
    if (level !== '') at = `${at}/${level}`;
    try {
      const stats = lstatSync(nativePath(at), { throwIfNoEntry: false });
      if (stats === undefined) return absent;
      if (stats.isSymbolicLink()) return unknown(`${at} is a symbolic link`);
      if (!stats.isDirectory()) return unknown(`${at} is no folder`);
      if (stats.uid !== account) return unknown(`${at} belongs to user ${stats.uid}`);
      if ((stats.mode & 0o022) !== 0) return unknown(`others may write to ${at}`);
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      if (code === undefined) throw fault;
      return unknown(`${at} cannot be looked at (${code})`);
    }
  }
  return known(at);
}
