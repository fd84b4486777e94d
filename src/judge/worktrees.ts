/** Judges worktrees: by who they are, by everything in them, and by how what they have checked out stands to the base. */
import { type Evidence, holds, inOrder, noted } from './evidence.ts';
import { branchStays } from './branch-stays.ts';
import type { MergeFacts } from './facts/branch.ts';
import { absent } from './facts/fact.ts';
import { branchName, shortOid } from './facts/names.ts';
import type { Survey } from './facts/survey.ts';
import type { AdminFacts, WorktreeContents, WorktreeFacts } from './facts/worktree.ts';
import { baseUnknown, remoteUnverified } from './holds/base.ts';
import { count, type MergeHold } from './holds/hold.ts';
import { mergedLocally } from './holds/merged-locally.ts';
import { netZero } from './holds/net-zero.ts';
import { noOwnCommits } from './holds/no-own-commits.ts';
import { contentsMissing } from './holds/probe-failed.ts';
import { revertedLater } from './holds/reverted-later.ts';
import { shallow } from './holds/shallow.ts';
import { unmerged } from './holds/unmerged.ts';
import { branchElsewhere } from './holds/worktree/branch-elsewhere.ts';
import { inRuns, leased } from './holds/worktree/claimed.ts';
import { conflicted } from './holds/worktree/conflicted.ts';
import { currentWorktree } from './holds/worktree/current-worktree.ts';
import { detachedCommits } from './holds/worktree/detached-commits.ts';
import { hiddenEdits } from './holds/worktree/hidden-edits.ts';
import { type AdminHold, type ContentHold, gitIn, listed, type WorktreeHold } from './holds/worktree/hold.ts';
import { identityHold } from './holds/worktree/identity.ts';
import { ignoredPrecious } from './holds/worktree/ignored-precious.ts';
import { indexLocked } from './holds/worktree/index-locked.ts';
import { locked, staleLock } from './holds/worktree/locked.ts';
import { mainWorktree } from './holds/worktree/main-worktree.ts';
import { modified } from './holds/worktree/modified.ts';
import { mountInside } from './holds/worktree/mount-inside.ts';
import { nestedRepository } from './holds/worktree/nested-repository.ts';
import { nestedWorktree } from './holds/worktree/nested-worktree.ts';
import { occupied } from './holds/worktree/occupied.ts';
import { operationInProgress } from './holds/worktree/operation-in-progress.ts';
import { unread } from './holds/worktree/probe-failed.ts';
import { protectedBranch } from './holds/worktree/protected-branch.ts';
import { protectedPlace } from './holds/worktree/protected-place.ts';
import { recentWrite } from './holds/worktree/recent-write.ts';
import { reservationsUnread } from './holds/worktree/reservations-unread.ts';
import { headReflogCommits } from './holds/worktree/reflog-commits.ts';
import { staged } from './holds/worktree/staged.ts';
import { submoduleCommits } from './holds/worktree/submodule-commits.ts';
import { trashUnreachable } from './holds/worktree/trash-unreachable.ts';
import { untracked } from './holds/worktree/untracked.ts';
import { proofOf } from './proof-text.ts';
import type { Row, WorktreeOutline, WorktreeState } from './row.ts';
import { isToBeSaved, salvageNote } from './salvage.ts';
import { isUnused, unusedFor } from './unused.ts';

const BY_PLACE: readonly WorktreeHold[] = [
  mainWorktree,
  currentWorktree,
  protectedPlace,
  protectedBranch,
  identityHold,
  nestedWorktree,
  branchElsewhere,
  headReflogCommits,
  leased,
  reservationsUnread,
  trashUnreachable,
];
const BY_CONTENTS: readonly ContentHold[] = [
  conflicted,
  staged,
  modified,
  hiddenEdits,
  untracked,
  ignoredPrecious,
  nestedRepository,
  submoduleCommits,
  mountInside,
];
const BY_GIT_DIRECTORY: readonly AdminHold[] = [operationInProgress, indexLocked, locked];
const BY_MERGE: readonly MergeHold[] = [netZero, revertedLater, mergedLocally, contentsMissing, shallow];

