import type { Context } from '../context.ts';
import { sweepDocument } from '../render/document.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { renderSweep } from '../render/table.ts';
import { sweepExit } from './support/exit-code.ts';
import type { SweepFlags } from './support/flags.ts';
import { survey } from './support/survey.ts';

/** `sweep`: every leftover, what would go, what stays, and why. */
export async function sweep(context: Context, flags: SweepFlags): Promise<number> {
  const found = await survey(context, flags, flags.only ?? null);
  const document = sweepDocument(found, context.home);
  if (flags.json) {
    context.stdout.write(jsonLine(document));
  } else {
    const style = createStyle(context.stdout, context.env);
    context.stdout.write(renderSweep(document, { style, output: context.stdout, all: flags.all, blind: found.blind }));
  }
  return sweepExit(found, flags);
}
