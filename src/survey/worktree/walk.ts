/**
 * Walks a worktree by names, and sorts what git ignores. Never follows a link, never enters another repository, and is
 * bounded in time: what was cut off is unknown.
 */
import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { nativePath } from '../../system/bytes.ts';
import { fileId } from '../../system/file-id.ts';
import { inodeKey } from '../../system/processes/scan.ts';
import { isCopyOf } from './duplicate.ts';
import { entriesOf, type Entry, listFolder } from './folder-view.ts';
import { isNamedRebuildable, type Surroundings, whyFileRebuildable, whyFolderRebuildable } from './rebuildable.ts';
import { IgnoredTally, PreciousTally } from './tally.ts';
import { whyNotWritable } from './writable.ts';
import type { CacheFolder, IgnoredKind, Measure, PreciousKind } from '../../judge/facts/worktree.ts';

export interface WalkRequest {
  /** Absolute, as a byte string. */
  readonly top: string;
  /** The same place in the main checkout; null: there is none to compare with. */
  readonly twin: string | null;
  /** What git ignores, relative to the top; folders that are ignored as a whole without their slash. */
  readonly ignored: ReadonlySet<string>;
  /** Submodules, relative to the top: they are walked on their own. */
  readonly submodules: ReadonlySet<string>;
  /** More that counts as rebuildable, from the settings. */
  readonly rebuildable: readonly string[];
  /** Up to so many ignored entries that nothing makes again are named. */
  readonly mostPrecious: number;
  /** True: rebuildable folders are wanted one by one. */
  readonly wantsCaches: boolean;
  /** True: bytes are wanted of everything; else they are summed up of its own files alone. */
  readonly weighsAll: boolean;
  /** The file system that it lies in, and what somebody has himself told of changes of, as `inodeKey` writes it. */
  readonly device: string;
  readonly watched: ReadonlySet<string>;
  /** Milliseconds since 1970 after which the walk is cut. */
  readonly deadline: number;
  now(): number;
}

export interface Walked {
  readonly rebuildable: IgnoredKind;
  readonly duplicate: IgnoredKind;
  readonly precious: PreciousKind;
  /** Rebuildable folders with something in them, where they are wanted. */
  readonly caches: readonly CacheFolder[];
  /** Folders that are repositories, relative to the top. */
  readonly repositories: readonly string[];
  readonly measure: Measure;
  /** What of `watched` is in it. */
  readonly watched: ReadonlySet<string>;
}

/** Thrown when the time is over. */
export class WalkCut extends Error {}

/** Folders between two looks at the clock. */
const LOOK_EVERY = 64;

/** @throws WalkCut; the system's own fault where something cannot be read. */
export function walkTree(request: WalkRequest): Walked {
  return new Walk(request).run();
}

/** One rebuildable folder again, wherever it is by now. */
export interface CacheWalk extends Pick<WalkRequest, 'device' | 'watched' | 'deadline' | 'now'> {
  /** The folder that it lies in, absolute, as a byte string. */
  readonly top: string;
  /** Its name in there. */
  readonly name: string;
  readonly why: string;
}

export type WalkedCache = Pick<Walked, 'repositories' | 'watched'> & { readonly cache: CacheFolder };

/** @throws as `walkTree` does */
export function walkCache({ name, why, ...request }: CacheWalk): WalkedCache {
  const nothing = { twin: null, ignored: NOTHING, submodules: NOTHING, rebuildable: [], mostPrecious: 0 };
  return new Walk({ ...nothing, ...request, wantsCaches: true, weighsAll: true }).runIn(name, why);
}

const NOTHING: ReadonlySet<string> = new Set();

type Mode = 'plain' | 'ignored' | 'rebuildable';

class Walk {
  private readonly request: WalkRequest;
  private readonly rebuildable = new IgnoredTally(false);
  private readonly duplicate = new IgnoredTally(true);
  private readonly precious: PreciousTally;
  private readonly repositories: string[] = [];
  private readonly watched = new Set<string>();
  private readonly caches: CacheFolder[] = [];
  private folders = 0;
  private bytes = 0;
  private isWhole = true;
  private lastWrite: Measure['lastWrite'] = null;
  /** Of the folder that is being walked by itself. */
  private newest = { write: -Infinity, change: -Infinity };

  constructor(request: WalkRequest) {
    this.request = request;
    this.precious = new PreciousTally(request.mostPrecious);
  }

  run(): Walked {
    if (this.request.watched.size > 0) this.spot(this.stats(''));
    this.enter('', 'plain', []);
    return {
      rebuildable: this.rebuildable.kind,
      duplicate: this.duplicate.kind,
      precious: this.precious.kind,
      caches: this.caches,
      repositories: this.repositories,
      measure: { bytes: this.bytes, isWhole: this.isWhole, lastWrite: this.lastWrite },
      watched: this.watched,
    };
  }

  runIn(name: string, why: string): WalkedCache {
    const cache = this.enterCache(name, why, []);
    return { cache, repositories: this.repositories, watched: this.watched };
  }

  private enter(folder: string, mode: Mode, above: Surroundings['above']): void {
    if (++this.folders % LOOK_EVERY === 0 && this.request.now() > this.request.deadline) throw new WalkCut();
    const entries = entriesOf(this.absolute(folder));
    if (folder !== '' && isRepository(entries, mode !== 'plain' || this.request.ignored.has(`${folder}/HEAD`))) {
      this.repositories.push(folder);
      if (this.request.weighsAll) this.weighBelow(entries, folder);
      else this.isWhole = false;
      return;
    }
    // In a rebuildable folder nothing is asked but whether a repository lies below.
    const view = mode === 'rebuildable' ? null : listFolder(this.absolute(folder), entries);
    const inner = view === null ? above : [view, ...above];
    for (const entry of entries) {
      const { name } = entry;
      if (view === null && !this.request.weighsAll && !entry.isDirectory()) continue;
      if (folder === '' && name === '.git') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (this.request.submodules.has(path)) continue;
      const isIgnored =
        mode === 'ignored' || (mode === 'plain' && (this.request.ignored.has(path) || this.ignoresItself(path, entry)));
      if (!isIgnored || view === null) this.pass(path, entry, mode, inner);
      else this.sort(path, entry, { name, parent: view, above });
    }
  }

