import type { Context } from '../context.ts';
import { errorDocument } from '../render/error-document.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { renderError, renderStack } from '../render/error.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';

/** Tells what went wrong, as text or as one document, and gives the exit code. */
export function reportError(
  context: Context,
  { verb, json, error }: { verb: string | null; json: boolean; error: unknown },
): number {
  const told = error instanceof UserError ? error : internalError(error);
  const document = errorDocument(verb, told, context.home);
  if (json) context.stdout.write(jsonLine(document));
  else context.stderr.write(renderError(document, createStyle(context.stderr, context.env)));
  if (told !== error && (context.env['COPPICE_DEBUG'] ?? '') !== '') context.stderr.write(renderStack(error));
  return told.exit;
}

function internalError(error: unknown): UserError {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new UserError('internal-error', `internal error: ${message}`, {
    hint: 'This is a bug of coppice: please report it, with what COPPICE_DEBUG=1 adds to this.',
    cause: error,
  });
}
