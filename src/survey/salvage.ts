/** Worktrees of which a copy of the changes is to be made, and those that have one already. */
import { createHash } from 'node:crypto';
import { coppiceHome } from '../config/homes.ts';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import type { AbsPath, Oid } from '../judge/facts/names.ts';
import type { Changes, Salvage, WorktreeFacts } from '../judge/facts/worktree.ts';
import { listNotes, type Note } from '../state/notes/store.ts';
import { whyNotWhole } from '../state/notes/whole.ts';
import { toByteString } from '../system/bytes.ts';
import { type CopiedEntry, copyEntry, NotCopied } from '../system/copy-file.ts';
import { isFaultOf, sayFault } from '../system/files.ts';
import { isWithin } from '../system/paths.ts';
import type { World } from './world.ts';

/** What is more than this nobody wants to have copied by itself. */
const MOST_FILES = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** @param roots managed ones, as byte strings without links on the way. */
export function withSalvage(
  worktrees: Fact<readonly WorktreeFacts[]>,
  roots: readonly string[],
  world: World,
): Fact<readonly WorktreeFacts[]> {
  if (worktrees.kind !== 'known') return worktrees;
  let notes: readonly Note[] | null = null;
  return known(
    worktrees.value.map((worktree) => {
      const { admin, contents, head, realPath } = worktree;
      const isManaged = admin !== null && roots.some((root) => isWithin(realPath, root));
      if (!isManaged || contents.kind !== 'known' || !hasChanges(contents.value.changes)) return worktree;
      if (head === null) return { ...worktree, salvage: unknown('it has no commit yet') };
      const read = readChanges(realPath, head, contents.value.changes);
      if (read.kind !== 'known') return { ...worktree, salvage: read };
      notes ??= allNotes(world);
      return { ...worktree, salvage: known({ ...read.value, earlier: earlierOf(read.value.digest, notes, world) }) };
    }),
  );
}

function hasChanges({ index, paths }: Changes): boolean {
  return index.length > 0 || paths.length > 0;
}

function allNotes(world: World): readonly Note[] {
  const notes = listNotes(coppiceHome(world), world.account);
  return notes.kind === 'known' ? notes.value : [];
}

/** The id of one that holds the same, and is whole; null: there is none. */
function earlierOf(digest: string, notes: readonly Note[], { account }: World): string | null {
  const found = notes.find(
    ({ head, path }) =>
      account !== null &&
      head.kind === 'known' &&
      head.value.digest === digest &&
      whyNotWhole(toByteString(path) as AbsPath, head.value.count, account) === null,
  );
  return found?.id ?? null;
}

/** What a copy of these changes holds. @param top the worktree's folder. @param head its commit. */
export function readChanges(top: string, head: Oid, changes: Changes): Fact<Omit<Salvage, 'earlier'>> {
  if (changes.paths.length > MOST_FILES) return unknown(`more than ${MOST_FILES} files of it are changed`);
  const entries: (readonly [path: string, ...what: unknown[]])[] = [];
  let bytes = 0;
  for (const path of [...changes.paths].sort()) {
    const entry = readEntry(top, path);
    if (entry.kind === 'unknown') return entry;
    if (entry.kind === 'absent') entries.push([path]);
    else {
      const { kind, mode, size, sha256 } = entry.value;
      entries.push([path, kind, mode, sha256]);
      bytes += size;
    }
    if (bytes > MOST_BYTES) return unknown(`its changed files have more than ${MOST_BYTES} bytes`);
  }
  const index = changes.index.map(({ path, stage, mode, oid }) => [path, stage, mode, oid]);
  const digest = createHash('sha256')
    .update(JSON.stringify([head, index, entries]))
    .digest('hex');
  return known({ digest, files: entries.length, bytes });
}

/** Absent: it is gone. */
function readEntry(top: string, path: string): Fact<CopiedEntry> {
  try {
    return known(copyEntry(top, path, null));
  } catch (fault) {
    if (isFaultOf(fault, 'ENOENT') || isFaultOf(fault, 'ENOTDIR')) return absent;
    return unknown(`${path}: ${fault instanceof NotCopied ? fault.message : sayFault(fault)}`);
  }
}
