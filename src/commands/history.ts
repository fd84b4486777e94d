import type { Context } from '../context.ts';
import { historyDocument, renderHistory } from '../render/history.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import type { HistoryFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';

/** `history`: what coppice did here. */
export async function history(context: Context, flags: HistoryFlags): Promise<number> {
  const found = await context.history(directoryOf(context, flags.directory));
  const document = historyDocument(found, flags.limit ?? null, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderHistory(document, createStyle(context.stdout, context.env)),
  );
  return 0;
}