export function judgeWorktree(worktree: WorktreeFacts, survey: Survey): Row {
  const found = gather(worktree, survey);
  const note = salvageNote(worktree, survey, found);
  const evidence = inOrder(note === null ? found : [...found, note]);
  const hold = evidence.find((one) => one.effect === 'holds');
  const proof = evidence.find((one) => one.effect === 'spent');
  const isSpent = proof !== undefined && hold === undefined;
  // No evidence at all is no permission: it stays.
  const decisive = hold ?? proof ?? { code: 'unmerged' as const, text: 'nothing speaks for its removal' };
  return {
    ...outlineOf(worktree),
    kind: 'worktree',
    action: isSpent ? 'remove' : isToBeSaved(worktree, survey, found) ? 'save-patch' : 'keep',
    reason: { code: decisive.code, text: decisive.text },
    evidence,
  };
}

/** What it is and what was read of it so far, without a judgement. */
export function outlineOf(worktree: WorktreeFacts): WorktreeOutline {
  const detached = worktree.head === null ? '(detached)' : `(detached) ${shortOid(worktree.head)}`;
  return {
    id: `worktree:${worktree.admin ?? '@'}`,
    name: worktree.branch === null ? detached : branchName(worktree.branch),
    path: worktree.path,
    state: stateOf(worktree),
  };
}

function gather(worktree: WorktreeFacts, survey: Survey): Evidence[] {
  const found: (Evidence | null)[] = BY_PLACE.map((hold) => hold(worktree, survey));
  const { contents, adminState, merge } = worktree;
  if (contents.kind === 'known') {
    found.push(...BY_CONTENTS.map((hold) => hold(contents.value, worktree, survey)));
    found.push(...notedContents(contents.value, worktree, survey));
  }
  if (adminState.kind === 'known') {
    found.push(...BY_GIT_DIRECTORY.map((hold) => hold(adminState.value, worktree, survey)));
    found.push(...notedAdmin(adminState.value, worktree));
  }
  const stays = branchStays(worktree, survey);
  if (worktree.admin !== null) found.push(...(stays === null ? byHead(worktree, survey) : [stays]));
  if (worktree.admin !== null) found.push(recentWrite(worktree, survey));
  found.push(
    ...inRuns(worktree, survey),
    ...occupied(worktree.presence),
    ...unread(stays === null ? worktree : { ...worktree, merge: absent }),
    anchored(worktree, survey),
  );
  if (merge.kind === 'known' && worktree.head !== null) found.push(proofOf(merge.value, worktree.head, survey));
  return found.filter((one) => one !== null);
}

function byHead(worktree: WorktreeFacts, survey: Survey): (Evidence | null)[] {
  const { merge, head } = worktree;
  if (survey.base.kind !== 'known') return [baseUnknown(survey)];
  if (head === null) return [holds('unmerged', 'it has no commit yet, so nothing can be compared')];
  // What it is keeps it before anything else is asked.
  if (merge.kind !== 'known') return [remoteUnverified(survey)];
  const tip = { oid: head, upstream: worktree.upstream };
  return [
    remoteUnverified(survey),
    worktree.branch === null ? detachedCommits(merge.value, worktree, survey) : unmerged(merge.value, tip, survey),
    isUnused(merge.value, lastTouch(worktree), survey) ? null : noOwnCommits(merge.value, tip, survey),
    ...BY_MERGE.map((hold) => hold(merge.value, tip, survey)),
    unusedFor(merge.value, lastTouch(worktree), survey),
  ];
}

/** When it was last moved or written to, seconds since 1970; null: not known. */
function lastTouch({ adminState, measure }: WorktreeFacts): number | null {
  if (adminState.kind !== 'known' || measure.kind !== 'known' || adminState.value.lastMove === null) return null;
  return Math.max(adminState.value.lastMove, (measure.value.lastWrite?.time ?? 0) / 1000);
}

