import { type TextCheck, pathText, plainText } from './checks.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { appended } from './merges.ts';
import { ok, type Parsed, wrong } from './parsed.ts';
import type { Allowed, Place, Row } from './row.ts';
import { quote, showValue } from './show.ts';
import { formatSize, parseSize } from './size.ts';

type Texts = readonly string[];

/** What every row is given. */
interface Common<T> {
  readonly default: T;
  readonly repository: Allowed<T>;
  readonly doc: string;
}

function replaces<T>(value: T): T {
  return value;
}

function parseText(value: unknown, place: Place, check: TextCheck | undefined): Parsed<string> {
  const text = plainText(value);
  return text.kind === 'wrong' || check === undefined ? text : check(text.value, place);
}

function formatText(value: string | null): string {
  return value === null ? 'not set' : quote(value);
}

/** A text that always has a value. */
export function text(row: Common<string> & { readonly check?: TextCheck }): Row<string> {
  const { check, ...common } = row;
  const parse = (value: unknown, place: Place) => parseText(value, place, check);
  return { ...common, kind: 'text', overDefault: replaces, parse, format: formatText };
}

/** A text that may be missing (null). */
export function optionalText(
  row: Omit<Common<string | null>, 'default'> & { readonly check?: TextCheck },
): Row<string | null> {
  const { check, ...common } = row;
  const parse = (value: unknown, place: Place) => parseText(value, place, check);
  return { ...common, kind: 'text', default: null, overDefault: replaces, parse, format: formatText };
}

/** A path; resolved, it is absolute. */
export function path(row: Common<string>): Row<string> {
  return { ...text({ ...row, check: pathText }), kind: 'path' };
}

/** A path that may be missing (null). */
export function optionalPath(row: Omit<Common<string | null>, 'default'>): Row<string | null> {
  return { ...optionalText({ ...row, check: pathText }), kind: 'path' };
}

/** A duration in milliseconds. `off` is 0 where that means the same; `least`: the user's file must not go below. */
export function duration(row: Common<number> & { readonly offIsZero?: true; readonly least?: number }): Row<number> {
  const { offIsZero, least, ...common } = row;
  function parse(value: unknown, place: Place): Parsed<number> {
    const parsed = offIsZero ? parseOrOff(value, 0) : parseDuration(typeof value === 'string' ? value : '');
    // What a repository asks for can only make it longer, whatever it is.
    const tooShort = parsed.kind === 'ok' && least !== undefined && parsed.value < least && place.file === 'user';
    return tooShort ? wrong(`write at least "${formatDuration(least)}"`) : parsed;
  }
  const kind = offIsZero ? 'duration or "off"' : 'duration';
  return { ...common, kind, overDefault: replaces, parse, format: formatDurationText };
}

/** A duration in milliseconds, or off (null). */
export function durationOrOff(row: Common<number | null>): Row<number | null> {
  const parse = (value: unknown) => parseOrOff(value, null);
  return { ...row, kind: 'duration or "off"', overDefault: replaces, parse, format: formatDurationText };
}

function parseOrOff<O>(value: unknown, off: O): Parsed<number | O> {
  if (value === 'off') return ok(off);
  const parsed = parseDuration(typeof value === 'string' ? value : '');
  return parsed.kind === 'wrong' ? wrong(`${parsed.why}, or "off"`) : parsed;
}

function formatDurationText(value: number | null): string {
  return value === null ? '"off"' : `"${formatDuration(value)}"`;
}

/** A size in bytes; a bare number counts as bytes. */
export function size(row: Common<number>): Row<number> {
  function parse(value: unknown): Parsed<number> {
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    return parseSize(plain ? String(value) : '');
  }
  return { ...row, kind: 'size', overDefault: replaces, parse, format: (value) => `"${formatSize(value)}"` };
}

/** True or false. */
export function flag(row: Common<boolean>): Row<boolean> {
  function parse(value: unknown): Parsed<boolean> {
    return typeof value === 'boolean' ? ok(value) : wrong('write true or false, without quotes');
  }
  return { ...row, kind: 'boolean', overDefault: replaces, parse, format: String };
}

function parseChoice<C extends Texts>(value: unknown, choices: C): Parsed<C[number]> {
  const chosen = choices.find((choice) => choice === value);
  return chosen === undefined ? wrong(`write one of ${choices.map(quote).join(', ')}`) : ok(chosen);
}

/** One word of a few. */
export function choice<const C extends Texts>(
  row: Common<C[number]> & { readonly choices: C; readonly inTable?: string },
): Row<C[number]> {
  const { choices, ...common } = row;
  const parse = (value: unknown) => parseChoice(value, choices);
  return { ...common, kind: choices.map(quote).join(', '), overDefault: replaces, parse, format: formatText };
}

/** One word of a few, or none (null). */
export function optionalChoice<const C extends Texts>(
  row: Omit<Common<C[number] | null>, 'default'> & { readonly choices: C },
): Row<C[number] | null> {
  const { choices, ...common } = row;
  const parse = (value: unknown) => parseChoice(value, choices);
  return {
    ...common,
    kind: choices.map(quote).join(', '),
    default: null,
    overDefault: replaces,
    parse,
    format: formatText,
  };
}

function parseList<T extends string>(value: unknown, parseOne: (entry: unknown) => Parsed<T>): Parsed<readonly T[]> {
  if (!Array.isArray(value)) return wrong('write a list of texts, such as ["one", "two"]');
  const entries: T[] = [];
  for (const entry of value) {
    const parsed = parseOne(entry);
    if (parsed.kind === 'wrong') return wrong(`${showValue(entry)}: ${parsed.why}`);
    entries.push(parsed.value);
  }
  return ok(entries);
}

/** A list of texts. `extendsDefault`: the user's entries are appended to the default, and the last match decides. */
export function list(row: Common<Texts> & { readonly check?: TextCheck; readonly extendsDefault?: true }): Row<Texts> {
  const { check, extendsDefault, ...common } = row;
  const parse = (value: unknown, place: Place) => parseList(value, (entry) => parseText(entry, place, check));
  const overDefault = (value: Texts) => (extendsDefault ? appended(row.default, value) : value);
  return { ...common, kind: 'list of texts', overDefault, parse, format: showAll };
}

/** A list of paths; resolved, they are absolute. */
export function paths(row: Common<Texts>): Row<Texts> {
  return { ...list({ ...row, check: pathText }), kind: 'list of paths' };
}

/** A list of some of a few words. */
export function choices<const C extends Texts>(
  row: Common<readonly C[number][]> & { readonly choices: C },
): Row<readonly C[number][]> {
  const { choices: words, ...common } = row;
  const parse = (value: unknown) => parseList(value, (entry) => parseChoice(entry, words));
  return { ...common, kind: `list of ${words.map(quote).join(', ')}`, overDefault: replaces, parse, format: showAll };
}

function showAll(value: Texts): string {
  return `[${value.map(quote).join(', ')}]`;
}
