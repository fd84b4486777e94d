import * as v from 'valibot';
import { path, text } from './parts.ts';

/** What `schema --json` prints. */
export const schemaListSchema = v.strictObject({
  schema: v.literal('coppice.schema.v1'),
  schemas: v.array(v.strictObject({ verb: v.string(), name: v.string(), brief: text })),
});

/** What `help --json` prints. */
export const helpSchema = v.strictObject({
  schema: v.literal('coppice.help.v1'),
  verbs: v.array(
    v.strictObject({
      verb: v.string(),
      brief: text,
      operands: v.string(),
      flags: v.array(v.strictObject({ flag: v.string(), brief: text })),
      examples: v.array(v.strictObject({ command: v.string(), what: text })),
    }),
  ),
});

/** What `demo --json` prints. */
export const demoSchema = v.strictObject({
  schema: v.literal('coppice.demo.v1'),
  path: v.pipe(path, v.description('The throw-away repository.')),
  leftovers: v.array(v.strictObject({ branch: v.string(), what: text })),
});

export type SchemaListDocument = v.InferOutput<typeof schemaListSchema>;
export type HelpDocument = v.InferOutput<typeof helpSchema>;
export type DemoDocument = v.InferOutput<typeof demoSchema>;
