import type { Context } from '../context.ts';
import { schemaListDocument } from '../render/lists-document.ts';
import { jsonLine, jsonPages } from '../render/json.ts';
import { renderSchemaList } from '../render/lists.ts';
import type { CommonFlags } from './support/flags.ts';
import { didYouMean, nearest } from './support/nearest.ts';
import { usageError } from './support/usage-error.ts';

/** `schema [VERB]`: the JSON Schema of what a verb prints, or the list of them. */
export async function schema(context: Context, flags: CommonFlags, verb?: string): Promise<number> {
  const { jsonSchemaOf, PUBLISHED_SCHEMAS } = await import('../contract/json-schema.ts');
  if (verb === undefined) {
    const list = schemaListDocument(PUBLISHED_SCHEMAS);
    context.stdout.write(flags.json ? jsonLine(list) : renderSchemaList(list));
    return 0;
  }
  const found = PUBLISHED_SCHEMAS.find((published) => published.verb === verb);
  if (found === undefined) {
    const verbs = PUBLISHED_SCHEMAS.map((published) => published.verb);
    const hint = didYouMean(nearest(verb, verbs)) ?? `there are ${verbs.join(', ')}`;
    throw usageError('unknown-schema', `no schema for "${verb}"`, hint);
  }
  context.stdout.write(flags.json ? jsonLine(jsonSchemaOf(found)) : jsonPages(jsonSchemaOf(found)));
  return 0;
}
