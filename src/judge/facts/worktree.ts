/** What was read of a worktree. */
import type { MergeFacts } from './branch.ts';
import type { LeaseRecord } from './claims.ts';
import type { Fact } from './fact.ts';
import type { AbsPath, Oid, RefName } from './names.ts';
import type { Presence } from './presence.ts';

/** Which file or folder it is, whatever its name: digits. */
export interface FileId {
  readonly device: string;
  readonly inode: string;
  /** When it was made, in nanoseconds since 1970, where its file system tells. */
  readonly birth?: string;
}

/** Is the folder the worktree that its git directory says it is? */
export type Identity =
  /** Both name each other, by device and inode. */
  | { readonly kind: 'proven'; readonly folder: FileId; readonly gitDir: FileId }
  | {
      readonly kind: 'missing' | 'pointer-broken' | 'wrong-occupant' | 'repository-damaged';
      /** As a byte string. */
      readonly why: string;
    }
  | { readonly kind: 'foreign-owner'; readonly owner: number; readonly what: string };

/** Some of many paths, as byte strings, and how many there are. */
export interface Sample {
  readonly count: number;
  readonly names: readonly string[];
}

/** Ignored files and folders of one kind. */
export interface IgnoredKind extends Sample {
  /** Files in them, and their bytes; null where only names were walked. */
  readonly files: number | null;
  readonly bytes: number | null;
}

/** Those that nothing makes again. */
export interface PreciousKind extends IgnoredKind {
  /** All of them, relative to the worktree, as byte strings; null: more than are kept copies of. */
  readonly paths: readonly string[] | null;
}

/** A repository inside the worktree that is no submodule of it. */
export interface NestedRepository {
  /** Relative to the worktree, as a byte string. */
  readonly path: string;
  /** What it holds, in words. */
  readonly what: string;
}

export interface SubmoduleFacts {
  /** Relative to the worktree; of a store whose submodule is not checked out, its name. */
  readonly path: string;
  /** Why its store must stay, in words; null: everything in it is on its remotes, as last fetched. */
  readonly holds: string | null;
  /** True when it is checked out at another commit than the one recorded. */
  readonly drifted: boolean;
}

/** A trash. Byte strings. */
export interface TrashPlace {
  /** It may have to be made. */
  readonly folder: string;
  /** The folder itself or one above it: from there on it is to be this account's alone. */
  readonly from: string;
}

/** A path of the index that is not as in the commit. */
export interface IndexEntry {
  readonly path: string;
  /** 0, or of a conflict: 1 the common ancestor's, 2 ours, 3 theirs. */
  readonly stage: number;
  /** As git writes it, such as `100644`. */
  readonly mode: string;
  /** Null: the index has it no more. */
  readonly oid: Oid | null;
}

/** What differs from the commit. Paths are relative to the worktree, as byte strings. */
export interface Changes {
  readonly index: readonly IndexEntry[];
  /** Of the folder itself; also such that are gone. */
  readonly paths: readonly string[];
  /** Repositories and submodules in it, which are no part of this. */
  readonly without: readonly string[];
}

/** A copy of changes, made or to be made. */
export interface Salvage {
  /** Two that are the same have the same. */
  readonly digest: string;
  readonly files: number;
  readonly bytes: number;
  /** The note that holds the very same, whole; null: there is none. */
  readonly earlier: string | null;
}

/** Everything that would go away with the folder. */
export interface WorktreeContents {
  readonly staged: Sample;
  readonly unstaged: Sample;
  readonly conflicted: Sample;
  readonly untracked: Sample;
  /** Edits that git's status does not show. */
  readonly hidden: Sample;
  readonly changes: Changes;
  readonly rebuildable: IgnoredKind;
  readonly duplicate: IgnoredKind;
  readonly precious: PreciousKind;
  readonly nested: readonly NestedRepository[];
  readonly submodules: readonly SubmoduleFacts[];
  /** Mount points inside, relative to the worktree. */
  readonly mounts: readonly string[];
}

/** A lock file of git. */
export interface GitLock {
  /** Its name in the git directory, such as `index.lock`. */
  readonly file: string;
  /** When it was last written, milliseconds since 1970. */
  readonly written: number;
  /** Processes that have it open; `all` false: some processes could not be looked at. */
  readonly holders: Fact<{ readonly pids: readonly number[]; readonly all: boolean }>;
}

