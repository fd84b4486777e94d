import { accessSync, constants } from 'node:fs';
import { nativePath } from '../../system/bytes.ts';
import { sayFault } from '../../system/files.ts';

/** Whoever moves a folder writes to it and to those between which it is moved. @param folder a byte string. @returns null: this account may. */
export function whyNotWritable(folder: string): string | null {
  try {
    accessSync(nativePath(folder), constants.W_OK | constants.X_OK);
    return null;
  } catch (fault) {
    return `${folder} cannot be written: ${sayFault(fault)}`;
  }
}
