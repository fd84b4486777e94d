/** Folders by names of any bytes. */
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { nativePath } from './bytes.ts';

/** A folder as a program can be started in it, whatever bytes its name has. */
export interface OpenFolder {
  readonly path: string;
  close(): void;
}

/**
 * Programs are started with texts, and a name that is no UTF-8 is none: Linux offers another way to such a folder.
 * Null where there is none. Throws the system's own fault when the folder cannot be opened.
 */
export function openFolder(bytes: string, platform: string): OpenFolder | null {
  if (isUtf8(Buffer.from(bytes, 'latin1'))) {
    return { path: Buffer.from(bytes, 'latin1').toString('utf8'), close: () => undefined };
  }
  if (platform !== 'linux') return null;
  const descriptor = openSync(nativePath(bytes), constants.O_RDONLY | constants.O_DIRECTORY);
  const path = `/proc/${readlinkSync('/proc/self')}/fd/${descriptor}`;
  return { path, close: () => closeSync(descriptor) };
}
