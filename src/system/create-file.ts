import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { nativePath } from './bytes.ts';

/** Makes a file for this account alone where nothing is, and syncs it. @param path a byte string. Throws the system's own fault. */
export function createFile(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(nativePath(path), 'wx', 0o600);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
