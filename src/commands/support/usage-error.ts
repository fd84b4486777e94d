import {
  AliasNotFoundError,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core';
import { UserError } from '../../judge/facts/user-error.ts';
import { encodeText } from '../../render/decode.ts';
import { didYouMean, nearest } from './nearest.ts';

/** Exit code of wrong usage. */
export const USAGE_EXIT = 64;

/** Wrong usage. Texts of errors are byte strings, and what a person typed goes in as its bytes. */
export function usageError(code: string, text: string, hint: string): UserError {
  return new UserError(code, encodeText(text), { hint: encodeText(hint), exit: USAGE_EXIT });
}

/** A verb that there is not. */
export function unknownVerb(word: string, verbs: readonly string[]): UserError {
  return usageError(
    'unknown-verb',
    `unknown verb ${quote(word)}`,
    hintFor(word, verbs, 'coppice help lists the verbs'),
  );
}

/** A flag that there is not; `flags` with their dashes. */
export function unknownFlag(flag: string, verb: string | null, flags: readonly string[]): UserError {
  const where = verb === null ? 'coppice help lists verbs and flags' : `coppice ${verb} --help lists the flags`;
  return usageError('unknown-flag', `unknown flag ${quote(flag)}`, didYouMean(nearestFlags(flag, flags)) ?? where);
}

/** What the argument parser found wrong, in coppice's words. */
export function parserError(error: unknown, verb: string, flags: readonly string[]): unknown {
  const help = `coppice ${verb} --help shows how it is used`;
  if (error instanceof FlagNotFoundError) return unknownFlag(`--${error.input}`, verb, flags);
  if (error instanceof AliasNotFoundError) return unknownFlag(`-${error.input}`, verb, flags);
  if (error instanceof EnumValidationError) {
    const value = `unknown value ${quote(error.input)} for ${dashed(error.externalFlagName)}`;
    return usageError(
      'unknown-value',
      value,
      hintFor(error.input, error.values, `it takes ${error.values.join(', ')}`),
    );
  }
  if (error instanceof ArgumentParseError) {
    const reason = error.exception instanceof Error ? error.exception.message : String(error.exception);
    return usageError('bad-value', `${named(error.externalFlagNameOrPlaceholder)} ${reason}`, help);
  }
  if (error instanceof UnsatisfiedFlagError)
    return usageError('missing-value', `${dashed(error.externalFlagName)} needs a value`, help);
  if (error instanceof UnexpectedFlagError)
    return usageError('repeated-flag', `${dashed(error.externalFlagName)} is given twice`, help);
  if (error instanceof InvalidNegatedFlagSyntaxError)
    return usageError('bad-value', `${dashed(error.externalFlagName)} takes no value`, help);
  if (error instanceof UnexpectedPositionalError)
    return usageError('unexpected-argument', `unexpected argument ${quote(error.input)}`, help);
  if (error instanceof UnsatisfiedPositionalError)
    return usageError('missing-argument', `${error.placeholder} is missing`, help);
  return error;
}

// Without the dashes, which all flags share and which would make short ones look alike.
function nearestFlags(flag: string, flags: readonly string[]): string[] {
  const byName = new Map(flags.map((each) => [each.replace(/^-+/, ''), each]));
  return nearest(flag.replace(/^-+/, ''), byName.keys()).map((name) => byName.get(name) ?? name);
}

function hintFor(word: string, candidates: readonly string[], otherwise: string): string {
  return didYouMean(nearest(word, candidates)) ?? otherwise;
}

// The folder is only ever shown as -C.
function dashed(flag: string): string {
  return flag === 'directory' ? '-C' : `--${flag}`;
}

function named(flagOrPlaceholder: string): string {
  return flagOrPlaceholder === flagOrPlaceholder.toUpperCase() ? flagOrPlaceholder : dashed(flagOrPlaceholder);
}

function quote(word: string): string {
  return `"${word}"`;
}
