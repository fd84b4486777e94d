/** Everything that was read of a repository: what the judgement rests on. */
import type { BranchFacts } from './branch.ts';
import type { Fact } from './fact.ts';
import type { AbsPath, Oid, RefName } from './names.ts';
import type { Base, FetchReport, Repository } from './repository.ts';

/** A worktree as git lists it. */
export interface WorktreeFacts {
  /** The admin directory's name; null for the main worktree. */
  readonly admin: string | null;
  readonly path: AbsPath;
  readonly branch: RefName | null;
  readonly head: Oid | null;
}

export interface Survey {
  readonly repository: Repository;
  /** Known: judged by this. Unknown: why there is none. */
  readonly base: Fact<Base>;
  /** True when a fresh `ls-remote` named another commit for the base than the one that is here. */
  readonly baseMoved: boolean;
  readonly fetch: FetchReport;
  readonly shallow: boolean;
  /** Branches that are some remote's or this repository's default. */
  readonly defaults: ReadonlySet<RefName>;
  /** The namespace of reservation branches, without `refs/heads/`. */
  readonly reserved: string;
  readonly worktrees: Fact<readonly WorktreeFacts[]>;
  readonly branches: Fact<readonly BranchFacts[]>;
  /** What could not be read and concerns more than one row. */
  readonly faults: readonly string[];
}
