import * as v from 'valibot';
import { outcome } from './outcome.ts';
import { path, text } from './parts.ts';

/** What `unlock --json` prints. */
export const unlockSchema = v.strictObject({
  schema: v.literal('coppice.unlock.v1'),
  worktrees: v.pipe(
    v.array(v.strictObject({ id: v.string(), path, reason: text, outcome })),
    v.description('Those whose lock was to go.'),
  ),
});

export type UnlockDocument = v.InferOutput<typeof unlockSchema>;
