import { type Stats, statSync } from 'node:fs';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from './bytes.ts';

/** Throws `UserError` (`no-such-folder`) when `directory`, which a person named, is none. */
export function requireFolder(directory: string): void {
  const refuse = (why: string, cause?: unknown) =>
    new UserError('no-such-folder', `${why} ${toByteString(directory)}`, { hint: 'name one with -C DIR', cause });
  let folder: Stats | undefined;
  try {
    folder = statSync(directory, { throwIfNoEntry: false });
  } catch (cause) {
    throw refuse(`the folder cannot be looked at (${(cause as NodeJS.ErrnoException).code}):`, cause);
  }
  if (folder === undefined) throw refuse('there is no folder');
  if (!folder.isDirectory()) throw refuse('this is no folder:');
}
