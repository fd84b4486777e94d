/** Changes the repository's configuration file by its bytes, under the lock that git itself takes for it. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseConfig } from '../../git/parse/config.ts';
import { runGit } from '../../git/run.ts';
import { toNative } from '../../system/bytes.ts';
import { isFaultOf, sayFault, syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';

/** What is to stand there instead; null: nothing is to be changed. */
type Edit = (bytes: string) => string | null;

/**
 * @returns why nothing was changed; null: it is as wanted.
 * @param isRight what git reads of it before and after, to be compared: keys and values.
 */
export async function editConfig(acting: Acting, edit: Edit, isRight: Judging): Promise<string | null> {
  let file: string;
  try {
    file = realpathSync(toNative(`${acting.commonDir}/config`));
  } catch (fault) {
    return sayFault(fault);
  }
  const lock = `${file}.lock`;
  let descriptor: number;
  try {
    descriptor = openSync(lock, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (fault) {
    return isFaultOf(fault, 'EEXIST') ? 'somebody else is changing it' : sayFault(fault);
  }
  let isOurs = true;
  try {
    try {
      const was = readOwn(file, acting.folder.account);
      if (typeof was === 'string') return was;
      const bytes = was.bytes.toString('latin1');
      const next = edit(bytes);
      if (next === null || next === bytes) return null;
      const written = Buffer.from(next, 'latin1');
      for (let at = 0; at < written.length; ) at += writeSync(descriptor, written, at);
      fchmodSync(descriptor, was.mode);
      fsyncSync(descriptor);
      const [before, after] = [await settingsIn(acting, was.bytes), await settingsIn(acting, written)];
      if (before === null || after === null || !isRight(before, after)) return 'git would read something else from it';
    } finally {
      closeSync(descriptor);
    }
    renameSync(lock, file);
    isOurs = false;
    syncFolder(dirname(file));
    return null;
  } catch (fault) {
    return sayFault(fault);
  } finally {
    if (isOurs) unlinkSync(lock);
  }
}

type Settings = readonly (readonly [key: string, values: readonly string[]])[];
type Judging = (before: Settings, after: Settings) => boolean;

function readOwn(file: string, account: number): { readonly bytes: Buffer; readonly mode: number } | string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    // A new file in its place would be this account's.
    if (!stats.isFile() || stats.uid !== account) return 'it belongs to another account';
    return { bytes: readFileSync(descriptor), mode: stats.mode & 0o7777 };
  } finally {
    closeSync(descriptor);
  }
}

async function settingsIn({ git }: Acting, bytes: Buffer): Promise<Settings | null> {
  const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
  const result = await runGit(git, args, { input: bytes });
  return result.code === 0 && result.cut === null ? [...parseConfig(result.stdout)] : null;
}

/** True when nothing differs but what belongs to these branches. */
export function differsOnlyBy(branches: readonly string[]): Judging {
  const others = (settings: Settings) =>
    JSON.stringify(settings.filter(([key]) => !branches.some((name) => isOf(key, name))));
  return (before, after) => others(before) === others(after);
}

function isOf(key: string, branch: string): boolean {
  const prefix = `branch.${branch}.`;
  return key.startsWith(prefix) && !key.slice(prefix.length).includes('.');
}
