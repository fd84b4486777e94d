import type { UserError } from '../judge/facts/user-error.ts';
import { readableText } from './document.ts';
import type { ErrorDocument } from '../contract/error.ts';

/** The document that a refusal, a fault or wrong usage prints under `--json`. */
export function errorDocument(verb: string | null, error: UserError, home: string | null): ErrorDocument {
  return {
    schema: 'coppice.error.v1',
    verb,
    code: error.code,
    text: readableText(error.message, home),
    hint: error.hint === null ? null : readableText(error.hint, home),
    exit: error.exit,
  };
}
