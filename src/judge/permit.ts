/** Leave to change something. Nothing is changed without one, and no other file can make one. */
import type { Evidence } from './evidence.ts';
import type { Fact } from './facts/fact.ts';
import { type AbsPath, isBranch, type Oid, parseRefName, type RefName } from './facts/names.ts';
import type { CacheFolder, FileId, TrashPlace, WorktreeFacts, WorktreeLock } from './facts/worktree.ts';
import type { Row } from './row.ts';

declare const MINTED: unique symbol;

/** A worktree's git directory, and git's lock in it; absent: it is not locked. */
export interface LockedWorktree {
  /** The admin directory's name. */
  readonly admin: string;
  readonly gitDir: AbsPath;
  /** Where the worktree is, as its git directory says; the git directory itself where it does not. */
  readonly path: AbsPath;
  readonly lock: Fact<WorktreeLock>;
}

/** Leave to take away git's lock on a worktree, as it was read: the process that took it is proven to be gone. */
export interface UnlockPermit {
  readonly [MINTED]: 'unlock';
  readonly worktree: LockedWorktree;
  readonly lock: WorktreeLock & { readonly pid: number };
}

/** Null: it is not locked, its owner is there, nobody can tell, or what holds is not git's own lock. */
export function permitUnlock(worktree: LockedWorktree): UnlockPermit | null {
  const { lock } = worktree;
  if (lock.kind !== 'known' || lock.value.aside !== null) return null;
  if (lock.value.alive !== false || lock.value.pid === null) return null;
  return { worktree, lock: lock.value } as UnlockPermit;
}

/** Leave to delete a branch as it was judged, and to put it back where that turns out wrong. */
export interface BranchPermit {
  readonly [MINTED]: 'branch';
  /** The id of the row. */
  readonly row: string;
  readonly ref: RefName;
  readonly tip: Oid;
  /** All that was found about it, to be compared with what is found later. */
  readonly evidence: string;
  /** Why it may go, as a byte string. */
  readonly why: string;
}

/** Null: something holds it, nothing speaks for it, or it is no branch. */
export function permitBranch(row: Row): BranchPermit | null {
  if (row.kind !== 'branch' || row.action !== 'delete') return null;
  const effects = row.evidence.map(({ effect }) => effect);
  const ref = parseRefName(row.id.replace(/^branch:/, ''));
  const tip = row.state.head;
  if (effects.includes('holds') || !effects.includes('spent') || ref === null || tip === null || !isBranch(ref))
    return null;
  return { row: row.id, ref, tip, evidence: evidenceText(row.evidence), why: row.reason.text } as BranchPermit;
}

/** Leave to move a worktree into the trash as it was judged, and to put it back where that turns out wrong. */
export interface WorktreePermit {
  readonly [MINTED]: 'worktree';
  /** The id of the row. */
  readonly row: string;
  /** The admin directory's name. */
  readonly admin: string;
  readonly gitDir: AbsPath;
  readonly path: AbsPath;
  /** Which folders these were when it was judged. */
  readonly ids: { readonly folder: FileId; readonly gitDir: FileId };
  /** Null: detached. */
  readonly branch: RefName | null;
  readonly head: Oid;
  /** The trash that it is moved to. */
  readonly trash: TrashPlace;
  /** git's lock that may be replaced: a mark of coppice's own; null: it is not locked. As a byte string. */
  readonly mark: string | null;
  /** All that was found about it, to be compared with what is found later. */
  readonly evidence: string;
  /** Why it may go, as a byte string. */
  readonly why: string;
}

/** Null: something holds it, nothing speaks for it, or these facts are not those of the row. */
export function permitWorktree(row: Row, worktree: WorktreeFacts): WorktreePermit | null {
  const { admin, gitDir, path, identity, branch, head, trash, adminState } = worktree;
  if (row.kind !== 'worktree' || row.action !== 'remove' || row.id !== `worktree:${admin ?? '@'}`) return null;
  const effects = row.evidence.map(({ effect }) => effect);
  if (effects.includes('holds') || !effects.includes('spent')) return null;
  if (admin === null || head === null || identity.kind !== 'proven') return null;
  if (trash.kind !== 'known' || adminState.kind !== 'known') return null;
  const { folder, gitDir: own } = identity;
  return {
    row: row.id,
    admin,
    gitDir,
    path,
    ids: { folder, gitDir: own },
    branch,
    head,
    trash: trash.value,
    mark: adminState.value.lock?.reason ?? null,
    evidence: evidenceText(row.evidence),
    why: row.reason.text,
  } as WorktreePermit;
}

/** Leave to move folders of a worktree into the trash that a tool makes again, and to put them back. */
export interface CachePermit {
  readonly [MINTED]: 'cache';
  /** The id of the row. */
  readonly row: string;
  /** The worktree's admin directory's name. */
  readonly admin: string;
  /** The worktree. */
  readonly path: AbsPath;
  /** Which folder that was when it was judged. */
  readonly id: FileId;
  readonly folders: readonly CacheFolder[];
  readonly trash: TrashPlace;
  /** All that was found about it, to be compared with what is found later. */
  readonly evidence: string;
  /** Why they may go, as a byte string. */
  readonly why: string;
}

/** Null: something holds them, nothing speaks for it, or these facts are not those of the row. */
export function permitCache(row: Row, worktree: WorktreeFacts): CachePermit | null {
  const { admin, path, identity, caches, trash } = worktree;
  if (row.kind !== 'cache' || row.action !== 'remove' || row.id !== `cache:${admin ?? '@'}`) return null;
  const effects = row.evidence.map(({ effect }) => effect);
  if (effects.includes('holds') || !effects.includes('spent')) return null;
  if (admin === null || identity.kind !== 'proven' || caches.kind !== 'known' || trash.kind !== 'known') return null;
  return {
    row: row.id,
    admin,
    path,
    id: identity.folder,
    folders: caches.value,
    trash: trash.value,
    evidence: evidenceText(row.evidence),
    why: row.reason.text,
  } as CachePermit;
}

