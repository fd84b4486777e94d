/** Deletes a folder of our own with all in it. */
import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { UserError } from '../judge/facts/user-error.ts';
import { nativePath, toByteString } from './bytes.ts';
import { mountsBelow, readMounts } from './mounts.ts';

/**
 * A link goes, never what it leads to. Nothing that is mounted in it is entered: then all of it stays.
 * @throws UserError `mount-inside`, and the system's own faults
 */
export function removeTree(path: string, platform: string): void {
  requireUnmounted(path, platform);
  removeBelow(toByteString(path), lstatSync(path).dev);
}

/** @throws UserError `mount-inside` */
export function requireUnmounted(path: string, platform: string): void {
  const bytes = toByteString(path);
  const mounts = readMounts(platform);
  if (mounts.kind === 'known' && mountsBelow(mounts.value, bytes).length === 0) return;
  const why = mounts.kind === 'unknown' ? mounts.reason : 'something is mounted in it';
  throw new UserError('mount-inside', `${bytes} is not deleted: ${why}`);
}

function removeBelow(path: string, device: number): void {
  const native = nativePath(path);
  const stats = lstatSync(native);
  if (stats.dev !== device) throw new UserError('mount-inside', `${path} is not deleted: it is on another device`);
  if (!stats.isDirectory()) {
    unlinkSync(native);
    return;
  }
  // Some tools take away the leave to write to what they made.
  if ((stats.mode & 0o700) !== 0o700) chmodSync(native, 0o700);
  for (const name of readdirSync(native, { encoding: 'buffer' })) {
    removeBelow(`${path}/${name.toString('latin1')}`, device);
  }
  rmdirSync(native);
}
