import * as v from 'valibot';
import { outcome } from './outcome.ts';
import { count, oid, path, refName, text, time } from './parts.ts';

const file = v.strictObject({
  path: v.pipe(v.string(), v.description('Relative to the worktree. Bytes that are no UTF-8 appear as \\xNN.')),
  kind: v.pipe(
    v.picklist(['file', 'link', 'other']),
    v.description('other: a socket, a FIFO or a device, of which only the name is kept.'),
  ),
  mode: v.pipe(v.string(), v.regex(/^[0-7]{4}$/), v.description('Permissions, octal.')),
  bytes: count,
  sha256: v.pipe(v.nullable(v.string()), v.description('Of the bytes, or of what a link leads to.')),
});

const note = v.strictObject({
  id: v.string(),
  kind: v.pipe(
    v.picklist(['ignored', 'changes', 'unknown']),
    v.description(
      'ignored: files that git ignores and nothing makes again. changes: what differed from the commit. unknown: it cannot be read.',
    ),
  ),
  at: time,
  worktree: v.pipe(v.nullable(path), v.description('Where the files were.')),
  repository: v.pipe(v.nullable(path), v.description('The git directory that all worktrees of it share.')),
  branch: v.nullable(refName),
  head: v.nullable(oid),
  count: v.nullable(count),
  bytes: v.nullable(count),
  path: v.pipe(path, v.description('Its own folder, with the copies below files/.')),
  fault: v.pipe(v.nullable(text), v.description('Why nothing in it counts; null: it is whole as far as was looked.')),
});

const shape = {
  action: v.picklist(['list', 'show', 'restore', 'delete']),
  mode: v.pipe(v.picklist(['dry-run', 'apply']), v.description('dry-run: nothing was changed.')),
  notes: v.array(note),
  elsewhere: v.pipe(count, v.description('list: notes of other repositories that were left out.')),
  files: v.pipe(v.array(file), v.description('show: what is in it.')),
  restored: v.pipe(
    v.nullable(v.strictObject({ path, made: count, there: count, skipped: v.array(v.string()) })),
    v.description('restore: where the files are, how many were made, and how many were there already.'),
  ),
  outcome: v.exactOptional(outcome),
};

/** What `notes --json` prints. */
export const notesSchema = v.strictObject({ schema: v.literal('coppice.notes.v1'), ...shape });

/** What `salvage --json` prints. */
export const salvageSchema = v.strictObject({ schema: v.literal('coppice.salvage.v1'), ...shape });

export type SalvageDocument = v.InferOutput<typeof salvageSchema>;
export type NotesDocument = v.InferOutput<typeof notesSchema>;
