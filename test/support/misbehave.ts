/** Gits that go wrong: the n-th call fails, hangs, prints what it should not, or is cut off. All others are real. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { quoted, standInGit, withProgramsOf } from './programs.ts';

export const MISDEEDS = {
  /** Ends with an error, as git does. */
  fail: 'echo "fatal: unable to read" >&2; exit 128',
  /** Ends with an error after the beginning of its output. */
  'fail-late': 'beginning; exit 128',
  /** Prints bytes that are no output of git. */
  garbage: "head -c 3000 /dev/zero | tr '\\0' '\\377'; exit 0",
  /** Is killed in the middle of a line. */
  cut: 'beginning; kill -9 $$',
  /** Loses its end and says that all is well. */
  'cut-silently': 'beginning; exit 0',
} as const;

/**
 * Prints the first bytes of what git prints. git runs beside, with the input that was given, since some of its commands
 * answer questions one by one and would wait for ever for the next.
 */
const BEGINNING = `beginning() {
exec 3<&0
mkfifo "$out"
"$GIT" "$@" <&3 3<&- > "$out" &
exec 3<&-
head -c 900 < "$out"
}`;

export type Misdeed = keyof typeof MISDEEDS;

/** An environment in which the `nth` call of git (from 1) does `misdeed`. */
export function misbehavingGit(root: string, env: Environment, misdeed: Misdeed, nth: number): Environment {
  const marks = marksFolder(root);
  const body = `${countCalls(marks)}out=${quoted(marks)}/out
${BEGINNING}
if [ "$n" -eq ${nth} ]; then
${MISDEEDS[misdeed].replace('beginning', 'beginning "$@"')}
fi
exec "$GIT" "$@"`;
  return withProgramsOf(standInGit(root, body), env);
}

/** An environment in which git, from its `nth` call on, never ends. */
export function hangingGit(root: string, env: Environment, nth: number): Environment {
  const body = `${countCalls(marksFolder(root))}if [ "$n" -ge ${nth} ]; then exec sleep 300; fi
exec "$GIT" "$@"`;
  return withProgramsOf(standInGit(root, body), env);
}

/** An environment in which git says that it is of another version. */
export function gitOfVersion(root: string, env: Environment, version: string): Environment {
  const body = `for word in "$@"; do
case "$word" in --version | version) echo ${quoted(`git version ${version}`)}; exit 0 ;; esac
done
exec "$GIT" "$@"`;
  return withProgramsOf(standInGit(root, body), env);
}

/** An environment in which git takes every repository for somebody else's. */
export function gitOfStranger(root: string, env: Environment): Environment {
  return withProgramsOf(standInGit(root, 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$GIT" "$@"'), env);
}

let folders = 0;

function marksFolder(root: string): string {
  folders += 1;
  const folder = join(root, `marks-${folders}`);
  mkdirSync(folder);
  return folder;
}

/** Making a folder succeeds once: calls that run at the same time still get numbers of their own. */
function countCalls(marks: string): string {
  return `n=1
while ! mkdir ${quoted(marks)}/$n 2> /dev/null; do n=$((n + 1)); done
`;
}
