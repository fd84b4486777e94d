/** Everything that would go away with a worktree's folder. */
import { lstatSync } from 'node:fs';
import type { GitConfig } from '../../git/parse/config.ts';
import type { StatusEntry } from '../../git/parse/status.ts';
import { readStatus, readTracked } from '../../git/read/tree.ts';
import { readConfig } from '../../git/read/repository.ts';
import type { Git } from '../../git/run.ts';
import { gitForTree, NO_FILES, type TreeGit, type TreePlace, type TreeSettings } from '../../git/worktree-git.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { CacheFolder, Measure, WorktreeContents } from '../../judge/facts/worktree.ts';
import type { HashFormat } from '../../system/blob-hash.ts';
import { nativePath } from '../../system/bytes.ts';
import { type Mount, mountsBelow, placeOf } from '../../system/mounts.ts';
import { lentObjects } from './alternates.ts';
import { attributesFileIn } from './attributes.ts';
import { changesIn } from './changes.ts';
import { driversOf } from './drivers.ts';
import { readHidden } from './hidden.ts';
import { nestedRepository } from './nested.ts';
import { type StandIn, standInFor } from './split-index.ts';
import { readSubmodules } from './submodules.ts';
import { Tally } from './tally.ts';
import { WalkCut, walkTree } from './walk.ts';

/** What reading a worktree needs besides its place. */
export interface TreeSurroundings extends TreeSettings {
  readonly git: Git;
  readonly format: HashFormat;
  readonly platform: string;
  /** The main checkout, to look for copies of its files; null where there is none. */
  readonly twin: string | null;
  /** The account's file of attributes, as a byte string; null: there is none. */
  readonly attributesFile: string | null;
  /** True: some settings count in some worktrees only. */
  readonly hasConditions: boolean;
  /** More that counts as rebuildable. */
  readonly rebuildable: readonly string[];
  readonly mounts: Fact<readonly Mount[]>;
  /** Folders of registered worktrees: they have rows of their own. */
  readonly worktrees: ReadonlySet<string>;
  /** Up to so many ignored entries that nothing makes again are named. */
  readonly mostPrecious: number;
  /** True: folders that tools make again are wanted one by one. */
  readonly wantsCaches: boolean;
  /** True: the bytes of everything are wanted. */
  readonly weighsAll: boolean;
  /** What somebody has himself told of changes of, as `inodeKey` writes it. */
  readonly watched: ReadonlySet<string>;
  /** Milliseconds for one worktree's walk. */
  readonly walkTime: number;
  now(): number;
}

export interface TreeReading {
  readonly contents: WorktreeContents;
  readonly measure: Measure;
  /** Folders that tools make again, where they are wanted. */
  readonly caches: readonly CacheFolder[];
  /** What of `watched` is in it. */
  readonly watched: ReadonlySet<string>;
  /** True when its index has no entry, though its commit has files. */
  readonly isEmptied: boolean;
}

/**
 * @param realPath the worktree's folder without links on the way, as a byte string.
 * @returns unknown, with a reason that begins with `INDEX_UNREADABLE`, when git cannot read its index.
 */
export async function readContents(
  around: TreeSurroundings,
  place: TreePlace,
  realPath: string,
): Promise<Fact<TreeReading>> {
  if (around.mounts.kind !== 'known')
    return unknown(around.mounts.kind === 'unknown' ? around.mounts.reason : 'the mounts are not known');
  let git: TreeGit | null = null;
  let standIn: StandIn | null = null;
  try {
    const own = await ownSettings(around, place);
    if (own === null) return unknown('its own settings cannot be read');
    standIn = standInFor(place.gitDir);
    const gitDir = standIn?.gitDir ?? place.gitDir;
    git = gitForTree(around.git, { ...place, gitDir }, own, around.platform);
    if (git === null)
      return unknown('its name, or that of a filter, is no UTF-8, and there is no way to start git in it here');
    return await read(own, git, place, {
      mounts: mountsBelow(around.mounts.value, realPath),
      device: placeOf(around.mounts.value, realPath)?.device ?? '',
    });
  } catch (fault) {
    if (fault instanceof WalkCut) return unknown(`looking through it took longer than ${around.walkTime / 1000} s`);
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return unknown(Buffer.from((fault as Error).message, 'utf8').toString('latin1'));
  } finally {
    git?.close();
    standIn?.remove();
  }
}

/** For another repository inside, by its own settings: nothing of it is compared with the main checkout, or weighed. */
export function insideOf(around: TreeSurroundings, config: GitConfig): TreeSurroundings {
  const attributesFile = attributesFileIn(config) ?? around.attributesFile;
  return { ...around, drivers: driversOf(config), attributesFile, twin: null, wantsCaches: false, weighsAll: false };
}

/** With the settings that count in this worktree alone; null: they cannot be read. */
export async function ownSettings(around: TreeSurroundings, place: TreePlace): Promise<TreeSurroundings | null> {
  const own = lstatSync(nativePath(`${place.gitDir}/config.worktree`), { throwIfNoEntry: false });
  if (own === undefined && !around.hasConditions) return around;
  const git = gitForTree(around.git, place, NO_FILES, around.platform);
  if (git === null) return null;
  try {
    const config = await readConfig(git);
    if (config === null) return null;
    const drivers = [...new Set([...around.drivers, ...driversOf(config)])];
    return { ...around, drivers, attributesFile: attributesFileIn(config) ?? around.attributesFile };
  } finally {
    git.close();
  }
}

