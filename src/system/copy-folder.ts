/** Copies a folder of our own, with modes, times and links. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { nativePath } from './bytes.ts';
import { isFaultOf, syncFolder } from './files.ts';

/**
 * Both are byte strings; nothing may be at `to`. Throws the system's own fault, and leaves what was made until then.
 * @param isShared of what nobody ever writes to again a second name is enough; asked by the path below the folder.
 */
export function copyFolder(from: string, to: string, isShared: (path: string) => boolean): void {
  const copy = (path: string) => {
    const [source, target] = [nativePath(from + path), nativePath(to + path)];
    const stats = lstatSync(source);
    if (stats.isDirectory()) {
      mkdirSync(target, 0o700);
      for (const name of readdirSync(source, { encoding: 'buffer' })) copy(`${path}/${name.toString('latin1')}`);
      syncFolder(target);
    } else if (stats.isSymbolicLink()) {
      symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
      return;
    } else if (isShared(path) && hasLinked(source, target)) return;
    else copyFile(source, target);
    chmodSync(target, stats.mode & 0o7777);
    // By the time of an index git tells which files could have been written after it. An earlier one makes it look into
    // more of them, a later one into fewer.
    const written = Math.floor(stats.mtimeMs) / 1000;
    utimesSync(target, written, written);
  };
  copy('');
}

function hasLinked(source: string | Buffer, target: string | Buffer): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch (fault) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].some((code) => isFaultOf(fault, code))) return false;
    throw fault;
  }
}

function copyFile(source: string | Buffer, target: string | Buffer): void {
  copyFileSync(source, target, constants.COPYFILE_EXCL);
  const descriptor = openSync(target, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
