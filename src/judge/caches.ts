/**
 * Judges what tools make again in linked worktrees that stay. Whatever else is in them is no matter: but whoever may be
 * at work there is.
 */
import { type Evidence, holds, inOrder, spent } from './evidence.ts';
import { absent } from './facts/fact.ts';
import type { Survey } from './facts/survey.ts';
import type { CacheFolder, WorktreeFacts } from './facts/worktree.ts';
import { count } from './holds/hold.ts';
import { inRuns, leased } from './holds/worktree/claimed.ts';
import { currentWorktree } from './holds/worktree/current-worktree.ts';
import { type AdminHold, quoted, type WorktreeHold } from './holds/worktree/hold.ts';
import { identityHold } from './holds/worktree/identity.ts';
import { indexLocked } from './holds/worktree/index-locked.ts';
import { locked, staleLock } from './holds/worktree/locked.ts';
import { mountInside } from './holds/worktree/mount-inside.ts';
import { nestedRepository } from './holds/worktree/nested-repository.ts';
import { nestedWorktree } from './holds/worktree/nested-worktree.ts';
import { occupied } from './holds/worktree/occupied.ts';
import { operationInProgress } from './holds/worktree/operation-in-progress.ts';
import { unread } from './holds/worktree/probe-failed.ts';
import { protectedPlace } from './holds/worktree/protected-place.ts';
import { recentWrite } from './holds/worktree/recent-write.ts';
import { reservationsUnread } from './holds/worktree/reservations-unread.ts';
import { trashUnreachable } from './holds/worktree/trash-unreachable.ts';
import { withinBudget } from './holds/worktree/within-budget.ts';
import type { Row } from './row.ts';
import { sizeWords } from './size.ts';
import { outlineOf } from './worktrees.ts';

const BY_PLACE: readonly WorktreeHold[] = [
  currentWorktree,
  protectedPlace,
  identityHold,
  leased,
  reservationsUnread,
  trashUnreachable,
];
const BY_GIT_DIRECTORY: readonly AdminHold[] = [operationInProgress, indexLocked, locked];

type CacheRow = Extract<Row, { readonly kind: 'cache' }>;

/** @param going ids of the rows of worktrees that go as a whole. */
export function judgeCaches(
  worktrees: readonly WorktreeFacts[],
  survey: Survey,
  going: ReadonlySet<string>,
): readonly Row[] {
  const rows = worktrees
    .filter((worktree) => !going.has(outlineOf(worktree).id))
    .flatMap((worktree) => judgeCache(worktree, survey) ?? []);
  return survey.caches === null || survey.caches.budget === null ? rows : thrifty(rows, survey.caches.budget);
}

/** Null: there is nothing of that kind in it, or it is the main worktree, which people keep ready. */
export function judgeCache(worktree: WorktreeFacts, survey: Survey): CacheRow | null {
  const { admin, caches, path } = worktree;
  const folders = caches.kind === 'known' ? caches.value : [];
  if (admin === null || (caches.kind === 'known' && folders.length === 0)) return null;
  if (worktree.identity.kind === 'missing') return null;
  const { name } = outlineOf(worktree);
  const bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  const state = {
    folders,
    bytes,
    lastWrite: folders.length === 0 ? null : Math.max(...folders.map(({ lastWrite }) => lastWrite)),
  };
  return verdict({ id: `cache:${admin}`, name, path, kind: 'cache', state }, gather(worktree, folders, survey));
}

function verdict(row: Omit<CacheRow, 'action' | 'reason' | 'evidence'>, found: readonly Evidence[]): CacheRow {
  const evidence = inOrder(found);
  const hold = evidence.find(({ effect }) => effect === 'holds');
  const proof = evidence.find(({ effect }) => effect === 'spent');
  // No evidence at all is no permission: it stays.
  const { code, text } = hold ?? proof ?? { code: 'probe-failed' as const, text: 'nothing speaks for its removal' };
  const isSpent = hold === undefined && proof !== undefined;
  return { ...row, action: isSpent ? 'remove' : 'keep', reason: { code, text }, evidence };
}

function gather(worktree: WorktreeFacts, folders: readonly CacheFolder[], survey: Survey): Evidence[] {
  const { contents, adminState, presence } = worktree;
  // Of these only what lies in one of the folders would go.
  const inThem = (path: string) => folders.some((folder) => `${path}/`.startsWith(`${folder.path}/`));
  const found: (Evidence | null)[] = BY_PLACE.map((hold) => hold(worktree, survey));
  if (contents.kind === 'known') {
    const nested = contents.value.nested.filter(({ path }) => inThem(path));
    const mounts = contents.value.mounts.filter(inThem);
    const own = { ...contents.value, nested, mounts };
    found.push(nestedRepository(own, worktree, survey), mountInside(own, worktree, survey));
  }
  const inside = worktree.inside.filter((path) => inThem(path.slice(worktree.path.length + 1)));
  found.push(nestedWorktree({ ...worktree, inside }, survey));
  if (adminState.kind === 'known') {
    found.push(...BY_GIT_DIRECTORY.map((hold) => hold(adminState.value, worktree, survey)));
    found.push(staleLock(adminState.value));
  }
  found.push(
    recentWrite(lastWritten(worktree, folders), survey),
    ...inRuns(worktree, survey),
    ...occupied(presence),
    ...unread({ ...worktree, merge: absent, reflog: absent }),
    worktree.caches.kind === 'unknown' && contents.kind !== 'unknown'
      ? holds('probe-failed', worktree.caches.reason, { source: 'files' })
      : null,
    ...folders.map(({ stuck }) => (stuck === null ? null : holds('trash-unreachable', stuck, { source: 'files' }))),
    proofOf(worktree, folders),
  );
  return found.filter((one) => one !== null);
}

/** With the newest write to its caches, where that is newer than that to its own files. */
function lastWritten(worktree: WorktreeFacts, folders: readonly CacheFolder[]): WorktreeFacts {
  const { measure } = worktree;
  const own = measure.kind === 'known' ? measure.value : { bytes: 0, isWhole: false, lastWrite: null };
  const newest = folders.reduce((last, { path, lastWrite }) => {
    return lastWrite > (last?.time ?? -Infinity) ? { path, time: lastWrite } : last;
  }, own.lastWrite);
  return { ...worktree, measure: { kind: 'known', value: { ...own, lastWrite: newest } } };
}

function proofOf({ path }: WorktreeFacts, folders: readonly CacheFolder[]): Evidence | null {
  if (folders.length === 0) return null;
  const bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  const named = folders.map((folder) => `${folder.path} (${folder.why})`).join(', ');
  const folder = quoted(path);
  const check = folder === null ? null : `git -C ${folder} status --short --ignored=matching`;
  return spent('rebuildable', `${count(folders.length, 'folder')}, ${sizeWords(bytes)}: ${named}`, check, 'files');
}

/** Those written to last stay, as many as fit; what something else holds counts as well. */
function thrifty(rows: readonly CacheRow[], budget: number): readonly CacheRow[] {
  let excess = rows.reduce((sum, { state }) => sum + state.bytes, 0) - budget;
  const stays = new Set<CacheRow>();
  const free = rows.filter(({ action }) => action === 'remove');
  for (const row of [...free].sort((a, b) => (a.state.lastWrite ?? 0) - (b.state.lastWrite ?? 0))) {
    if (excess <= 0) stays.add(row);
    else excess -= row.state.bytes;
  }
  return rows.map((row) => (stays.has(row) ? verdict(row, [...row.evidence, withinBudget(budget)]) : row));
}
