/** Paths as byte strings. */
import { realpathSync } from 'node:fs';
import { nativePath } from './bytes.ts';

/** True when `path` is `folder` or lies in it; by name, so both without links on the way. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Without links on the way. Throws the system's own fault. Of the two that Node has only this one takes names of any bytes. */
export function realPath(path: string): string {
  return realpathSync.native(nativePath(path), { encoding: 'buffer' }).toString('latin1');
}

/** The same; the path itself where it cannot be told. */
export function realPathOr(path: string): string {
  try {
    return realPath(path);
  } catch {
    // Where nothing is, its name is all there is.
    return path;
  }
}
