import * as v from 'valibot';
import { text } from './parts.ts';

/** What became of one thing that was to be changed. */
export const outcome = v.strictObject({
  status: v.picklist(['done', 'kept', 'failed']),
  text,
  undo: v.pipe(v.nullable(v.string()), v.description('The command that brings it back.')),
});

export type OutcomeDocument = v.InferOutput<typeof outcome>;
