/** Thousands of small repositories are made by tests: where the memory can hold them, the disk need not. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The folder for temporary files. */
export function quickFolder() {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    if (process.env.TMPDIR === undefined && bavail * bsize > 2 * 1024 ** 3) return folder;
  } catch {
    // There is none on this machine.
  }
  return tmpdir();
}
