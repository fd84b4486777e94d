import type { Evidence } from '../evidence.ts';
import type { BranchFacts, MergeFacts } from '../facts/branch.ts';
import type { Survey } from '../facts/survey.ts';

/** A question asked of every branch that may hold it. Null: it does not. */
export type BranchHold = (branch: BranchFacts, survey: Survey) => Evidence | null;

/** What stands to the base: a branch, or what a worktree has checked out. */
export type Tip = Pick<BranchFacts, 'oid' | 'upstream'>;

/** A question about how it stands to the base; asked only when that is known. */
export type MergeHold = (merge: MergeFacts, tip: Tip, survey: Survey) => Evidence | null;

/** The base's name for people. */
export function baseName(survey: Survey): string {
  if (survey.base.kind !== 'known') return 'the base';
  return survey.base.value.ref.replace(/^refs\/(?:remotes|heads|coppice\/remotes)\//, '');
}

/** A count with its noun. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
