/**
 * A split index has a part that several states of it share, and git renews the time of that part whenever it reads it. A
 * look leaves no trace: git reads a copy, from a git directory that stands in for the worktree's own.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AbsPath } from '../../judge/facts/names.ts';
import { nativePath, toByteString } from '../../system/bytes.ts';
import { commonDirOf } from './common-dir.ts';

export interface StandIn {
  readonly gitDir: AbsPath;
  remove(): void;
}

/** Null: the index is not split, and its own git directory may be read. Throws the system's own fault. */
export function standInFor(gitDir: AbsPath): StandIn | null {
  const shared = readdirSync(nativePath(gitDir)).filter((name) => name.startsWith('sharedindex.'));
  if (shared.length === 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'coppice-index-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    mkdirSync(join(folder, 'info'));
    for (const name of [...shared, 'index', 'HEAD', 'config.worktree', 'info/sparse-checkout']) {
      copyIfThere(`${gitDir}/${name}`, join(folder, name));
    }
    writeFileSync(join(folder, 'commondir'), Buffer.from(`${commonDirOf(gitDir)}\n`, 'latin1'));
    return { gitDir: toByteString(folder) as AbsPath, remove };
  } catch (fault) {
    remove();
    throw fault;
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    const { mtimeMs } = statSync(nativePath(from));
    copyFileSync(nativePath(from), to);
    // By the index's own time git tells which files could have been written after it without looking different. An
    // earlier one makes it look into more of them.
    const seconds = Math.floor(mtimeMs / 1000);
    utimesSync(to, seconds, seconds);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
}