  private enterCache(path: string, why: string, above: Surroundings['above']): CacheFolder {
    const before = this.bytes;
    this.newest = { write: -Infinity, change: -Infinity };
    const stats = this.stats(path);
    this.weigh(path, stats, false);
    // A move changes the folder itself, and nothing in it.
    this.newest.change = -Infinity;
    this.enter(path, 'rebuildable', above);
    const { write: lastWrite, change: lastChange } = this.newest;
    const folder = this.absolute(path);
    const stuck = whyNotWritable(folder) ?? whyNotWritable(posix.dirname(folder));
    return { path, id: fileId(folder), why, bytes: this.bytes - before, lastWrite, lastChange, stuck };
  }

  /** Tools write a folder's own `.gitignore` into it; git then names what is in it, and not the folder. */
  private ignoresItself(path: string, entry: Entry): boolean {
    const { ignored } = this.request;
    if (!entry.isDirectory() || !ignored.has(`${path}/.gitignore`)) return false;
    return entriesOf(this.absolute(path)).every(({ name }) => ignored.has(`${path}/${name}`));
  }

  /** What is not ignored, or lies in a rebuildable folder. */
  private pass(path: string, entry: Entry, mode: Mode, above: Surroundings['above']): void {
    const isFolder = entry.isDirectory();
    if (this.request.weighsAll || mode !== 'rebuildable')
      this.weigh(path, this.stats(path), !isFolder && mode !== 'rebuildable');
    else if (this.request.watched.size > 0) this.spot(this.stats(path));
    if (isFolder) this.enter(path, mode, above);
  }

  private sort(path: string, entry: Entry, around: Surroundings): void {
    const byName = isNamedRebuildable(this.request.rebuildable, path);
    if (entry.isDirectory()) {
      const folder = listFolder(this.absolute(path), entriesOf(this.absolute(path)));
      const why = byName ? 'the settings name it' : whyFolderRebuildable(around, folder);
      const isEmpty = folder.names.size === 0;
      const isRebuildable = why !== null || isEmpty;
      const above = [around.parent, ...around.above];
      if (isRebuildable) this.rebuildable.add(`${path}/`, 0, 0);
      if (why !== null && !isEmpty && this.request.wantsCaches) {
        this.caches.push(this.enterCache(path, why, above));
        return;
      }
      this.weigh(path, this.stats(path), false);
      if (isRebuildable && !this.request.weighsAll && !isEmpty) this.isWhole = false;
      this.enter(path, isRebuildable ? 'rebuildable' : 'ignored', above);
      return;
    }
    if (byName || (entry.isFile() && whyFileRebuildable(around.name) !== null)) {
      this.rebuildable.add(path, 0, 0);
      this.weigh(path, this.stats(path), false);
      return;
    }
    const stats = this.stats(path);
    this.weigh(path, stats, true);
    const { twin } = this.request;
    const isCopy = twin !== null && isCopyOf(this.absolute(path), stats, twin, path);
    if (isCopy) this.duplicate.add(path, 1, stats.size);
    else this.precious.add(path, 1, stats.isFile() ? this.sizeToCopy(path, stats) : 0);
  }

  /** Null: it cannot be read, so that no copy can be kept of it. */
  private sizeToCopy(path: string, stats: Stats): number | null {
    try {
      accessSync(this.native(path), constants.R_OK);
      return stats.size;
    } catch {
      return null;
    }
  }

  /** Of what has a row or a hold of its own only the bytes are asked. */
  private weighBelow(entries: readonly Entry[], folder: string): void {
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      this.weigh(path, this.stats(path), false);
      if (entry.isDirectory()) this.weighBelow(entriesOf(this.absolute(path)), path);
    }
  }

  private weigh(path: string, stats: Stats, isOwn: boolean): void {
    this.bytes += stats.blocks * 512;
    if (isOwn && stats.mtimeMs > (this.lastWrite?.time ?? -Infinity)) this.lastWrite = { time: stats.mtimeMs, path };
    this.newest.write = Math.max(this.newest.write, stats.mtimeMs);
    this.newest.change = Math.max(this.newest.change, stats.ctimeMs);
    if (this.request.watched.size > 0) this.spot(stats);
  }

  private spot({ ino }: Stats): void {
    const key = inodeKey(this.request.device, ino);
    if (this.request.watched.has(key)) this.watched.add(key);
  }

  private stats(path: string): Stats {
    return lstatSync(this.native(path));
  }

  private absolute(path: string): string {
    return path === '' ? this.request.top : `${this.request.top}/${path}`;
  }

  private native(path: string): string | Buffer {
    return nativePath(this.absolute(path));
  }
}

/** A `.git` of whatever form, or what makes a bare repository: where files are tracked, those are just files. */
function isRepository(entries: readonly Entry[], orBare: boolean): boolean {
  let parts = 0;
  for (const entry of entries) {
    const { name } = entry;
    if (name === '.git') return true;
    if (name === 'HEAD' || ((name === 'objects' || name === 'refs') && !entry.isFile())) parts += 1;
  }
  return orBare && parts === 3;
}
