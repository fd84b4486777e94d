/** Can a worktree be moved into a trash? A rename stays in one mount, and needs leave to write on both sides. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { TrashPlace } from '../../judge/facts/worktree.ts';
import { nativePath, toByteString, toNative } from '../../system/bytes.ts';
import { isFaultOf, provePrivateDir, sayFault } from '../../system/files.ts';
import { type Mount, mountOf } from '../../system/mounts.ts';
import { isWithin, realPath } from '../../system/paths.ts';
import { whyNotWritable } from './writable.ts';

export interface Movable {
  readonly path: string;
  /** The same without links on the way. */
  readonly realPath: string;
}

/** What is known of the machine. */
export interface Ground {
  readonly mounts: Fact<readonly Mount[]>;
  /** The user id of this account; null where there is no such thing. */
  readonly account: number | null;
}

/** The first of `trashes` that will do. Absent: what is mounted is not known, which holds it anyway. */
export function trashFor(
  { path, realPath: real }: Movable,
  trashes: readonly TrashPlace[],
  { mounts, account }: Ground,
): Fact<TrashPlace> {
  if (mounts.kind !== 'known') return absent;
  if (account === null) return unknown('it cannot be told whose files are whose on this platform');
  try {
    const stuck = whyNotWritable(posix.dirname(path)) ?? whyNotWritable(path);
    if (stuck !== null) return unknown(stuck);
    const own = placeIn(mounts.value, real);
    const whys: string[] = [];
    for (const trash of trashes) {
      const why = whyNot(trash.folder, real, own, mounts.value) ?? whyNotPrivate(trash, account);
      if (why === null) return known(trash);
      whys.push(`${trash.folder} ${why}`);
    }
    return unknown(whys.join(', '));
  } catch (fault) {
    return unknown(sayFault(fault));
  }
}

/** As it will be proven when it is made. */
function whyNotPrivate({ folder, from }: TrashPlace, account: number): string | null {
  const [native, first] = [toNative(folder), toNative(from)];
  if (toByteString(native) !== folder) return 'has a name that is no UTF-8';
  const proof = provePrivateDir(native, { account, from: first });
  return proof.kind === 'unknown' ? `will not do: ${toByteString(proof.reason)}` : null;
}

interface MountedPlace {
  readonly point: string | null;
  readonly device: number;
}

function placeIn(mounts: readonly Mount[], folder: string): MountedPlace {
  return { point: mountOf(mounts, folder)?.point ?? null, device: lstatSync(nativePath(folder)).dev };
}

/** Null: it will do. */
function whyNot(trash: string, worktree: string, own: MountedPlace, mounts: readonly Mount[]): string | null {
  const there = nearest(trash);
  if (isWithin(there, worktree) || isWithin(trash, worktree)) return 'lies in it';
  const place = placeIn(mounts, there);
  if (place.point === null || place.point !== own.point || place.device !== own.device)
    return 'is in another file system';
  return whyNotWritable(there);
}

/** The folder itself, or the one above it that is there; without links on the way. */
function nearest(folder: string): string {
  for (let at = folder; ; at = posix.dirname(at)) {
    try {
      return realPath(at);
    } catch (fault) {
      if (!isFaultOf(fault, 'ENOENT') || at === posix.dirname(at)) throw fault;
    }
  }
}
