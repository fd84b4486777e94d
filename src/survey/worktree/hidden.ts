/** Edits that git's status does not show: behind flags of the index, and behind filters. */
import { lstatSync, type Stats } from 'node:fs';
import { hashFiles, readFiltered } from '../../git/read/tree.ts';
import type { TrackedFile } from '../../git/parse/tracked.ts';
import type { Git } from '../../git/run.ts';
import { BlobReader } from '../../git/read/blobs.ts';
import type { TreePlace } from '../../git/worktree-git.ts';
import { type Fact, known } from '../../judge/facts/fact.ts';
import { hashFile, type HashFormat } from '../../system/blob-hash.ts';
import { nativePath } from '../../system/bytes.ts';
import { mayNameFilters } from './attributes.ts';
import { commonDirOf } from './common-dir.ts';

export interface HiddenEdits {
  /** Paths whose bytes are not those of the index. */
  readonly edited: readonly string[];
  /** Paths with a filter whose bytes are as they should be, whatever status says of them. */
  readonly clean: ReadonlySet<string>;
}

export interface HiddenRequest {
  readonly place: TreePlace;
  readonly files: readonly TrackedFile[];
  /** Files that are not tracked, as far as they are known by name. */
  readonly others: readonly string[];
  readonly format: HashFormat;
  /** The account's file of attributes, as a byte string; null: there is none. */
  readonly attributesFile: string | null;
}

export async function readHidden(git: Git, request: HiddenRequest): Promise<Fact<HiddenEdits>> {
  const { files, format, place } = request;
  const top = place.path;
  const blobs = new BlobReader(git);
  try {
    const flagged = files.filter(
      (file) => file.tag !== 'H' && file.tag !== 'M' && !isFolderOf(top, file) && !isAsRecorded(top, file, format),
    );
    const edited = await withoutConverted(git, top, flagged);
    const filtered = await readFilteredFiles(git, request);
    if (filtered.kind !== 'known') return filtered;
    const store = `${commonDirOf(place.gitDir)}/lfs/objects`;
    const isOther: string[] = [];
    const clean = new Set<string>();
    for (const file of [...edited, ...filtered.value]) {
      const path = `${top}/${file.path}`;
      // What is gone is no secret: status tells it, unless it was told not to by a flag.
      if (statsOf(path) === null) continue;
      if (isAsRecorded(top, file, format) || (await isAsPointer(blobs, { top, store, format }, file)))
        clean.add(file.path);
      else isOther.push(file.path);
    }
    return known({ edited: [...new Set(isOther)], clean });
  } finally {
    blobs.close();
  }
}

/** Files that some attributes name a filter for. */
async function readFilteredFiles(git: Git, request: HiddenRequest): Promise<Fact<readonly TrackedFile[]>> {
  const { place, files, others, attributesFile } = request;
  const paths = files.map((file) => file.path);
  const where = { top: place.path, gitDir: place.gitDir, attributesFile, paths: [...paths, ...others] };
  if (!mayNameFilters(where)) return known([]);
  const filtered = await readFiltered(git, paths, attributesFile);
  return filtered.kind === 'known'
    ? known(files.filter((file) => file.mode !== GITLINK && filtered.value.has(file.path)))
    : filtered;
}

/** Those of `files` that are others also when git converts their line ends. */
async function withoutConverted(git: Git, top: string, files: readonly TrackedFile[]): Promise<readonly TrackedFile[]> {
  // Paths go to git one a line, and quoted ones would be taken for others.
  const asked = files.filter((file) => !/[\r\n]|^"/.test(file.path) && hasModeOf(`${top}/${file.path}`, file));
  if (asked.length === 0) return files;
  const ids = await hashFiles(
    git,
    asked.map((file) => file.path),
  );
  // What cannot be told to be the same is another.
  if (ids.kind !== 'known') return files;
  const converted = new Set(asked.filter((file, at) => ids.value[at] === file.oid));
  return files.filter((file) => !converted.has(file));
}

/** A regular file of the mode that is recorded. */
function hasModeOf(path: string, file: TrackedFile): boolean {
  const stats = statsOf(path);
  return stats?.isFile() === true && modeOf(stats) === file.mode;
}

const GITLINK = '160000';

/** True when the file's own bytes and mode are those of the index, or when nothing is there that could be lost. */
function isAsRecorded(top: string, file: TrackedFile, format: HashFormat): boolean {
  const path = `${top}/${file.path}`;
  const stats = statsOf(path);
  if (stats === null) return true;
  if (modeOf(stats) !== file.mode) return false;
  const hash = hashFile(path, stats, format);
  return hash.kind === 'known' && hash.value.oid === file.oid;
}

/** What stands for a submodule is looked at by itself, as long as it is a folder. */
function isFolderOf(top: string, file: TrackedFile): boolean {
  return file.mode === GITLINK && statsOf(`${top}/${file.path}`)?.isDirectory() !== false;
}

interface PointerPlaces {
  readonly top: string;
  /** Where Git LFS keeps its objects. */
  readonly store: string;
  readonly format: HashFormat;
}

/** True when the index holds a Git LFS pointer to just these bytes, and they are in its store, too. */
async function isAsPointer(blobs: BlobReader, places: PointerPlaces, file: TrackedFile): Promise<boolean> {
  const { top, store, format } = places;
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
  const oid = pointer[1] as string;
  const isStored = statsOf(`${store}/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`)?.size === stats.size;
  return isStored && hash.kind === 'known' && hash.value.plain === oid;
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