/** Leave to bring a worktree back from the trash. */
export interface ReturnPermit {
  readonly [MINTED]: 'return';
  /** Its entry in the trash. */
  readonly entry: string;
  readonly path: AbsPath;
  readonly admin: string;
}

/** A place to which a worktree is to come back, as it is now. */
export interface Berth {
  readonly path: AbsPath;
  /** What is at the path; absent: nothing. */
  readonly there: Fact<string>;
  /** The name of an admin directory that is to be its own, and what bears it. */
  readonly admin: string;
  readonly namesake: Fact<string>;
}

/** @param entry its entry in the trash. @returns null: the place or the name is taken, or nobody can tell. */
export function permitReturn(entry: string, { path, there, admin, namesake }: Berth): ReturnPermit | null {
  const isFree = there.kind === 'absent' && namesake.kind === 'absent';
  return isFree ? ({ entry, path, admin } as ReturnPermit) : null;
}

/** Leave to bring folders back that a tool makes again. */
export interface RefillPermit {
  readonly [MINTED]: 'refill';
  /** Their entry in the trash. */
  readonly entry: string;
  /** The folder in which they are to be. */
  readonly path: AbsPath;
}

/** @param there what is at each of their places; absent: nothing. @returns null: one is taken, or nobody can tell. */
export function permitRefill(entry: string, path: AbsPath, there: readonly Fact<string>[]): RefillPermit | null {
  return there.every(({ kind }) => kind === 'absent') ? ({ entry, path } as RefillPermit) : null;
}

/** Leave to copy what differs from the commit in a worktree, which stays as it is. */
export interface SavePermit {
  readonly [MINTED]: 'save';
  readonly row: string;
  readonly path: AbsPath;
  readonly branch: RefName | null;
  readonly head: Oid;
  readonly digest: string;
}

/** Null: nothing is to be saved, or these facts are not those of the row. */
export function permitSave(row: Row, { admin, path, branch, head, salvage }: WorktreeFacts): SavePermit | null {
  if (row.kind !== 'worktree' || row.action !== 'save-patch' || row.id !== `worktree:${admin ?? '@'}`) return null;
  if (head === null || salvage.kind !== 'known') return null;
  return { row: row.id, path, branch, head, digest: salvage.value.digest } as SavePermit;
}

/** The same for the same findings, and for no others. What is only worth knowing of other processes says nothing of it. */
export function evidenceText(evidence: readonly Evidence[]): string {
  const counted = evidence.filter(({ effect, source }) => effect !== 'noted' || source !== 'processes');
  return counted.map(({ code, effect, grade, text }) => `${effect} ${grade} ${code}: ${text}`).join('\n');
}

/** Leave to make a branch that was deleted again. */
export interface RestorePermit {
  readonly [MINTED]: 'restore';
  readonly ref: RefName;
  readonly tip: Oid;
}

/** A name to which a branch is to come back, as it is now. */
export interface Vacancy {
  readonly ref: RefName;
  /** What the name stands for; absent: nothing. */
  readonly there: Fact<Oid>;
  /** Whether a worktree names it; a name can be checked out before there is a commit. */
  readonly used: Fact<boolean>;
}

/**
 * @param wasCut true when an act of coppice on it was cut off: then it may be there already, and whoever names it has
 *   it back.
 * @returns null: the name is taken, in use, or nobody can tell.
 */
export function permitRestore(tip: Oid, { ref, there, used }: Vacancy, wasCut: boolean): RestorePermit | null {
  const isFree = there.kind === 'absent' && used.kind === 'known' && !used.value;
  const isOurs = wasCut && (there.kind === 'absent' || (there.kind === 'known' && there.value === tip));
  return isBranch(ref) && (isFree || isOurs) ? ({ ref, tip } as RestorePermit) : null;
}

/** Leave to delete for good what was kept for its time. */
export interface PurgePermit {
  readonly [MINTED]: 'purge';
  /** The run that put it aside. */
  readonly run: string;
}

/** @param keep milliseconds; null: for ever. Null is returned while its time is not over. */
export function permitPurge(run: string, put: number, keep: number | null, now: number): PurgePermit | null {
  return keep !== null && now - put >= keep ? ({ run } as PurgePermit) : null;
}

/** Milliseconds that lie between two readings of the clock of which both find something due. */
const SECOND_READING = 24 * 60 * 60_000;

/**
 * The same for what nobody asked for by itself: a clock that is wrong once deletes nothing.
 * @param seenDue when it was first found due; null: now.
 */
export function permitDue(
  run: string,
  { put, keep, seenDue }: { readonly put: number; readonly keep: number | null; readonly seenDue: number | null },
  now: number,
): PurgePermit | null {
  if (seenDue === null || now - seenDue < SECOND_READING) return null;
  return permitPurge(run, put, keep, now);
}

/** Leave to make files where somebody asks for them. */
export interface UnpackPermit {
  readonly [MINTED]: 'unpack';
  readonly folder: AbsPath;
}

/**
 * @param there what is at each of the files' places by now; absent: nothing. `same`: just what is to be there.
 * @returns null: something else is there, or nobody can tell.
 */
export function permitUnpack(folder: AbsPath, there: readonly Fact<'same' | 'other'>[]): UnpackPermit | null {
  const isFree = there.every((one) => one.kind === 'absent' || (one.kind === 'known' && one.value === 'same'));
  return isFree ? ({ folder } as UnpackPermit) : null;
}
