import type { Ailment } from './ailments.ts';
import type { Base, FetchReport, Repository } from './facts/repository.ts';
import type { Due } from './purge.ts';
import type { Doubt, Row } from './row.ts';

/** What a sweep found: everything `sweep` and `explain` print comes from here. */
export interface Sweep {
  readonly repository: Repository;
  readonly base: Base | null;
  readonly fetch: FetchReport;
  readonly doubts: readonly Doubt[];
  /** In plan order: worktrees, then branches. */
  readonly rows: readonly Row[];
  /** What is broken or stale. */
  readonly ailments: readonly Ailment[];
  /** What has waited in the trash for its time. */
  readonly purge: Due;
  /** True when a fault or a missing base left nothing that could be judged: exit code 2. */
  readonly blind: boolean;
}
