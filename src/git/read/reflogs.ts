import { readdirSync, type Stats, statSync } from 'node:fs';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { AbsPath, RefName } from '../../judge/facts/names.ts';
import type { ReflogEntry } from '../../judge/graph/reflog.ts';
import { readBounded } from '../../system/files.ts';
import { parseReflog } from '../parse/reflog.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** The reflogs of local branches, read from git's files. */
export interface Reflogs {
  /** Oldest entry first. Absent: git keeps none for this branch. */
  read(ref: RefName): Fact<readonly ReflogEntry[]>;
  /**
   * A text that changes with the reflog's contents, without reading them: size, times and inode of its file. Null when
   * there is none to rely on, as for a file that was written a moment ago.
   */
  stamp(ref: RefName): string | null;
}

/**
 * Milliseconds within which a file could be written again without its times changing: file systems count in ticks of a
 * few milliseconds, and some old ones in whole seconds.
 */
function settledAfter(stats: Stats): number {
  return stats.mtimeMs % 1000 === 0 ? 2000 : 100;
}

/** The bytes of a branch's reflog. Absent: git keeps none for it. */
export function readReflogBytes(commonDir: AbsPath, ref: RefName): Fact<Buffer> {
  return readBounded(Buffer.from(`${commonDir}/logs/${ref}`, 'latin1'), MOST_BYTES, { follow: true });
}

/** One reflog file, such as that of a worktree's HEAD. */
export function readReflogFile(path: string): Fact<readonly ReflogEntry[]> {
  const contents = readBounded(Buffer.from(path, 'latin1'), MOST_BYTES, { follow: true });
  if (contents.kind !== 'known')
    return contents.kind === 'absent' ? absent : unknown(`its reflog cannot be read: ${contents.reason}`);
  const entries = parseReflog(contents.value);
  return entries === null ? unknown('its reflog is not in the form that git writes') : known(entries);
}

/** As `Reflogs.stamp`, for one reflog file; `none` when there is no such file. */
export function stampReflogFile(path: string, now: () => number): string | null {
  const stats = statsOf(Buffer.from(path, 'latin1'));
  if (stats === 'gone') return 'none';
  if (stats === null || now() - Math.max(stats.ctimeMs, stats.mtimeMs) < settledAfter(stats)) return null;
  return `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/**
 * @param refStorage the repository's `extensions.refstorage`; reflogs in another form than files are unknown, since no
 *   command of git prints their old ids.
 */
export function openReflogs(commonDir: AbsPath, refStorage: string | null, now: () => number): Reflogs {
  if (refStorage !== null && refStorage.toLowerCase() !== 'files') {
    return { read: () => unknown(`reflogs in ${refStorage} form cannot be read`), stamp: () => null };
  }
  const files = listFiles(Buffer.from(`${commonDir}/logs/refs/heads`, 'latin1'));
  return {
    stamp: (ref) => {
      if (files.kind !== 'known') return files.kind === 'absent' ? 'none' : null;
      if (!files.value.has(ref.slice('refs/heads/'.length))) return 'none';
      return stampReflogFile(`${commonDir}/logs/${ref}`, now);
    },
    read: (ref) => {
      if (files.kind !== 'known') return files.kind === 'absent' ? absent : files;
      if (!files.value.has(ref.slice('refs/heads/'.length))) return absent;
      return readReflogFile(`${commonDir}/logs/${ref}`);
    },
  };
}

function statsOf(path: Buffer): Stats | 'gone' | null {
  try {
    return statSync(path);
  } catch (fault) {
    // Whatever else it is, it stands for nothing: reading it will tell.
    return (fault as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null;
  }
}

/** Paths of files below `folder`, as byte strings, so that branches without a reflog cost nothing. */
function listFiles(folder: Buffer): Fact<ReadonlySet<string>> {
  const names = new Set<string>();
  const open: { folder: Buffer; prefix: string }[] = [{ folder, prefix: '' }];
  for (let at = open.pop(); at; at = open.pop()) {
    try {
      for (const entry of readdirSync(at.folder, { withFileTypes: true, encoding: 'buffer' })) {
        const name = `${at.prefix}${entry.name.toString('latin1')}`;
        if (!entry.isDirectory()) names.add(name);
        else open.push({ folder: Buffer.concat([at.folder, Buffer.from('/'), entry.name]), prefix: `${name}/` });
      }
    } catch (fault) {
      const gone = (fault as NodeJS.ErrnoException).code === 'ENOENT';
      if (!gone) return unknown(`the reflogs cannot be listed: ${(fault as Error).message}`);
      if (at.prefix === '') return absent;
    }
  }
  return known(names);
}