async function read(
  around: TreeSurroundings,
  git: TreeGit,
  place: TreePlace,
  { mounts, device }: { readonly mounts: readonly string[]; readonly device: string },
): Promise<Fact<TreeReading>> {
  const [status, tracked] = await Promise.all([readStatus(git), readTracked(git, place.gitDir, around.format)]);
  if (tracked.kind !== 'known') return tracked;
  if (status.kind !== 'known') return status;
  const hidden = await readHidden(git, {
    place,
    files: tracked.value,
    others: status.value.flatMap((entry) =>
      entry.kind === 'ignored' || entry.kind === 'untracked' ? [entry.path] : [],
    ),
    format: around.format,
    attributesFile: around.attributesFile,
  });
  if (hidden.kind !== 'known') return hidden;
  const gitlinks = tracked.value.filter((file) => file.mode === '160000');
  const submodules = await readSubmodules(around, place, gitlinks);
  if (submodules.kind !== 'known') return submodules;
  const trees = submodules.value.flatMap(({ facts, tree }) => (tree === null ? [] : [{ path: facts.path, ...tree }]));
  const isSubmodule = new Set(submodules.value.map(({ facts }) => facts.path));
  const walked = walkTree({
    top: place.path,
    twin: around.twin,
    ignored: ignoredOf(status.value),
    submodules: isSubmodule,
    rebuildable: around.rebuildable,
    mostPrecious: around.mostPrecious,
    wantsCaches: around.wantsCaches,
    weighsAll: around.weighsAll,
    device,
    watched: around.watched,
    deadline: around.now() + around.walkTime,
    now: () => around.now(),
  });
  const repositories = walked.repositories.filter((path) => !around.worktrees.has(`${place.path}/${path}`));
  const nested = [];
  for (const path of repositories) nested.push({ path, what: await nestedRepository(around, `${place.path}/${path}`) });
  for (const path of lentObjects(place)) nested.push({ path, what: 'objects that this repository needs' });
  return known({
    contents: {
      ...changesOf(status.value, hidden.value.clean, new Set(walked.repositories), isSubmodule),
      hidden: sampleOf(hidden.value.edited),
      changes: changesIn({
        status: status.value,
        hidden: hidden.value.edited,
        clean: hidden.value.clean,
        repositories: new Set(walked.repositories),
      }),
      rebuildable: walked.rebuildable,
      duplicate: walked.duplicate,
      precious: walked.precious,
      nested,
      submodules: submodules.value.map(({ facts }) => facts),
      mounts,
    },
    measure: measureOf(walked.measure, trees),
    caches: walked.caches.filter(({ path }) => !tracked.value.some((file) => file.path.startsWith(`${path}/`))),
    watched: new Set([walked, ...trees].flatMap(({ watched }) => [...watched])),
    isEmptied: tracked.value.length === 0 && status.value.some((entry) => entry.kind === 'changed'),
  });
}

function ignoredOf(status: readonly StatusEntry[]): Set<string> {
  return new Set(status.filter((entry) => entry.kind === 'ignored').map((entry) => entry.path.replace(/\/$/, '')));
}

function changesOf(
  status: readonly StatusEntry[],
  clean: ReadonlySet<string>,
  repositories: ReadonlySet<string>,
  submodules: ReadonlySet<string>,
): Pick<WorktreeContents, 'staged' | 'unstaged' | 'conflicted' | 'untracked'> {
  const [staged, unstaged, conflicted, untracked] = [new Tally(), new Tally(), new Tally(), new Tally()];
  for (const entry of status) {
    if (entry.kind === 'unmerged') conflicted.add(entry.path);
    // git names a repository that it does not enter with a slash; it is told apart.
    else if (entry.kind === 'untracked' && !repositories.has(entry.path.replace(/\/$/, ''))) untracked.add(entry.path);
    else if (entry.kind === 'changed') {
      const [inIndex, inTree] = entry.states;
      if (inIndex !== '.') staged.add(entry.path);
      // Of a submodule only another commit is meant here, which its own entry tells.
      if (inTree !== '.' && !clean.has(entry.path) && !submodules.has(entry.path)) unstaged.add(entry.path);
    }
  }
  return {
    staged: staged.sample,
    unstaged: unstaged.sample,
    conflicted: conflicted.sample,
    untracked: untracked.sample,
  };
}

/** With that of its submodules. */
function measureOf(own: Measure, trees: readonly (TreeReading & { readonly path: string })[]): Measure {
  return trees.reduce((sum, { path, measure }) => {
    const { lastWrite } = measure;
    const isNewer = lastWrite !== null && lastWrite.time > (sum.lastWrite?.time ?? -Infinity);
    return {
      bytes: sum.bytes + measure.bytes,
      isWhole: sum.isWhole && measure.isWhole,
      lastWrite: isNewer ? { time: lastWrite.time, path: `${path}/${lastWrite.path}` } : sum.lastWrite,
    };
  }, own);
}

function sampleOf(paths: readonly string[]) {
  const tally = new Tally();
  for (const path of paths) tally.add(path);
  return tally.sample;
}
