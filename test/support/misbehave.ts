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
 * answer questions one by one and would wait for ever for the next. Each byte goes on at once: whoever asks waits for it.
 */
const BEGINNING = `beginning() {
exec 3<&0
mkfifo "$out"
"$GIT" "$@" <&3 3<&- > "$out" &
exec 3<&-
dd bs=1 count="$bytes" < "$out" 2> /dev/null
}`;

export type Misdeed = keyof typeof MISDEEDS;

/**
 * Where a conversation with `update-ref --stdin` is cut off: in the answer to `prepare`, and in that to `commit`. Later
 * than that there is nothing to cut off.
 */
export const CUTS_OF_A_CONVERSATION = [14, 26] as const;

/**
 * An environment in which the `nth` call of git (from 1) does `misdeed`.
 * @param bytes how many the beginning of its output has.
 */
export function misbehavingGit(
  root: string,
  env: Environment,
  misdeed: Misdeed,
  nth: number,
  bytes = 900,
): Environment {
  const marks = marksFolder(root);
  const body = `${countCalls(marks)}out=${quoted(marks)}/out
bytes=${bytes}
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

/** The same, from that call on, each of which leaves its process id as the name of a file in the folder `hung`. */
export function hangingGitOnRecord(root: string, env: Environment, nth: number): Environment {
  const hung = hungFolder(root);
  mkdirSync(hung, { recursive: true });
  const body = `${countCalls(marksFolder(root))}if [ "$n" -ge ${nth} ]; then
: > ${quoted(hung)}/$$
exec sleep 300
fi
exec "$GIT" "$@"`;
  return withProgramsOf(standInGit(root, body), env);
}

export function hungFolder(root: string): string {
  return join(root, 'hung');
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
