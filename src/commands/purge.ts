import type { Context } from '../context.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { purgeDocument, renderPurge } from '../render/purge.ts';
import { createStyle } from '../render/style.ts';
import { outcomesExit } from './support/exit-code.ts';
import type { PurgeFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

/** `purge`: what waits in the trash; with `--apply` what is due is deleted for good. */
export async function purge(context: Context, flags: PurgeFlags): Promise<number> {
  const { apply, all, olderThan, id } = flags;
  if ([all, olderThan !== undefined, id !== undefined].filter(Boolean).length > 1)
    throw usageError(
      'unexpected-argument',
      '--all, --older-than and --id exclude each other',
      'coppice purge --help shows how it is used',
    );
  const items = await context.purge({
    directory: directoryOf(context, flags.directory),
    apply,
    olderThan: all ? 0 : (olderThan ?? null),
    id: id === undefined ? null : encodeText(id),
  });
  const document = purgeDocument(items, apply, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderPurge(document, createStyle(context.stdout, context.env)),
  );
  const isDue = !apply && items.some((item) => item.isDue);
  return outcomesExit(
    items.flatMap(({ outcome }) => outcome ?? []),
    isDue,
    flags,
  );
}
