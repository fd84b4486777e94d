import type { Choose, Context } from '../context.ts';
import { appliedDocument, sweepDocument } from '../render/document.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { renderApplied } from '../render/applied.ts';
import { renderSweep } from '../render/table.ts';
import { applyExit, sweepExit } from './support/exit-code.ts';
import type { SweepFlags } from './support/flags.ts';
import { apply, survey } from './support/survey.ts';

const EVERY_ROW: Choose = { verb: 'sweep', of: (rows) => rows };

/** `sweep`: every leftover, what would go, what stays, and why; with `--apply` what went. */
export async function sweep(context: Context, flags: SweepFlags): Promise<number> {
  const kinds = flags.only ?? null;
  const applied = flags.apply ? await apply(context, flags, kinds, EVERY_ROW) : null;
  const found = applied?.sweep ?? (await survey(context, flags, kinds));
  const document = applied === null ? sweepDocument(found, context.home) : appliedDocument(applied, context.home);
  if (flags.json) {
    context.stdout.write(jsonLine(document));
  } else {
    const style = createStyle(context.stdout, context.env);
    const options = { style, output: context.stdout, all: flags.all, blind: found.blind };
    context.stdout.write(applied === null ? renderSweep(document, options) : renderApplied(document, options));
  }
  return applied === null ? sweepExit(found, flags) : applyExit(applied, flags);
}
