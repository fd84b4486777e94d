/** Takes away git's locks on worktrees whose owners are gone. Only on request, and on record. */
import { linkSync, renameSync, unlinkSync } from 'node:fs';
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
 * directly before it goes.
 *
 * Throws `UserError`: `locked-by-another` (exit code 3), `probe-failed`, `journal-failed`, and those of a repository
 * that cannot be read.
 */
export async function unlockDead(world: StateWorld, directory: string): Promise<readonly Unlocked[]> {
  const { commonDir } = await readPlace(gitFor(directory, world.env));
  // Where there is nothing to do, nothing is made either.
  if (permitsIn(commonDir).length === 0) return [];
  return withLifecycleLock({ commonDir, account: world.account }, world, (folder) =>
    permitsIn(commonDir).map((permit) => unlock(permit, { folder, commonDir, world })),
  );
}

function permitsIn(commonDir: AbsPath): UnlockPermit[] {
  const locks = readLocks(commonDir);
  if (locks.kind !== 'known')
    throw new UserError('probe-failed', locks.kind === 'unknown' ? locks.reason : 'there is no git directory');
  return locks.value.flatMap((worktree) => permitUnlock(worktree) ?? []);
}

interface Acting {
  readonly folder: StateFolder;
  readonly commonDir: AbsPath;
  readonly world: StateWorld;
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
      linkSync(nativePath(aside), nativePath(file));
      unlinkSync(nativePath(aside));
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
