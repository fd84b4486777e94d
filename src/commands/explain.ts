import type { Context } from '../context.ts';
import { explainDocument } from '../render/document.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { encodeText } from '../render/decode.ts';
import { renderExplain } from '../render/explain.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { closeNames, findRows } from './support/find-rows.ts';
import type { SurveyFlags } from './support/flags.ts';
import { didYouMean } from './support/nearest.ts';
import { usageError } from './support/usage-error.ts';
import { directoryOf, KINDS, survey } from './support/survey.ts';

/** `explain NAME|PATH`: the whole evidence of the rows that NAME means. */
export async function explain(context: Context, flags: SurveyFlags, name: string): Promise<number> {
  // As from a variable of a script that is not set: the folder around is not meant.
  if (name === '') throw usageError('bad-value', 'NAME|PATH is empty', 'coppice explain --help shows how it is used');
  const found = await survey(context, flags, KINDS);
  const rows = findRows(found.rows, name, { directory: directoryOf(context, flags.directory), home: context.home });
  if (rows.length === 0) {
    const hint = didYouMean(closeNames(found.rows, name)) ?? 'coppice sweep --all names every row';
    throw new UserError('no-such-row', encodeText(`nothing here is called "${name}"`), { hint: encodeText(hint) });
  }

  const document = explainDocument(found, rows, context.home);
  if (flags.json) context.stdout.write(jsonLine(document));
  else context.stdout.write(renderExplain(document, createStyle(context.stdout, context.env)));
  return 0;
}
