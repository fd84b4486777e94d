import type { Context } from '../context.ts';
import { doctorDocument, renderDoctor } from '../render/doctor.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import type { CommonFlags } from './support/flags.ts';
import { KINDS, survey } from './support/survey.ts';

/** `doctor`: what is broken or stale, each with the one command that mends it. Asks no remote, mends nothing. */
export async function doctor(context: Context, flags: CommonFlags): Promise<number> {
  const found = await survey(context, { ...flags, noFetch: true, offline: true }, KINDS, { audit: true });
  const document = doctorDocument(found, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderDoctor(document, createStyle(context.stdout, context.env)),
  );
  if (document.ailments.length === 0 || flags.exitZero) return 0;
  return 1;
}
