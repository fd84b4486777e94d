import type { Context } from '../context.ts';
import { renderOverview, renderVerbHelp } from '../render/help.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { helpDocument } from '../render/lists-document.ts';
import { unknownVerb } from './support/usage-error.ts';
import { verbPage } from './support/verb-page.ts';
import type { Verb } from './support/verb.ts';

/** `help [VERB]`, and `--help` of every verb. */
export async function help(
  context: Context,
  verbs: readonly Verb[],
  flags: { readonly json: boolean },
  name?: string,
): Promise<number> {
  const pages = verbs.map(verbPage);
  const page = pages.find((each) => each.name === name);
  if (name !== undefined && page === undefined)
    throw unknownVerb(
      name,
      pages.map((each) => each.name),
    );

  const style = createStyle(context.stdout, context.env);
  if (flags.json) context.stdout.write(jsonLine(helpDocument(page === undefined ? pages : [page])));
  else context.stdout.write(page === undefined ? renderOverview(pages, style) : renderVerbHelp(page, style));
  return 0;
}
