import * as v from 'valibot';
import { code, count, text, time } from './parts.ts';

/** What `history --json` prints. */
export const historySchema = v.strictObject({
  schema: v.literal('coppice.history.v1'),
  acts: v.pipe(
    v.array(
      v.strictObject({
        id: v.string(),
        run: v.pipe(v.nullable(v.string()), v.description('What was done together with it; null: nothing.')),
        at: time,
        verb: code,
        subject: text,
        why: text,
        by: v.strictObject({ account: count, pid: count }),
        end: v.pipe(
          v.picklist(['done', 'kept', 'failed', 'refused', 'blocked', 'unfinished']),
          v.description(
            'kept and refused: nothing was changed. blocked: it waits in the trash because its old place was taken. unfinished: it was cut off; who acts next ends it.',
          ),
        ),
        undo: v.strictObject({
          state: v.pipe(
            v.picklist(['open', 'undone', 'purged', 'copied', 'none']),
            v.description('copied: it was done in the repository that this is a copy of. none: nothing to undo.'),
          ),
          command: v.nullable(v.string()),
        }),
      }),
    ),
    v.description('The newest first.'),
  ),
  unreadable: v.pipe(count, v.description('Lines of the record that are cut off or cannot be understood.')),
});

export type HistoryDocument = v.InferOutput<typeof historySchema>;
