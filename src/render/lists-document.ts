import type { VerbPage } from './help.ts';
import type { DemoDocument, HelpDocument, SchemaListDocument } from '../contract/lists.ts';

/** The document of `schema` without a verb. */
export function schemaListDocument(schemas: readonly SchemaListDocument['schemas'][number][]): SchemaListDocument {
  return { schema: 'coppice.schema.v1', schemas: schemas.map(({ verb, name, brief }) => ({ verb, name, brief })) };
}

/** The document of `help`. */
export function helpDocument(pages: readonly VerbPage[]): HelpDocument {
  return {
    schema: 'coppice.help.v1',
    verbs: pages.map(({ name, brief, operands, flags, examples }) => ({
      verb: name,
      brief,
      operands,
      flags: [...flags],
      examples: [...examples],
    })),
  };
}

/** The document of `demo`. */
export function demoDocument(path: string, leftovers: readonly DemoDocument['leftovers'][number][]): DemoDocument {
  return { schema: 'coppice.demo.v1', path, leftovers: leftovers.map(({ branch, what }) => ({ branch, what })) };
}
