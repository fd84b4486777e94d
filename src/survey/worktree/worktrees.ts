/** Reads every worktree of the repository: who it is, what it holds, what its git directory tells. */
import { type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';
import { readReflogFile, stampReflogFile } from '../../git/read/reflogs.ts';
import { INDEX_UNREADABLE } from '../../git/read/tree.ts';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, branchName } from '../../judge/facts/names.ts';
import type { Identity, TrashPlace, WorktreeFacts } from '../../judge/facts/worktree.ts';
import { nativePath } from '../../system/bytes.ts';
import { readMounts } from '../../system/mounts.ts';
import { isWithin, realPathOr } from '../../system/paths.ts';
import type { LookOptions } from '../../system/processes/look.ts';
import type { HeadFacts, HeadQuestion } from '../branches.ts';
import { readAdminState } from './admin-state.ts';
import { again } from './caches.ts';
import { Claims } from './claims.ts';
import { readContents, type TreeReading, type TreeSurroundings } from './contents.ts';
import { type Listing, type Outline, outline } from './outline.ts';
import { trashFor } from './trash-place.ts';
import { type Patches, readPatches } from './patches.ts';
import { PresenceReading } from './presence.ts';

export interface WorktreeSurvey extends Listing, Omit<TreeSurroundings, 'worktrees' | 'twin' | 'watched'> {
  /** Folders in which the caller stands, as byte strings. */
  readonly standingIn: readonly string[];
  /** Do the settings protect branches of this name? */
  isNameProtected(name: string): boolean;
  /** Places that are never read, as byte strings. */
  readonly protectedPaths: readonly string[];
  /** The account's home, and coppice's own, without links on the way, as byte strings. */
  readonly homes: readonly string[];
  /** How processes are looked for. */
  readonly processes: Omit<LookOptions, 'mounts'>;
  /** True: HEAD's reflogs are files. */
  readonly hasLogFiles: boolean;
}

/** Worktrees that are read at the same time: git works on one while coppice walks another. */
const AT_ONCE = 4;

/** What can be said of each before any of its files is read. */
export class Worktrees {
  private readonly survey: WorktreeSurvey;
  private readonly outlines: readonly Outline[];
  private presence: PresenceReading | null = null;

  constructor(survey: WorktreeSurvey) {
    this.survey = survey;
    this.outlines = outline(survey);
  }

  /** What the linked ones have checked out. */
  get heads(): HeadQuestion[] {
    const { hasLogFiles } = this.survey;
    return this.outlines.flatMap(({ admin, gitDir, branch, head }): HeadQuestion[] => {
      if (admin === null || head === null) return [];
      const log = `${gitDir}/logs/HEAD`;
      return [
        {
          admin,
          branch,
          tip: head,
          stamp: hasLogFiles ? stampReflogFile(log, () => this.survey.now()) : null,
          readReflog: () => (hasLogFiles ? readReflogFile(log) : unknown('reflogs in this form cannot be read')),
        },
      ];
    });
  }

  /** Their folders, without links on the way. */
  get folders(): string[] {
    return this.outlines.map(({ realPath }) => realPath);
  }