function notedContents(contents: WorktreeContents, { path }: WorktreeFacts, survey: Survey): (Evidence | null)[] {
  const { rebuildable, duplicate, precious, submodules } = contents;
  const check = gitIn(path, 'status --short --ignored=matching');
  const drifted = submodules.find((submodule) => submodule.drifted && submodule.holds === null);
  const isArchived = precious.count > 0 && ignoredPrecious(contents, { path } as WorktreeFacts, survey) === null;
  return [
    rebuildable.count === 0
      ? null
      : noted('rebuildable', `${listed(rebuildable, 'ignored place')}: made again by a tool`, check, 'files'),
    duplicate.count === 0
      ? null
      : noted('duplicate', `${listed(duplicate, 'ignored file')}: the main checkout has the same`, check, 'files'),
    isArchived
      ? noted(
          'archived',
          `${listed(precious, 'ignored file')}: nothing makes them again, and coppice keeps a copy; git keeps none`,
          check,
          'files',
        )
      : null,
    drifted === undefined
      ? null
      : noted(
          'submodule-drift',
          `submodule ${drifted.path} is at another commit than recorded; its remotes have all of it`,
        ),
  ];
}

function notedAdmin(admin: AdminFacts, worktree: WorktreeFacts): (Evidence | null)[] {
  return [
    staleLock(admin),
    admin.privateRefs.length === 0 ? null : noted('anchored', `its own ${admin.privateRefs.join(', ')}`),
    admin.stashes === 0 || worktree.branch === null
      ? null
      : noted(
          'stash-entries',
          `${count(admin.stashes, 'entry', 'entries')} of the stash made on its branch; the stash is not part of it and stays`,
          'git stash list',
        ),
  ];
}

function anchored({ reflog, head }: WorktreeFacts, { base }: Survey): Evidence | null {
  const [first] = reflog.kind === 'known' ? reflog.value.replaced : [];
  if (first === undefined || reflog.kind !== 'known') return null;
  const not = [...(head === null ? [] : [head]), ...(base.kind === 'known' ? [base.value.oid] : [])];
  const text = `its reflog holds ${count(reflog.value.replaced.length, 'commit')} that an amend or a rebase replaced`;
  return noted(
    'anchored',
    text,
    `git log --oneline ${[first, ...(not.length > 0 ? ['--not', ...not] : [])].join(' ')}`,
  );
}

function stateOf(worktree: WorktreeFacts): WorktreeState {
  const { contents, adminState, measure, merge } = worktree;
  const files = contents.kind === 'known' ? contents.value : null;
  const admin = adminState.kind === 'known' ? adminState.value : null;
  const weight = measure.kind === 'known' ? measure.value : null;
  const own: MergeFacts | null = merge.kind === 'known' ? merge.value : null;
  return {
    branch: worktree.branch,
    head: worktree.head,
    detached: worktree.branch === null,
    upstream: worktree.upstream?.ref ?? null,
    ahead: worktree.upstream === null ? null : (own?.ahead ?? null),
    behind: worktree.upstream === null ? null : (own?.behind ?? null),
    changes: {
      staged: files?.staged.count ?? null,
      unstaged: files?.unstaged.count ?? null,
      untracked: files?.untracked.count ?? null,
      conflicted: files?.conflicted.count ?? null,
      ignored: {
        rebuildable: files?.rebuildable.count ?? null,
        duplicate: files?.duplicate.count ?? null,
        precious: files?.precious.count ?? null,
      },
    },
    operation: admin?.operations[0] ?? null,
    lock: admin?.lock ?? null,
    lease: worktree.lease.kind === 'known' ? worktree.lease.value : null,
    lastWrite: weight?.lastWrite?.time ?? null,
    bytes: { value: weight?.bytes ?? null, atLeast: weight?.isWhole === false },
    lastCommit: own?.lastCommit ?? null,
  };
}
