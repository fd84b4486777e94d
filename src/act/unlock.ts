/** Takes away git's locks on worktrees whose owners are gone. Only on request, and on record. */
import { constants, copyFileSync, linkSync, renameSync, unlinkSync } from 'node:fs';
import type { Unlocked } from '../context.ts';
import { readPlace } from '../git/read/repository.ts';
import { gitFor } from '../git/run.ts';
import type { AbsPath } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { gitIn, quoted } from '../judge/holds/worktree/hold.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type LockedWorktree, permitUnlock, type UnlockPermit } from '../judge/permit.ts';
import { beginAct, type Recording } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import type { StateFolder } from '../state/place.ts';
import type { StateWorld } from '../state/world.ts';
import { readLockFile, readLocks } from '../survey/worktree/locks.ts';
import { nativePath } from '../system/bytes.ts';
import { isFaultOf, sayFault } from '../system/files.ts';

/**
 * Every lock whose owner is proven to be gone. All of it happens under the repository's lock, and each lock is judged
 * directly before it goes. What an unlock that was cut off had put aside is put back first, and judged as all others.
 *
 * Throws `UserError`: `locked-by-another` (exit code 3), `probe-failed`, `journal-failed`, and those of a repository
 * that cannot be read.
 */
export async function unlockDead(world: StateWorld, directory: string): Promise<readonly Unlocked[]> {
  const { commonDir } = await readPlace(gitFor(directory, world.env));
  // Where there is nothing to do, nothing is made either.
  const found = locksIn(commonDir);
  if (found.every((worktree) => permitUnlock(worktree) === null && asideOf(worktree) === null)) return [];
  return withLifecycleLock({ commonDir, account: world.account }, world, (folder) => {
    const acting = { folder, commonDir, world };
    const restored = locksIn(commonDir).flatMap((worktree) => putBack(worktree, acting) ?? []);
    const unlocked = locksIn(commonDir).flatMap((worktree) => {
      const permit = permitUnlock(worktree);
      return permit === null ? [] : [unlock(permit, acting)];
    });
    const isJudged = ({ worktree }: Unlocked) => unlocked.some((other) => other.worktree.admin === worktree.admin);
    return [...restored.filter((one) => !isJudged(one)), ...unlocked];
  });
}

function locksIn(commonDir: AbsPath): readonly LockedWorktree[] {
  const locks = readLocks(commonDir);
  if (locks.kind === 'known') return locks.value;
  throw new UserError('probe-failed', locks.kind === 'unknown' ? locks.reason : 'there is no git directory');
}

function asideOf({ lock }: LockedWorktree): string | null {
  return lock.kind === 'known' ? lock.value.aside : null;
}

interface Acting {
  readonly folder: StateFolder;
  readonly commonDir: AbsPath;
  readonly world: StateWorld;
}

/** Null: there is nothing to put back. */
function putBack(worktree: LockedWorktree, { folder, commonDir, world }: Acting): Unlocked | null {
  const aside = asideOf(worktree);
  if (aside === null || worktree.lock.kind !== 'known') return null;
  const { reason } = worktree.lock.value;
  const recording = beginAct(folder, commonDir, world, worktree.path, {
    verb: 'unlock',
    subject: worktree.path,
    why: 'an unlock was cut off: its lock is put back',
    detail: { admin: worktree.admin, reason, aside },
  });
  recording.step('intent');
  const ended = (status: 'kept' | 'failed', text: string): Unlocked => {
    recording.step(status);
    return { worktree, reason, outcome: { status, text, undo: null } };
  };
  try {
    restore(`${worktree.gitDir}/${aside}`, `${worktree.gitDir}/locked`);
  } catch (fault) {
    return ended('failed', `its lock, which an unlock had put aside, could not be put back: ${sayFault(fault)}`);
  }
  return ended('kept', 'an unlock was cut off, and its lock is back');
}

/** Never over a lock that somebody else took meanwhile. Throws the system's own fault. */
function restore(aside: string, file: string): void {
  try {
    linkSync(nativePath(aside), nativePath(file));
  } catch (fault) {
    // Some file systems have no second names.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].some((code) => isFaultOf(fault, code))) throw fault;
    copyFileSync(nativePath(aside), nativePath(file), constants.COPYFILE_EXCL);
  }
  unlinkSync(nativePath(aside));
}

function unlock(permit: UnlockPermit, { folder, commonDir, world }: Acting): Unlocked {
  const { worktree, lock } = permit;
  const { reason } = lock;
  const recording = beginAct(folder, commonDir, world, worktree.path, {
    verb: 'unlock',
    subject: worktree.path,
    why: `process ${lock.pid}, which took the lock, is gone`,
    detail: { admin: worktree.admin, reason },
  });
  recording.step('intent');
  return { worktree, reason, outcome: outcomeOf(permit, commonDir, recording) };
}

function outcomeOf({ worktree, lock }: UnlockPermit, commonDir: AbsPath, recording: Recording): Outcome {
  const file = `${worktree.gitDir}/locked`;
  const aside = `${file}.${recording.id}`;
  const ended = (step: Outcome['status'], text: string): Outcome => {
    recording.step(step);
    return { status: step, text, undo: step === 'done' ? wayBack(worktree, lock.reason, commonDir) : null };
  };
  try {
    // What is judged last is what goes: under this name nobody writes to it.
    renameSync(nativePath(file), nativePath(aside));
    const again = permitUnlock({ ...worktree, lock: readLockFile(aside) });
    if (again?.lock.reason !== lock.reason) {
      restore(aside, file);
      return ended('kept', 'somebody has just locked it');
    }
    unlinkSync(nativePath(aside));
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT')) return ended('kept', 'it is not locked any more');
    return ended('failed', `its lock could not be taken away: ${sayFault(fault)}`);
  }
  return ended('done', `process ${lock.pid}, which took the lock, is gone`);
}

function wayBack({ path }: LockedWorktree, reason: string, commonDir: AbsPath): string | null {
  const [why, folder] = [quoted(reason), quoted(path)];
  return why === null || folder === null ? null : gitIn(commonDir, `worktree lock --reason ${why} ${folder}`);
}
