/** Who uses a folder: what every way of looking at the processes tells. */

import type { Occupant } from '../../judge/facts/presence.ts';

/** Folders that stand for one place, such as a worktree and its git directory. */
export interface AskedPlace {
  /** Without links on the way, as byte strings. The first is the one that others could write in. */
  readonly folders: readonly [string, ...string[]];
}

/** A process that has itself told of changes. */
export interface Watcher {
  readonly pid: number;
  readonly name: string | null;
  /** What it watches, as `inodeKey` writes it. */
  readonly inodes: ReadonlySet<string>;
}

export interface ProcessScan {
  /** Of each place that was asked about, in the same order. */
  readonly occupants: readonly (readonly Occupant[])[];
  readonly watchers: readonly Watcher[];
  /** Processes that could not be looked at. */
  readonly unreadable: number;
}

/** One file or folder. @param device `major:minor` of the file system, as a mount table names it. */
export function inodeKey(device: string, inode: number | bigint): string {
  return `${device} ${inode}`;
}
