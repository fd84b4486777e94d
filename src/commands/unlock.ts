import type { Context } from '../context.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { renderUnlock, unlockDocument } from '../render/unlock.ts';
import { outcomesExit } from './support/exit-code.ts';
import type { UnlockFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

/** `unlock --dead`: takes away the locks of processes that are gone. */
export async function unlock(context: Context, flags: UnlockFlags): Promise<number> {
  if (!flags.dead)
    throw usageError(
      'missing-flag',
      'unlock needs --dead',
      'it takes away only locks whose owner is gone: coppice unlock --dead',
    );
  const unlocked = await context.unlockDead(directoryOf(context, flags.directory));
  const document = unlockDocument(unlocked, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderUnlock(document, createStyle(context.stdout, context.env)),
  );
  return outcomesExit(
    unlocked.map(({ outcome }) => outcome),
    false,
    flags,
  );
}