/** git's lock on a worktree, and what its reason tells of the one who took it. */
export interface WorktreeLock {
  /** Empty when none was given; a byte string. */
  readonly reason: string;
  /** Who took it, as the reason says; null: it does not. */
  readonly owner: string | null;
  readonly pid: number | null;
  /** Whether the process that took it is still there; null: that cannot be told. */
  readonly alive: boolean | null;
  /** The name of the file that has it, where an unlock was cut off half-way; null: it is git's own lock. */
  readonly aside: string | null;
}

/** What the worktree's own git directory tells. */
export interface AdminFacts {
  /** Words of git's operations in progress, such as `rebase`. */
  readonly operations: readonly string[];
  /** A lock file that git takes to write what this worktree alone has; null when there is none. */
  readonly indexLock: GitLock | null;
  /** Names of pseudo-refs and private refs that hold commits, such as `ORIG_HEAD`. */
  readonly privateRefs: readonly string[];
  /** Entries of the shared stash that name its branch. */
  readonly stashes: number;
  /** git's lock on the worktree; null when it is not locked. */
  readonly lock: WorktreeLock | null;
  /** Newest entry of its reflog, seconds since 1970; null without one. */
  readonly lastMove: number | null;
}

/** A folder in a worktree of which all is made again by a tool. */
export interface CacheFolder {
  /** Relative to the worktree, as a byte string. */
  readonly path: string;
  readonly id: FileId;
  /** What proves that it is made again, in words; as a byte string. */
  readonly why: string;
  /** On disk. */
  readonly bytes: number;
  /** The newest write to it or in it, milliseconds since 1970. */
  readonly lastWrite: number;
  /** The newest change in it of whatever kind, which nobody can set back, milliseconds since 1970. */
  readonly lastChange: number;
  /** Why it cannot be moved away, as a byte string; null: nothing is known that speaks against it. */
  readonly stuck: string | null;
}

/** Bytes on disk, and the newest write to its own files: those that no tool makes again. */
export interface Measure {
  readonly bytes: number;
  /** False: some of what is in it was not weighed. */
  readonly isWhole: boolean;
  readonly lastWrite: LastWrite | null;
}

export interface LastWrite {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Relative to the worktree, as a byte string. */
  readonly path: string;
}

export interface WorktreeFacts {
  /** The admin directory's name; null for the main worktree. */
  readonly admin: string | null;
  /** Its own git directory. */
  readonly gitDir: AbsPath;
  readonly path: AbsPath;
  /** The same without links on the way; the path itself where it cannot be told. */
  readonly realPath: string;
  /** Names the working copy to coppice's own state; null: it has no such name, or that cannot be read. */
  readonly key: string | null;
  /** Who uses it on this machine, as they say; also one that is over. */
  readonly lease: Fact<LeaseRecord>;
  /** The branch checked out; null when detached. */
  readonly branch: RefName | null;
  readonly head: Oid | null;
  readonly upstream: { readonly ref: RefName; readonly oid: Oid | null } | null;
  /** True when the caller stands in it. */
  readonly isCurrent: boolean;
  /** Why the settings protect its place, in words; null when they do not. A protected place is never read. */
  readonly protectedBy: string | null;
  /** True when the settings protect a branch of that name. */
  readonly isBranchProtected: boolean;
  readonly identity: Identity;
  /** Absent: not read, because of what it is. */
  readonly contents: Fact<WorktreeContents>;
  readonly adminState: Fact<AdminFacts>;
  readonly measure: Fact<Measure>;
  /** Folders in it that tools make again, and that have something in them. Absent: not asked. */
  readonly caches: Fact<readonly CacheFolder[]>;
  /** A copy of its changes. Absent: it has none, or it does not lie where copies are made by themselves. */
  readonly salvage: Fact<Salvage>;
  /** Who is there. Absent: not asked, because of what it is. */
  readonly presence: Fact<Presence>;
  /** Where it can be moved to. Absent: not asked. */
  readonly trash: Fact<TrashPlace>;
  /** Other worktrees that lie inside it. */
  readonly inside: readonly AbsPath[];
  /** Other worktrees that are on the same branch. */
  readonly sharedWith: readonly AbsPath[];
  /** How what it has checked out stands to the base. */
  readonly merge: Fact<MergeFacts>;
  /** Commits that only its reflog holds. */
  readonly reflog: Fact<ReflogCommits>;
  /** True when a ref other than its own HEAD reaches what is checked out. */
  readonly headIsHeld: boolean;
}

export interface ReflogCommits {
  readonly dropped: readonly Oid[];
  readonly replaced: readonly Oid[];
}
