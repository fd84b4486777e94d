/** What a worktree's own git directory tells: operations, locks, private refs. */
import { lstatSync, readdirSync } from 'node:fs';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { branchName, type Oid, type RefName } from '../../judge/facts/names.ts';
import type { AdminFacts, GitLock } from '../../judge/facts/worktree.ts';
import { nativePath } from '../../system/bytes.ts';
import { holdersOf } from '../../system/file-holders.ts';
import { readBounded } from '../../system/files.ts';
import { readLock } from './locks.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Files and folders that git keeps while something is in progress, and what it is called. */
const OPERATIONS: readonly (readonly [file: string, operation: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['MERGE_AUTOSTASH', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'sequence'],
  ['BISECT_START', 'bisect'],
  ['BISECT_LOG', 'bisect'],
  ['NOTES_MERGE_PARTIAL', 'notes-merge'],
  ['NOTES_MERGE_REF', 'notes-merge'],
];

/** Locks that git takes on what the worktree alone has. */
const LOCKS = ['index.lock', 'HEAD.lock', 'config.worktree.lock'];

/** Pseudo-refs that may be the last to hold a commit: git takes any such name for one. */
function pseudoRefsIn(gitDir: string): string[] {
  const names = readdirSync(nativePath(gitDir)).filter((name) => /^[A-Z][A-Z_]*$/.test(name) && name !== 'HEAD');
  return names.filter((name) => !OPERATIONS.some(([file]) => file === name)).sort();
}

/** What is in progress; an unfinished `am` is no rebase as well. Throws the system's own fault. */
export function operationsIn(gitDir: string): string[] {
  const found = new Set<string>();
  for (const [file, operation] of OPERATIONS) {
    if (file === 'rebase-apply' && found.has('am')) continue;
    if (file === 'sequencer' && found.size > 0) continue;
    if (timeOf(`${gitDir}/${file}`) !== null) found.add(operation);
  }
  return [...found];
}

export function readAdminState(
  commonDir: string,
  gitDir: string,
  { branch, head }: { readonly branch: RefName | null; readonly head: Oid | null },
  platform: string,
): Fact<AdminFacts> {
  try {
    const lock = readLock(gitDir);
    if (lock.kind === 'unknown') return lock;
    return known({
      operations: operationsIn(gitDir),
      indexLock: gitLockIn(gitDir, platform),
      privateRefs: [
        ...pseudoRefsIn(gitDir).filter((file) => holdsAnother(`${gitDir}/${file}`, head)),
        ...['worktree', 'bisect', 'rewritten']
          .filter((name) => hasEntries(`${gitDir}/refs/${name}`))
          .map((name) => `refs/${name}`),
      ],
      stashes: branch === null ? 0 : stashesOf(commonDir, branchName(branch)),
      lock: lock.kind === 'known' ? lock.value : null,
      lastMove: lastMoveIn(`${gitDir}/logs/HEAD`),
    });
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return unknown(`its git directory cannot be read: ${Buffer.from((fault as Error).message).toString('latin1')}`);
  }
}

function gitLockIn(gitDir: string, platform: string): GitLock | null {
  for (const file of LOCKS) {
    const written = timeOf(`${gitDir}/${file}`);
    if (written !== null) return { file, written, holders: holdersOf(`${gitDir}/${file}`, platform) };
  }
  return null;
}

/** Milliseconds since 1970 of the last change; null: there is nothing. */
function timeOf(path: string): number | null {
  return lstatSync(nativePath(path), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Whether a pseudo-ref is there and names another commit than what is checked out; one that cannot be read does. */
function holdsAnother(file: string, head: Oid | null): boolean {
  const contents = readBounded(nativePath(file), MOST_BYTES, { follow: true });
  if (contents.kind !== 'known') return contents.kind === 'unknown';
  const ids = contents.value.toString('latin1').match(/^[0-9a-f]{40,64}/gm) ?? [];
  return ids.some((id) => id !== head);
}

function hasEntries(folder: string): boolean {
  return timeOf(folder) !== null && readdirSync(nativePath(folder), { encoding: 'buffer' }).length > 0;
}

function lastMoveIn(log: string): number | null {
  const contents = readBounded(nativePath(log), MOST_BYTES, { follow: true });
  if (contents.kind !== 'known') return null;
  const last = contents.value.toString('latin1').trimEnd().split('\n').at(-1) ?? '';
  const time = /> (\d+) [-+]\d{4}(?:\t|$)/.exec(last)?.[1];
  return time === undefined ? null : Number(time);
}

/** Entries of the stash, which all worktrees share, that were made on this branch. */
function stashesOf(commonDir: string, branch: string): number {
  const contents = readBounded(nativePath(`${commonDir}/logs/refs/stash`), MOST_BYTES, { follow: true });
  if (contents.kind !== 'known') return 0;
  const made = [`\tWIP on ${branch}: `, `\tOn ${branch}: `];
  return contents.value
    .toString('latin1')
    .split('\n')
    .filter((line) => made.some((words) => line.includes(words))).length;
}
