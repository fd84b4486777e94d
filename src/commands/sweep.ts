import type { Choose, Context } from '../context.ts';
import { appliedDocument, sweepDocument } from '../render/document.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { renderApplied } from '../render/applied.ts';
import { renderSweep } from '../render/table.ts';
import { applyExit, sweepExit } from './support/exit-code.ts';
import type { SweepFlags } from './support/flags.ts';
import { apply, survey } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const EVERY_ROW: Choose = { verb: 'sweep', of: (rows) => rows };

/** `sweep`: every leftover, what would go, what stays, and why; with `--apply` what went. */
export async function sweep(context: Context, flags: SweepFlags): Promise<number> {
  const kinds = flags.only ?? null;
  const budget = flags.budget ?? null;
  if (budget !== null && kinds?.includes('cache') !== true)
    throw usageError('bad-value', '--budget is for caches', 'coppice sweep --only cache --budget 50G');
  const applied = flags.apply ? await apply(context, flags, kinds, EVERY_ROW, { budget }) : null;
  const found = applied?.sweep ?? (await survey(context, flags, kinds, { budget }));
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
