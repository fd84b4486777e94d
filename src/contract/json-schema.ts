import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { doctorSchema } from './doctor.ts';
import { errorSchema } from './error.ts';
import { historySchema } from './history.ts';
import { leaseSchema, runSchema } from './claims.ts';
import { demoSchema, helpSchema, schemaListSchema } from './lists.ts';
import { notesSchema, salvageSchema } from './notes.ts';
import { purgeSchema } from './purge.ts';
import { explainSchema, listSchema, retireSchema, sweepSchema } from './sweep.ts';
import { undoSchema } from './undo.ts';
import { unlockSchema } from './unlock.ts';

/** One published schema. */
export interface PublishedSchema {
  /** The verb that prints such documents; `error` stands for all of them. */
  readonly verb: string;
  /** The value of `schema` in the document, and the schema file's name. */
  readonly name: string;
  readonly brief: string;
  readonly schema: GenericSchema;
}

/** Every document that this build prints. */
export const PUBLISHED_SCHEMAS: readonly PublishedSchema[] = [
  { verb: 'sweep', name: 'coppice.sweep.v1', brief: 'what coppice sweep --json prints', schema: sweepSchema },
  { verb: 'list', name: 'coppice.list.v1', brief: 'what coppice list --json prints', schema: listSchema },
  {
    verb: 'retire',
    name: 'coppice.retire.v1',
    brief: 'what coppice retire --json and coppice rm --json print',
    schema: retireSchema,
  },
  { verb: 'explain', name: 'coppice.explain.v1', brief: 'what coppice explain --json prints', schema: explainSchema },
  { verb: 'doctor', name: 'coppice.doctor.v1', brief: 'what coppice doctor --json prints', schema: doctorSchema },
  { verb: 'undo', name: 'coppice.undo.v1', brief: 'what coppice undo --json prints', schema: undoSchema },
  { verb: 'history', name: 'coppice.history.v1', brief: 'what coppice history --json prints', schema: historySchema },
  { verb: 'purge', name: 'coppice.purge.v1', brief: 'what coppice purge --json prints', schema: purgeSchema },
  { verb: 'notes', name: 'coppice.notes.v1', brief: 'what coppice notes --json prints', schema: notesSchema },
  { verb: 'salvage', name: 'coppice.salvage.v1', brief: 'what coppice salvage --json prints', schema: salvageSchema },
  { verb: 'unlock', name: 'coppice.unlock.v1', brief: 'what coppice unlock --json prints', schema: unlockSchema },
  { verb: 'lease', name: 'coppice.lease.v1', brief: 'what coppice lease --json prints', schema: leaseSchema },
  { verb: 'run', name: 'coppice.run.v1', brief: 'what coppice run --json prints', schema: runSchema },
  { verb: 'demo', name: 'coppice.demo.v1', brief: 'what coppice demo --json prints', schema: demoSchema },
  { verb: 'schema', name: 'coppice.schema.v1', brief: 'what coppice schema --json prints', schema: schemaListSchema },
  { verb: 'help', name: 'coppice.help.v1', brief: 'what coppice help --json prints', schema: helpSchema },
  {
    verb: 'error',
    name: 'coppice.error.v1',
    brief: 'what any verb prints under --json when it cannot answer',
    schema: errorSchema,
  },
];

/** A published schema as JSON Schema, draft 2020-12. */
export function jsonSchemaOf({ name, brief, schema }: PublishedSchema): object {
  const { $schema, ...rest } = toJsonSchema(schema, { target: 'draft-2020-12' });
  return { $schema, $id: name, title: name, description: brief, ...rest };
}
