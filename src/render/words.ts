import type { EvidenceCode } from '../judge/evidence.ts';

/** What each code means, where many rows are told in one line. */
const MEANINGS: Readonly<Record<EvidenceCode, string>> = {
  ancestor: 'reachable from the base, and so is a commit of its own',
  landed: 'every path it changed was on the base as it left it',
  'squash-merged': 'its whole change is one commit on the base',
  'rebase-merged': 'every commit is on the base as its own commit',
  'series-merged': 'its commits are on the base in groups',
  absorbed: 'merging it would change nothing on the base',
  'main-worktree': 'the main worktree',
  'current-worktree': 'you are in it',
  protected: 'protected by the settings',
  'foreign-owner': 'belongs to another account',
  missing: 'its folder is not there',
  'pointer-broken': 'its folder and its git directory do not name each other',
  'wrong-occupant': 'something else stands in its place',
  'repository-damaged': 'git cannot read it',
  'other-repository': 'belongs to another repository',
  'no-worktree': 'lies in a managed root and is no worktree',
  conflicted: 'has unresolved conflicts',
  staged: 'has staged changes',
  modified: 'has edited files',
  'hidden-edits': 'has edits that git status hides',
  untracked: 'has untracked files',
  'ignored-precious': 'has ignored files that nothing makes again',
  'nested-repository': 'another repository lies in it',
  'nested-worktree': 'another worktree lies in it',
  'submodule-commits': 'a submodule of it has work of its own',
  'mount-inside': 'something is mounted in it',
  'operation-in-progress': 'git has begun something there and not ended it',
  'index-locked': 'a lock file of git is in its git directory',
  'detached-commits': 'its detached HEAD has commits that are not on the base',
  'branch-elsewhere': 'another worktree is on its branch',
  locked: 'it is locked',
  leased: 'somebody leased it',
  'lease-unreadable': 'whether it is leased cannot be told',
  'run-active': 'a run works in it',
  'runs-unread': 'runs that may name it cannot be read',
  'reservations-unread': 'reservations are in use, and were not read',
  'process-inside': 'a process is in it',
  'process-possibly-inside': 'a process may be in it',
  'process-check-unavailable': 'who is in it cannot be told',
  'recent-write': 'was written to a short while ago',
  'within-budget': 'takes no more than is allowed, and was written to last',
  'stale-lock': 'the process that locked it is gone',
  'processes-unreadable': 'processes that could not be looked at',
  rebuildable: 'ignored files that a tool makes again',
  duplicate: 'ignored files that the main checkout has, too',
  'already-saved': 'a copy of its changes is kept already',
  'not-saved': 'no copy of its changes can be made',
  archived: 'ignored files of which copies are kept as notes',
  'submodule-drift': 'a submodule is at another commit than recorded',
  'stash-entries': 'stash entries made on its branch',
  'reflog-commits': 'only its reflog holds commits that are not on the base',
  unmerged: 'holds work that is not proven to be on the base',
  pushed: 'on the remote, and its branch stays',
  'branch-stays': 'its branch stays',
  'no-own-commits': 'nothing was ever committed on it, as far as git knows',
  'net-zero': 'its commits leave nothing changed, so nothing can show that they were merged',
  'reverted-later': 'was merged, and the base took it back later',
  'merged-locally': 'merged into the local branch, which was not pushed yet',
  'probe-failed': 'something about it could not be read',
  'base-unknown': 'there is no base to judge it by',
  shallow: 'the clone is too shallow to tell',
  'remote-unverified': 'the remote moved while it was read',
  'trash-unreachable': 'no trash in its file system',
  'default-branch': 'the branch that others are merged into',
  'checked-out': 'a worktree uses it',
  'ahead-of-upstream': 'has commits that neither its upstream nor the base has',
  'symbolic-ref': 'only another name of a branch',
  'reserved-ref': 'its name belongs to reservations',
  anchored: 'commits that an amend or a rebase replaced',
};

/** The meaning of a reason, or the code itself when it is a newer one. */
export function meaningOf(code: string): string {
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code as EvidenceCode] : code;
}

const KIND_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  worktree: ['worktree', 'worktrees'],
  branch: ['branch', 'branches'],
  'remote-branch': ['remote branch', 'remote branches'],
  reservation: ['reservation', 'reservations'],
  inbox: ['report', 'reports'],
  stray: ['stray', 'strays'],
  protected: ['protected place', 'protected places'],
  cache: ['cache', 'caches'],
};

/** `1 branch`, `2 branches`. */
export function countOf(kind: string, count: number): string {
  const words = KIND_WORDS[kind] ?? [kind, kind];
  return `${count} ${words[count === 1 ? 0 : 1]}`;
}

/** `3 branches and 1 worktree`, in the order in which the kinds first come. */
export function countKinds(rows: readonly { readonly kind: string }[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => countOf(kind, count)).join(' and ');
}

/** What would be done to a row. */
export const ACTIONS = [
  ['remove', 'Would be removed'],
  ['delete', 'Would be deleted'],
  ['dispatch', 'Would be dispatched'],
  ['promote', 'Would be promoted'],
  ['save-patch', 'Would stay, and be copied'],
] as const;

/** A ref as people name it. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes|tags)\//, '');
}

/** A full id's first digits. */
export function shortId(oid: string): string {
  return oid.slice(0, 12);
}
