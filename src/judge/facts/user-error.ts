/**
 * A refusal, a fault of the surroundings or wrong usage, told to the person: shown as a message with a hint, or as one
 * `coppice.error.v1` document, never as a stack trace. Anything else that is thrown is a bug of coppice.
 */
export class UserError extends Error {
  /** Stable word for scripts, in lower case with dashes. */
  readonly code: string;
  /** The next safe step, if there is one. */
  readonly hint: string | null;
  /** The exit code it ends with: 2 refused or fault, 3 contention, 64 wrong usage. */
  readonly exit: number;

  constructor(code: string, message: string, options: { hint?: string; exit?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UserError';
    this.code = code;
    this.hint = options.hint ?? null;
    this.exit = options.exit ?? 2;
  }
}
