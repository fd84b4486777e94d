/**
 * A kernel lock on a file: an open file description owns it, so that it ends with the process, however that ends, and
 * no child has it, since Node opens files for this process alone.
 */
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFaultOf, readBounded, sayFault, whyNotReadable } from './files.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from './bytes.ts';

export interface LockOptions {
  /** The user id of this account: the file must be its own. */
  readonly account: number;
  /** Milliseconds to wait for another process. */
  readonly wait: number;
  /** Written into the file while it is locked, for those who wait. At most 4 KiB. */
  readonly note: string;
}

/** The lock, or what its present holder wrote into the file; null when that cannot be read. */
export type Locking =
  | { readonly kind: 'locked'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly note: string | null };

const MOST_NOTE = 4096;
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 200;

/**
 * Locks the file at `path`, which is made with mode 0600 when it is missing and is never removed. What is locked is
 * what lies at that path: a file that somebody put in its place meanwhile is locked instead.
 *
 * Throws `UserError` (`lock-unusable`) when there is something else, or the file system has no locks.
 */
export async function lockFile(path: string, options: LockOptions): Promise<Locking> {
  const tryLock = await loadTryLock(path);
  const deadline = performance.now() + options.wait;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const descriptor = openLockFile(path, options.account);
    let keep = false;
    try {
      if (tryLock(descriptor)) {
        if (isAt(path, descriptor)) {
          keep = true;
          leaveNote(descriptor, options.note);
          return { kind: 'locked', release: () => closeSync(descriptor) };
        }
        // Somebody put another file in its place; that one counts.
        pause = 0;
      }
    } catch (fault) {
      if (keep) closeSync(descriptor);
      throw unusable(path, sayFault(fault), fault);
    } finally {
      if (!keep) closeSync(descriptor);
    }
    const left = deadline - performance.now();
    if (left <= 0) return { kind: 'busy', note: readNote(path, options.account) };
    await sleep(Math.min(pause, left));
  }
}

/** Loaded only by who takes a lock; there is not every platform's code in it. */
async function loadTryLock(path: string): Promise<(descriptor: number) => boolean> {
  try {
    return (await import('fs-native-extensions')).tryLock;
  } catch (cause) {
    throw unusable(path, 'the native code for it cannot be loaded on this machine', cause);
  }
}

function openLockFile(path: string, account: number): number {
  let descriptor: number;
  try {
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
    descriptor = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600);
  } catch (fault) {
    throw unusable(path, isFaultOf(fault, 'ELOOP') ? 'it is a symbolic link' : sayFault(fault), fault);
  }
  const why = whyNotReadable(fstatSync(descriptor), MOST_NOTE, account);
  if (why === null) return descriptor;
  closeSync(descriptor);
  throw unusable(path, why);
}

function isAt(path: string, descriptor: number): boolean {
  const [own, there] = [fstatSync(descriptor), lstatSync(path, { throwIfNoEntry: false })];
  return there !== undefined && own.dev === there.dev && own.ino === there.ino;
}

function leaveNote(descriptor: number, note: string): void {
  try {
    ftruncateSync(descriptor);
    writeSync(descriptor, note.slice(0, MOST_NOTE), 0, 'utf8');
  } catch (fault) {
    // Only for people: a full disk does not make the lock less a lock.
    if (!isFaultOf(fault, 'ENOSPC') && !isFaultOf(fault, 'EDQUOT')) throw fault;
  }
}

function readNote(path: string, account: number): string | null {
  const bytes = readBounded(path, MOST_NOTE, { owner: account });
  return bytes.kind === 'known' ? bytes.value.toString('utf8') : null;
}

function unusable(path: string, why: string, cause?: unknown): UserError {
  return new UserError('lock-unusable', `${toByteString(path)} cannot be locked: ${why}`, { cause });
}
