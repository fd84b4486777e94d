/** What several kinds of state files are made of. Texts are byte strings. */
import * as v from 'valibot';
import { parseAbsPath, parseOid, parseRefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';

export const DAY = 24 * 60 * 60_000;

/** The longest text that a person or a program may put in, in bytes. */
export const LONGEST_TEXT = 1024;

/** Text of a person or a program, which is only ever shown. */
export const detail = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));

/** @throws UserError wrong usage */
export function requireShort(texts: Readonly<Record<string, string | null>>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text === null || text.length <= LONGEST_TEXT) continue;
    throw new UserError('bad-value', `${name} is longer than ${LONGEST_TEXT} bytes`, { exit: 64 });
  }
}

export const absPath = parsed(parseAbsPath, 'no absolute path');
export const refName = parsed(parseRefName, 'no full ref name');
export const oid = parsed(parseOid, 'no object id');

function parsed<T>(parse: (text: string) => T | null, message: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== null) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}

const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/));

/** A file or folder, whatever its name. */
export const fileIdShape = v.strictObject({ device: digits, inode: digits, birth: v.exactOptional(digits) });
