/** Judges local branches. */
import { type Evidence, inOrder, noted, spent } from './evidence.ts';
import type { BranchFacts, MergeFacts } from './facts/branch.ts';
import { branchName, shortOid } from './facts/names.ts';
import type { Survey } from './facts/survey.ts';
import { aheadOfUpstream } from './holds/ahead-of-upstream.ts';
import { baseUnknown, remoteUnverified } from './holds/base.ts';
import { checkedOut } from './holds/checked-out.ts';
import { defaultBranch } from './holds/default-branch.ts';
import { baseName, type BranchHold, count, type MergeHold } from './holds/hold.ts';
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
import type { Row } from './row.ts';

/** What a branch is, whatever it holds. One of these makes it needless to ask how it stands to the base. */
const BY_NAME: readonly BranchHold[] = [defaultBranch, symbolicRef, reservedRef, protectedName];
const BY_SURROUNDINGS: readonly BranchHold[] = [checkedOut, baseUnknown, remoteUnverified, mergeUnknown];
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
  branch: Omit<BranchFacts, 'merge'>,
  survey: Pick<Survey, 'defaults' | 'reserved'>,
): boolean {
  return (
    survey.defaults.has(branch.ref) ||
    branch.symbolic !== null ||
    branch.isProtected ||
    branchName(branch.ref).startsWith(`${survey.reserved}/`)
  );
}

/** One branch: deleted only when something speaks for it and nothing holds it. */
export function judgeBranch(branch: BranchFacts, survey: Survey): Row {
  const evidence = inOrder(gather(branch, survey));
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

function gather(branch: BranchFacts, survey: Survey): Evidence[] {
  const found: (Evidence | null)[] = ALWAYS.map((hold) => hold(branch, survey));
  if (branch.merge.kind === 'known') {
    const merge = branch.merge.value;
    found.push(
      proofOf(merge, branch, survey),
      ...BY_MERGE.map((hold) => hold(merge, branch, survey)),
      anchored(merge, branch),
    );
  }
  return found.filter((one) => one !== null);
}

/** The step of the ladder that held, in words, and how to see it. */
function proofOf(merge: MergeFacts, branch: BranchFacts, survey: Survey): Evidence | null {
  const { proof } = merge;
  if (proof === null || !merge.worked || survey.base.kind !== 'known') return null;
  const base = baseName(survey);
  const [first = survey.base.value.oid] = proof.commits;
  const list = proof.commits.map(shortOid);
  const show = `git show --stat ${proof.commits.slice(0, 8).join(' ')}`;
  switch (proof.code) {
    case 'ancestor':
      return spent(
        'ancestor',
        `merged into ${base} by ${shortOid(first)}`,
        `git merge-base --is-ancestor ${branch.oid} ${survey.base.value.oid}`,
      );
    case 'landed':
      return spent('landed', `${base} held exactly its contents at ${shortOid(first)}`, show);
    case 'squash-merged':
      return spent('squash-merged', `squashed into ${base} as ${shortOid(first)}`, show);
    case 'rebase-merged':
      return spent('rebase-merged', `each commit is on ${base}: ${named(list)}`, show);
    case 'series-merged':
      return spent(
        'series-merged',
        `its commits are on ${base}, in ${count(list.length, 'part')}: ${named(list)}`,
        show,
      );
    case 'absorbed':
      return spent(
        'absorbed',
        `merging it would add nothing to ${base}`,
        `git merge-tree --write-tree ${survey.base.value.oid} ${branch.oid}`,
      );
  }
}

function named(list: readonly string[]): string {
  return list.length <= 4 ? list.join(', ') : `${list[0]} … ${list.at(-1)} (${list.length})`;
}

function anchored(merge: MergeFacts, branch: BranchFacts): Evidence | null {
  const [first] = merge.replaced;
  if (first === undefined) return null;
  const text = `its reflog holds ${count(merge.replaced.length, 'commit')} that an amend or a rebase replaced`;
  return noted('anchored', text, `git log --oneline ${first} --not ${branch.oid}`);
}
