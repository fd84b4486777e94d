import * as v from 'valibot';
import { outcome } from './outcome.ts';
import { count, time } from './parts.ts';

/** What `purge --json` prints. */
export const purgeSchema = v.strictObject({
  schema: v.literal('coppice.purge.v1'),
  mode: v.picklist(['dry-run', 'apply']),
  items: v.array(
    v.strictObject({
      kind: v.pipe(
        v.picklist(['trash', 'cache', 'anchors']),
        v.description(
          'trash: what undo needs. cache: what tools make again in a worktree. anchors: refs that keep the commits.',
        ),
      ),
      run: v.string(),
      path: v.pipe(v.nullable(v.string()), v.description('Where the worktree was, or is; null: it is none.')),
      at: time,
      bytes: v.pipe(count, v.description('What the trash takes on the disk.')),
      refs: v.pipe(count, v.description('How many anchors.')),
      due: v.boolean(),
      outcome: v.exactOptional(outcome),
    }),
  ),
});

export type PurgeDocument = v.InferOutput<typeof purgeSchema>;
