import * as v from 'valibot';
import { outcome } from './outcome.ts';

/** What `undo --json` prints. */
export const undoSchema = v.strictObject({
  schema: v.literal('coppice.undo.v1'),
  rows: v.pipe(
    v.array(
      v.strictObject({
        id: v.pipe(v.string(), v.description('As history names what was undone.')),
        run: v.string(),
        kind: v.picklist(['branch', 'worktree', 'cache']),
        name: v.pipe(v.string(), v.description('Under which it is back. Bytes that are no UTF-8 appear as \\xNN.')),
        path: v.pipe(
          v.nullable(v.string()),
          v.description('Of a worktree: where it is back. Of a cache: the folder in which it is.'),
        ),
        outcome,
      }),
    ),
    v.description('What was to come back. failed: it is back, and something of it is not.'),
  ),
});

export type UndoDocument = v.InferOutput<typeof undoSchema>;
