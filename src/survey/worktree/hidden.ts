/** Edits that git's status does not show: behind flags of the index, and behind filters. */
import { lstatSync, type Stats } from 'node:fs';
import { readFiltered } from '../../git/read/tree.ts';
import type { TrackedFile } from '../../git/parse/tracked.ts';
import type { Git } from '../../git/run.ts';
import { BlobReader } from '../../git/read/blobs.ts';
import { type Fact, known } from '../../judge/facts/fact.ts';
import { hashFile, type HashFormat } from '../../system/blob-hash.ts';
import { nativePath } from '../../system/bytes.ts';

export interface HiddenEdits {
  /** Paths whose bytes are not those of the index. */
  readonly edited: readonly string[];
  /** Paths with a filter whose bytes are as they should be, whatever status says of them. */
  readonly clean: ReadonlySet<string>;
}

/**
 * @param top the worktree's folder, as a byte string.
 * @param drivers names of the filter drivers there are; none: attributes that name one have no effect.
 */
export async function readHidden(
  git: Git,
  top: string,
  files: readonly TrackedFile[],
  format: HashFormat,
  drivers: readonly string[],
): Promise<Fact<HiddenEdits>> {
  const flagged = files.filter((file) => file.tag !== 'H' && file.tag !== 'M' && file.mode !== GITLINK);
  const edited = flagged.filter((file) => !isAsRecorded(top, file, format)).map((file) => file.path);
  const clean = new Set<string>();
  if (drivers.length === 0 || !files.some(({ path }) => path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`)))
    return known({ edited, clean });
  const filtered = await readFiltered(
    git,
    files.map((file) => file.path),
  );
  if (filtered.kind !== 'known') return filtered;
  const blobs = new BlobReader(git);
  try {
    for (const file of files) {
      if (!filtered.value.has(file.path)) continue;
      if (isAsRecorded(top, file, format) || (await isAsPointer(blobs, top, file, format))) clean.add(file.path);
      else edited.push(file.path);
    }
  } finally {
    blobs.close();
  }
  return known({ edited: [...new Set(edited)], clean });
}

const GITLINK = '160000';
const ATTRIBUTES = '.gitattributes';

/** True when the file's own bytes and mode are those of the index, or when nothing is there that could be lost. */
function isAsRecorded(top: string, file: TrackedFile, format: HashFormat): boolean {
  const path = `${top}/${file.path}`;
  const stats = statsOf(path);
  if (stats === null) return true;
  if (modeOf(stats) !== file.mode) return false;
  const hash = hashFile(path, stats, format);
  return hash.kind === 'known' && hash.value.oid === file.oid;
}

/** True when the index holds a Git LFS pointer to just these bytes. */
async function isAsPointer(blobs: BlobReader, top: string, file: TrackedFile, format: HashFormat): Promise<boolean> {
  const path = `${top}/${file.path}`;
  const stats = statsOf(path);
  const text = await blobs.text(file.oid);
  const pointer =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(
      text ?? '',
    );
  if (stats === null || pointer === null || modeOf(stats) !== file.mode || stats.size !== Number(pointer[2]))
    return false;
  const hash = hashFile(path, stats, format);
  return hash.kind === 'known' && hash.value.plain === pointer[1];
}

/** Null: there is nothing. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(nativePath(path), { throwIfNoEntry: false }) ?? null;
  } catch (fault) {
    // Below something that is a file now.
    if ((fault as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw fault;
  }
}

/** As git records it. */
function modeOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return '120000';
  return (stats.mode & 0o100) === 0 ? '100644' : '100755';
}