  /** Reads their files. @param tell told after each of what is read by then. */
  async readContents(
    tell: (readings: ReadonlyMap<string | null, Fact<TreeReading>>) => void = () => undefined,
  ): Promise<ReadonlyMap<string | null, Fact<TreeReading>>> {
    const readings = new Map<string | null, Fact<TreeReading>>();
    this.presence = await this.lookAround();
    const around = this.surroundings(this.presence.watched);
    let next = 0;
    const worker = async () => {
      for (let one = this.outlines[next++]; one !== undefined; one = this.outlines[next++]) {
        const own = one.admin === null ? { ...around, twin: null } : around;
        readings.set(one.admin, this.isRead(one) ? await readContents(own, one, one.realPath) : absent);
        tell(readings);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return readings;
  }

  /** Puts together what was read. */
  facts(
    readings: ReadonlyMap<string | null, Fact<TreeReading>>,
    heads: ReadonlyMap<string, HeadFacts>,
    trashes: readonly TrashPlace[],
  ): WorktreeFacts[] {
    const refs = new Map(this.survey.refs.map((ref) => [ref.name, ref]));
    const claims = new Claims(this.survey);
    const above = this.survey.standingIn.flatMap(foldersAbove);
    return this.outlines.map((one) => {
      const reading = readings.get(one.admin) ?? absent;
      const head = one.admin === null ? undefined : heads.get(one.admin);
      const upstream = one.branch === null ? null : (refs.get(one.branch)?.upstream ?? null);
      const others = this.outlines.filter((other) => other !== one);
      return {
        admin: one.admin,
        gitDir: one.gitDir,
        path: one.path,
        realPath: one.realPath,
        ...claims.of(one.gitDir),
        branch: one.branch,
        head: one.head,
        upstream: upstream === null ? null : { ref: upstream, oid: refs.get(upstream)?.oid ?? null },
        isCurrent: isAmong(above, one.realPath),
        protectedBy: this.protectedBy(one),
        isBranchProtected: one.branch !== null && this.survey.isNameProtected(branchName(one.branch)),
        identity: this.identityOf(one, reading),
        contents: reading.kind === 'known' ? known(reading.value.contents) : reading,
        adminState: isThere(one.identity)
          ? readAdminState(this.survey.commonDir, one.gitDir, one, this.survey.platform)
          : absent,
        measure: reading.kind === 'known' ? known(reading.value.measure) : absent,
        caches: this.survey.wantsCaches ? cachesIn(reading) : absent,
        salvage: absent,
        presence: this.presence?.of(one.admin, reading.kind === 'known' ? reading.value.watched : NOTHING) ?? absent,
        trash: one.admin === null || !this.isRead(one) ? absent : trashFor(one, trashes, this.survey),
        inside: others.filter((other) => isWithin(other.realPath, one.realPath)).map(({ path }) => path),
        sharedWith: others.filter(({ branch }) => branch !== null && branch === one.branch).map(({ path }) => path),
        merge: head?.merge ?? absent,
        reflog: head?.reflog ?? absent,
        headIsHeld: head?.isHeld ?? false,
      };
    });
  }

  /**
   * Reads one again where it was moved to, while its git directory is where it was. What it is, and how what it has
   * checked out stands to the base, is as before; coppice's own lock on it is not seen.
   */
  async moved(before: WorktreeFacts, folder: AbsPath): Promise<WorktreeFacts> {
    const { admin, gitDir, path } = before;
    const { processes, platform, commonDir } = this.survey;
    const mounts = readMounts(platform);
    const asked = { admin: admin ?? '', realPath: folder, gitDir: realPathOr(gitDir), was: before.realPath };
    const around = { ...this.surroundings(this.presence?.watched ?? NOTHING), mounts };
    const reading = await readContents(around, { gitDir, path: folder, was: path }, folder);
    // Last, so that whoever came while files were read is seen, too.
    const presence = await PresenceReading.read([asked], { ...processes, mounts });
    const state = readAdminState(commonDir, gitDir, before, platform);
    const lock = before.adminState.kind === 'known' ? before.adminState.value.lock : null;
    return {
      ...before,
      contents: reading.kind === 'known' ? known(reading.value.contents) : reading,
      measure: reading.kind === 'known' ? known(reading.value.measure) : absent,
      adminState: state.kind === 'known' ? known({ ...state.value, lock }) : state,
      presence: presence.of(admin, reading.kind === 'known' ? reading.value.watched : NOTHING),
    };
  }

  /**
   * Reads what tools make again a second time, where it was moved to, and looks for who came to it or to its worktree.
   * @param shelf the folder in which they are, each by its number
   */
  async movedCaches(before: WorktreeFacts, shelf: AbsPath): Promise<WorktreeFacts> {
    const { admin, gitDir, path, realPath, caches } = before;
    const { processes, platform, walkTime, now } = this.survey;
    const mounts = readMounts(platform);
    const moved = again(caches.kind === 'known' ? caches.value : [], {
      shelf,
      mounts,
      watched: this.presence?.watched ?? NOTHING,
      deadline: now() + walkTime,
      now: () => now(),
    });
    const place = { realPath: realPathOr(shelf), gitDir: realPathOr(gitDir), was: realPath };
    const asked = [
      { admin: admin ?? '', realPath, gitDir: place.gitDir },
      { admin: MOVED, ...place },
    ];
    // Last, so that whoever came while files were read is seen, too.
    const presence = await PresenceReading.read(asked, { ...processes, mounts });
    const [own, other] = [presence.of(admin ?? '', NOTHING), presence.of(MOVED, moved.watched)];
    const all =
      own.kind === 'known' && other.kind === 'known'
        ? known({ ...own.value, occupants: [...own.value.occupants, ...other.value.occupants] })
        : other;
    return { ...before, path, caches: moved.caches, presence: own.kind === 'known' ? all : own };
  }

  /** What of it differs from its commit. */
  patches({ gitDir, path }: WorktreeFacts): Promise<Fact<Patches>> {
    return readPatches(this.surroundings(NOTHING), { gitDir, path });
  }

  private surroundings(watched: ReadonlySet<string>): TreeSurroundings {
    const main = this.outlines.find(({ admin }) => admin === null);
    const worktrees = new Set(this.outlines.flatMap(({ path, realPath }) => [path, realPath]));
    const twin = main !== undefined && this.protectedBy(main) === null ? main.path : null;
    return { ...this.survey, worktrees, watched, twin };
  }

  /** Who is in the linked ones. */
  private lookAround(): Promise<PresenceReading> {
    const { processes, mounts } = this.survey;
    const asked = this.outlines.flatMap((one) =>
      one.admin === null || !this.isRead(one) ? [] : [{ ...one, admin: one.admin, gitDir: realPathOr(one.gitDir) }],
    );
    return PresenceReading.read(asked, { ...processes, mounts });
  }

  private isRead(one: Outline): boolean {
    return one.identity.kind === 'proven' && this.protectedBy(one) === null;
  }

  private identityOf(one: Outline, reading: Fact<TreeReading>): Identity {
    if (one.identity.kind !== 'proven') return one.identity;
    const { damage } = this.survey;
    if (damage !== null && one.admin !== null) return { kind: 'repository-damaged', why: damage };
    if (reading.kind === 'known' && reading.value.isEmptied)
      return { kind: 'repository-damaged', why: 'its index is empty, and its files are there' };
    if (reading.kind === 'unknown' && reading.reason.startsWith(INDEX_UNREADABLE))
      return { kind: 'repository-damaged', why: reading.reason };
    return one.identity;
  }

  private protectedBy({ admin, path, realPath }: Outline): string | null {
    // Also one that a protected place lies in: neither git nor a walk would leave that place alone.
    const place = this.survey.protectedPaths.find((folder) =>
      [path, realPath].some((own) => isWithin(own, folder) || isWithin(folder, own)),
    );
    if (place !== undefined) return `the settings protect ${place}`;
    const home = this.survey.homes.find((folder) => isWithin(folder, realPath));
    return home === undefined || admin === null ? null : `${home} lies in it`;
  }
}

const NOTHING: ReadonlySet<string> = new Set();
/** No admin directory can be called that. */
const MOVED = '/';

function cachesIn(reading: Fact<TreeReading>): WorktreeFacts['caches'] {
  return reading.kind === 'known' ? known(reading.value.caches) : reading;
}

/** Its git directory can be read whatever became of its folder. */
function isThere(identity: Identity): boolean {
  return identity.kind !== 'repository-damaged' && identity.kind !== 'foreign-owner';
}

/** The folder itself and all above it. */
function foldersAbove(folder: string): Folder[] {
  const found: Folder[] = [];
  for (let at = folder; ; at = posix.dirname(at)) {
    found.push({ path: at, stats: statsOf(at) });
    if (at === posix.dirname(at)) return found;
  }
}

interface Folder {
  readonly path: string;
  readonly stats: Stats | null;
}

/** By name, and by device and inode: a folder can be reached by another mount of it. */
function isAmong(folders: readonly Folder[], path: string): boolean {
  const own = statsOf(path);
  return folders.some(
    (folder) => folder.path === path || (own !== null && folder.stats?.dev === own.dev && folder.stats.ino === own.ino),
  );
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(nativePath(path));
  } catch {
    // What cannot be looked at is known by its name.
    return null;
  }
}
