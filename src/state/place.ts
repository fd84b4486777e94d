/** Where a repository's state lies: `<common git dir>/coppice`, a folder of this account alone. */
import { lstatSync } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { nativePath, toNative } from '../system/bytes.ts';
import { ensurePrivateDir, isFaultOf, provePrivateDir, sayFault } from '../system/files.ts';

/** Whose state of which repository. */
export interface StatePlace {
  /** The git directory that all worktrees share, as a byte string. */
  readonly commonDir: string;
  /** The user id of this account; null where there is no such thing: then nothing is believed and nothing written. */
  readonly account: number | null;
}

/** The state of a repository as it may be written; paths are native. */
export interface StateFolder {
  readonly path: string;
  readonly account: number;
}

const NO_ACCOUNT = 'it cannot be told whose files are whose on this platform';
const NO_TEXT = 'the path of the repository is no UTF-8';

/** The folder of the repository's state, proven. Absent costs one look at it, and means that nothing was ever written. */
export function findState(place: StatePlace): Fact<StateFolder> {
  const bytes = `${place.commonDir}/coppice`;
  try {
    lstatSync(nativePath(bytes));
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return absent;
    return unknown(sayFault(fault));
  }
  if (place.account === null) return unknown(NO_ACCOUNT);
  if (!isUtf8(Buffer.from(bytes, 'latin1'))) return unknown(NO_TEXT);
  const path = toNative(bytes);
  const proof = provePrivateDir(path, { account: place.account });
  return proof.kind === 'known' ? known({ path, account: place.account }) : proof;
}

/**
 * The same folder, made when it is missing.
 * @throws UserError `unsafe-folder`, `state-unusable`
 */
export function ensureState({ commonDir, account }: StatePlace): StateFolder {
  const bytes = `${commonDir}/coppice`;
  if (account === null) throw unusable(bytes, NO_ACCOUNT);
  if (!isUtf8(Buffer.from(bytes, 'latin1'))) throw unusable(bytes, NO_TEXT);
  const path = toNative(bytes);
  ensurePrivateDir(path, { account });
  return { path, account };
}

/** A folder in it, made when it is missing. */
export function ensureFolder({ path, account }: StateFolder, name: string): string {
  ensurePrivateDir(`${path}/${name}`, { account, from: path });
  return `${path}/${name}`;
}

/** A folder in it, proven; absent when it is not there. */
export function findFolder(place: StatePlace, name: string): Fact<StateFolder> {
  const state = findState(place);
  if (state.kind !== 'known') return state;
  const { path, account } = state.value;
  const proof = provePrivateDir(`${path}/${name}`, { account, from: path });
  return proof.kind === 'known' ? known({ path: `${path}/${name}`, account }) : proof;
}

function unusable(bytes: string, why: string): UserError {
  return new UserError('state-unusable', `${bytes} is not used: ${why}`);
}
