/** Judges local branches. */
import { type Evidence, inOrder, noted } from './evidence.ts';
import type { BranchFacts, MergeFacts } from './facts/branch.ts';
import { known } from './facts/fact.ts';
import { type AbsPath, branchName } from './facts/names.ts';
import type { Survey } from './facts/survey.ts';
import { aheadOfUpstream } from './holds/ahead-of-upstream.ts';
import { baseUnknown, remoteUnverified } from './holds/base.ts';
import { branchInRun, branchLeased } from './holds/claimed.ts';
import { checkedOut } from './holds/checked-out.ts';
import { defaultBranch } from './holds/default-branch.ts';
import { type BranchHold, count, type MergeHold } from './holds/hold.ts';
import { mergedLocally } from './holds/merged-locally.ts';
import { netZero } from './holds/net-zero.ts';
import { noOwnCommits } from './holds/no-own-commits.ts';
import { contentsMissing, mergeUnknown } from './holds/probe-failed.ts';
import { protectedName } from './holds/protected.ts';
import { reflogCommits } from './holds/reflog-commits.ts';
import { reservedRef } from './holds/reserved-ref.ts';
import { revertedLater } from './holds/reverted-later.ts';
import { shallow } from './holds/shallow.ts';
import { symbolicRef } from './holds/symbolic-ref.ts';
import { unmerged } from './holds/unmerged.ts';
import { proofOf } from './proof-text.ts';
import type { Row } from './row.ts';
import { isUnused, unusedFor } from './unused.ts';

/** What a branch is, whatever it holds. One of these makes it needless to ask how it stands to the base. */
const BY_NAME: readonly BranchHold[] = [defaultBranch, symbolicRef, reservedRef, protectedName];
const BY_SURROUNDINGS: readonly BranchHold[] = [
  checkedOut,
  branchLeased,
  branchInRun,
  (_branch, survey) => baseUnknown(survey),
  (_branch, survey) => remoteUnverified(survey),
  mergeUnknown,
];
const ALWAYS: readonly BranchHold[] = [...BY_NAME, ...BY_SURROUNDINGS];
const BY_MERGE: readonly MergeHold[] = [
  reflogCommits,
  unmerged,
  noOwnCommits,
  netZero,
  revertedLater,
  mergedLocally,
  contentsMissing,
  shallow,
  aheadOfUpstream,
];

/** True when the branch stays for what it is, so that its history need not be read. */
export function staysByName(
  branch: Omit<BranchFacts, 'merge' | 'lastMove'>,
  survey: Pick<Survey, 'defaults' | 'reserved'>,
): boolean {
  return (
    survey.defaults.has(branch.ref) ||
    branch.symbolic !== null ||
    branch.isProtected ||
    branchName(branch.ref).startsWith(`${survey.reserved}/`)
  );
}

/**
 * One branch: deleted only when something speaks for it and nothing holds it.
 * @param going folders of worktrees that would be removed before it, and then use it no more.
 */
export function judgeBranch(branch: BranchFacts, survey: Survey, going: ReadonlySet<AbsPath> = NONE): Row {
  const evidence = inOrder(gather({ ...branch, uses: without(branch.uses, going) }, survey));
  const hold = evidence.find((one) => one.effect === 'holds');
  const proof = evidence.find((one) => one.effect === 'spent');
  const reason = hold ?? proof;
  // No evidence at all is no permission: it stays.
  const decisive = reason ?? { code: 'unmerged' as const, text: 'nothing speaks for its removal' };
  const merge = branch.merge.kind === 'known' ? branch.merge.value : null;
  const uses = branch.uses.kind === 'known' ? branch.uses.value : [];
  return {
    kind: 'branch',
    id: `branch:${branch.ref}`,
    name: branchName(branch.ref),
    path: null,
    action: proof !== undefined && hold === undefined ? 'delete' : 'keep',
    reason: { code: decisive.code, text: decisive.text },
    evidence,
    state: {
      head: branch.oid,
      upstream: branch.upstream?.ref ?? null,
      ahead: merge?.ahead ?? null,
      behind: merge?.behind ?? null,
      worktree: uses[0]?.path ?? null,
      lastCommit: merge?.lastCommit ?? null,
    },
  };
}

const NONE: ReadonlySet<AbsPath> = new Set();

function without(uses: BranchFacts['uses'], going: ReadonlySet<AbsPath>): BranchFacts['uses'] {
  if (uses.kind !== 'known' || going.size === 0) return uses;
  return known(uses.value.filter(({ how, path }) => how !== 'checked out' || path === null || !going.has(path)));
}

function gather(branch: BranchFacts, survey: Survey): Evidence[] {
  const found: (Evidence | null)[] = ALWAYS.map((hold) => hold(branch, survey));
  if (branch.merge.kind === 'known') {
    const merge = branch.merge.value;
    found.push(
      proofOf(merge, branch.oid, survey),
      unusedFor(merge, branch.lastMove, survey),
      ...BY_MERGE.map((hold) =>
        hold === noOwnCommits && isUnused(merge, branch.lastMove, survey) ? null : hold(merge, branch, survey),
      ),
      anchored(merge, branch),
    );
  }
  return found.filter((one) => one !== null);
}

function anchored(merge: MergeFacts, branch: BranchFacts): Evidence | null {
  const [first] = merge.replaced;
  if (first === undefined) return null;
  const text = `its reflog holds ${count(merge.replaced.length, 'commit')} that an amend or a rebase replaced`;
  return noted('anchored', text, `git log --oneline ${first} --not ${branch.oid}`);
}
