/** Which processes have a file open, by device and inode. */
import { readdirSync, statSync } from 'node:fs';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { nativePath } from './bytes.ts';

/** Process ids, and whether all processes could be looked at. */
export interface FileHolders {
  readonly pids: readonly number[];
  readonly all: boolean;
}

/** @param file a byte string; `proc` is where processes are listed, for tests. */
export function holdersOf(file: string, platform: string, proc = '/proc'): Fact<FileHolders> {
  if (platform !== 'linux') return unknown('processes cannot be looked at here');
  const wanted = statSync(nativePath(file), { throwIfNoEntry: false });
  if (wanted === undefined) return unknown('it is gone');
  const pids: number[] = [];
  let all = true;
  try {
    for (const name of readdirSync(proc)) {
      if (!/^\d+$/.test(name)) continue;
      const open = descriptorsOf(`${proc}/${name}/fd`);
      if (open === null) all = false;
      else if (open.some((each) => isOpen(each, wanted))) pids.push(Number(name));
    }
  } catch (fault) {
    return unknown(`processes cannot be listed (${(fault as NodeJS.ErrnoException).code ?? 'unknown fault'})`);
  }
  return known({ pids, all });
}

/** Null: that process may not be looked at. */
function descriptorsOf(folder: string): string[] | null {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    // It ended meanwhile.
    if (code === 'ENOENT' || code === 'ESRCH') return [];
    if (code === 'EACCES' || code === 'EPERM') return null;
    throw fault;
  }
}

function isOpen(descriptor: string, wanted: { readonly dev: number; readonly ino: number }): boolean {
  try {
    const stats = statSync(descriptor);
    return stats.dev === wanted.dev && stats.ino === wanted.ino;
  } catch {
    // Closed meanwhile, or something that has no place in a file system.
    return false;
  }
}
