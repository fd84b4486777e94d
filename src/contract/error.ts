import * as v from 'valibot';
import { code, text } from './parts.ts';

/** What any verb prints under `--json` when it refuses, cannot go on, or was used wrongly. */
export const errorSchema = v.strictObject({
  schema: v.literal('coppice.error.v1'),
  verb: v.pipe(v.nullable(v.string()), v.description('The verb; null when there was none.')),
  code,
  text,
  hint: v.pipe(v.nullable(text), v.description('The next safe step, if there is one.')),
  exit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255), v.description('The exit code.')),
});

export type ErrorDocument = v.InferOutput<typeof errorSchema>;
