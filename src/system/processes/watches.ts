/** What a process has itself told of: inotify and fanotify, by `/proc/<pid>/fdinfo` (proc_pid_fdinfo(5)). */
import { readFileSync } from 'node:fs';
import { inodeKey } from './scan.ts';
import { isOver } from './stat.ts';

/** @param info the file in fdinfo. @param kind what the descriptor's link says. */
export function readWatches(info: string, kind: string): ReadonlySet<string> {
  if (!/^anon_inode:\[?(?:inotify|fanotify)\]?$/.test(kind)) return new Set();
  let text: string;
  try {
    text = readFileSync(info, 'latin1');
  } catch (fault) {
    if (isOver(fault)) return new Set();
    throw fault;
  }
  return parseWatches(text);
}

/** Marks of whole mounts and file systems name no inode, and say nothing of one folder. */
export function parseWatches(text: string): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const [, inode, device] of text.matchAll(/^(?:inotify wd:\S+|fanotify) ino:([0-9a-f]+) sdev:([0-9a-f]+) /gm))
    inodes.add(inodeKey(deviceOf(Number.parseInt(device as string, 16)), BigInt(`0x${inode}`)));
  return inodes;
}

/** The kernel's own number of a device: twenty bits of minor. */
function deviceOf(number: number): string {
  return `${Math.floor(number / 2 ** 20)}:${number % 2 ** 20}`;
}
