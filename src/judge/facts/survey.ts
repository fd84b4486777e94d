/** Everything that was read of a repository: what the judgement rests on. */
import type { AsideFacts } from './aside.ts';
import type { BranchFacts } from './branch.ts';
import type { Leases, Runs } from './claims.ts';
import type { Fact } from './fact.ts';
import type { AbsPath, Oid, RefName } from './names.ts';
import type { NotesPlace, StrayFacts } from './place.ts';
import type { Base, FetchReport, Repository } from './repository.ts';
import type { WorktreeFacts } from './worktree.ts';

/** Something that is wrong and belongs to no one row. */
export interface Fault {
  /** A stable word. */
  readonly code: string;
  /** As a byte string. */
  readonly text: string;
  /** The file or folder that it is about, as a byte string; null: none, or many. */
  readonly place: string | null;
}

/** With one worktree in hand its branch may stay, so that nothing of it has to be merged. */
export interface NamedWorktree {
  /** True: that is asked for. */
  readonly keepsBranch: boolean;
  /** The tips of the remote's branches, as it has just told. */
  readonly pushed: ReadonlySet<Oid>;
}

/** When ignored files that nothing makes again keep their worktree. */
export interface PreciousRule {
  /** True: always. */
  readonly holds: boolean;
  /** With more bytes than this they do in any case. */
  readonly upTo: number;
  /** So do more of them than this. */
  readonly most: number;
  /** Where copies of them are kept; where none can be, they do as well. */
  readonly place: Fact<NotesPlace>;
}

/** Which folders that tools make again may go from worktrees that stay. */
export interface CacheRule {
  /** Bytes that all of them may take together, the newest first; null: none of them. */
  readonly budget: number | null;
  /** True: nothing else of the worktrees is asked about. */
  readonly alone: boolean;
}

export interface Survey {
  readonly repository: Repository;
  /** Known: judged by this. Unknown: why there is none. */
  readonly base: Fact<Base>;
  /** True when a fresh `ls-remote` named another commit for the base than the one that is here. */
  readonly baseMoved: boolean;
  /** The name of the remote that counts, when a shell takes it as it is; null: there is none. */
  readonly remote: string | null;
  readonly fetch: FetchReport;
  readonly shallow: boolean;
  /** Branches that are some remote's or this repository's default. */
  readonly defaults: ReadonlySet<RefName>;
  /** The namespace of reservation branches, without `refs/heads/`. */
  readonly reserved: string;
  readonly worktrees: Fact<readonly WorktreeFacts[]>;
  /** Leases that may name branches. Absent: there never was one. */
  readonly leases: Fact<Leases>;
  /** Runs that may name worktrees. Absent: there never was one. */
  readonly runs: Fact<Runs>;
  readonly branches: Fact<readonly BranchFacts[]>;
  /** What lies in managed roots and is no worktree of this repository. */
  readonly strays: readonly StrayFacts[];
  /** Places that the settings protect. */
  readonly protectedPlaces: readonly AbsPath[];
  /** When it was read, milliseconds since 1970. */
  readonly now: number;
  /** A worktree written to within so many milliseconds stays. */
  readonly idle: number;
  /** Rows without own commits may go that were created, moved and written to longer ago; null: none may. Milliseconds. */
  readonly unused: number | null;
  /** True: reservations are in use, and they were not read. */
  readonly hasUnreadReservations: boolean;
  readonly precious: PreciousRule;
  /** What else counts for one worktree that somebody names; null: nobody named one. */
  readonly named: NamedWorktree | null;
  /** Null: caches are not asked about. */
  readonly caches: CacheRule | null;
  readonly aside: AsideFacts;
  /** What could not be read, or is set so that it misleads, and concerns more than one row. */
  readonly faults: readonly Fault[];
}
