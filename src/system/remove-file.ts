import { unlinkSync } from 'node:fs';
import { isFaultOf } from './files.ts';

/** Throws the system's own fault. */
export function removeIfThere(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch (fault) {
    if (!isFaultOf(fault, 'ENOENT')) throw fault;
  }
}
