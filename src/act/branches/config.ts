/** Changes the repository's configuration file by its bytes, under the lock that git itself takes for it. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseConfig } from '../../git/parse/config.ts';
import { runGit } from '../../git/run.ts';
import { toNative } from '../../system/bytes.ts';
import { isFaultOf, sayFault, syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';

/** What is to stand there instead; null: nothing is to be changed. Both byte strings. */
type Edit = (bytes: string) => string | null;
type Settings = readonly (readonly [key: string, values: readonly string[]])[];
/** Whether what git reads of it differs as wanted. */
type Judging = (before: Settings, after: Settings) => boolean;

const MOST_TRIES = 3;

/** No other try will do better. */
export const NOT_OURS = 'it belongs to another account';

/** @returns why nothing was changed; null: it is as wanted. */
export async function editConfig(acting: Acting, edit: Edit, isRight: Judging): Promise<string | null> {
  const next = nextFile(acting);
  try {
    const file = realpathSync(toNative(`${acting.commonDir}/config`));
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const was = readOwn(file, acting.folder.account);
      if (typeof was === 'string') return was;
      const text = edit(was.bytes.toString('latin1'));
      if (text === null) return null;
      const wanted = Buffer.from(text, 'latin1');
      if (wanted.equals(was.bytes)) return null;
      const [before, after] = [await settingsIn(acting, was.bytes), await settingsIn(acting, wanted)];
      if (before === null || after === null || !isRight(before, after)) return 'git would read something else from it';
      writeNext(next, wanted, was.mode);
      if (replace(file, next, was.bytes)) return null;
    }
    return 'somebody else changes it again and again';
  } catch (fault) {
    return isFaultOf(fault, 'EEXIST') ? 'somebody else is changing it' : sayFault(fault);
  } finally {
    freeConfig(acting);
  }
}

/** A lock file that is the very file which was made here is ours: a crash left it. Nobody else's is touched. */
export function freeConfig(acting: Acting): void {
  const next = nextFile(acting);
  const own = lstatSync(next, { throwIfNoEntry: false });
  if (own === undefined) return;
  const lock = `${realpathSync(toNative(`${acting.commonDir}/config`))}.lock`;
  const there = lstatSync(lock, { throwIfNoEntry: false });
  if (there?.ino === own.ino && there.dev === own.dev) unlinkSync(lock);
  unlinkSync(next);
}

function nextFile({ folder }: Acting): string {
  return `${folder.path}/config.next`;
}

function writeNext(path: string, bytes: Buffer, mode: number): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    writeFileSync(descriptor, bytes);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** False: it is not as it was read any more. Throws the system's faults, EEXIST where somebody has the lock. */
function replace(file: string, next: string, was: Buffer): boolean {
  const lock = `${file}.lock`;
  linkSync(next, lock);
  if (!readFileSync(file).equals(was)) {
    unlinkSync(lock);
    return false;
  }
  renameSync(lock, file);
  syncFolder(dirname(file));
  return true;
}

function readOwn(file: string, account: number): { readonly bytes: Buffer; readonly mode: number } | string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    // A new file in its place would be this account's.
    if (!stats.isFile() || stats.uid !== account) return NOT_OURS;
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
  const prefixes = new Set(branches.map((name) => `branch.${name}.`));
  const others = (settings: Settings) =>
    JSON.stringify(settings.filter(([key]) => !prefixes.has(key.slice(0, key.lastIndexOf('.') + 1))));
  return (before, after) => others(before) === others(after);
}
