/** How a state file is read and written: strictly, bounded, private, whole or not at all. */
import * as v from 'valibot';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from '../system/bytes.ts';
import { readBounded, writeAtomic } from '../system/files.ts';
import { fromWritten, toWritten } from './text.ts';

/** The largest state file that is read or written, in bytes. */
export const LARGEST_STATE = 64 * 1024;
const DEEPEST = 8;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One kind of state file. */
export interface Form<T> {
  /** The value of `schema`, the first thing in the file. */
  readonly schema: string;
  /** What follows, with texts as byte strings. */
  readonly shape: v.GenericSchema<unknown, T>;
  /** The way back: all but `schema`. */
  write(value: T): { readonly [key: string]: Json };
}

/** What the bytes of a file say; unknown with the reason when they are not exactly of that form. */
export function parseState<T>(bytes: Uint8Array, form: Form<T>): Fact<T> {
  const document = parseJson(bytes);
  if (document.kind !== 'known') return document;
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unknown('it is no JSON object');
  const { schema, ...rest } = value as { readonly [key: string]: Json };
  if (typeof schema !== 'string') return unknown('it names no schema');
  if (schema !== form.schema) return unknown(`its schema is not ${form.schema}`);
  const parsed = v.safeParse(form.shape, rest);
  if (parsed.success) return known(parsed.output);
  const [issue] = parsed.issues;
  const at = v.getDotPath(issue);
  return unknown(`it does not follow ${form.schema}${at === null ? `: ${issue.message}` : ` at "${at}"`}`);
}

/**
 * Reads one state file. `absent`: there is none. `unknown`: it is malformed, too large, no plain file, another
 * account's, or others may write it.
 */
export function readState<T>(path: string | Buffer, form: Form<T>, account: number): Fact<T> {
  const bytes = readBounded(path, LARGEST_STATE, { owner: account });
  return bytes.kind === 'known' ? parseState(bytes.value, form) : bytes;
}

/** Writes one state file, only for this account. Throws `UserError` (`write-failed`, `state-too-large`); a value that breaks the form is a bug. */
export function writeState<T>(path: string, form: Form<T>, value: T): void {
  const document = toJson({ schema: form.schema, ...form.write(value) });
  const bytes = Buffer.from(`${JSON.stringify(document, null, 2)}\n`, 'utf8');
  // What could not be read again must not take the place of what can.
  if (bytes.length > LARGEST_STATE) {
    throw new UserError('state-too-large', `${toByteString(path)} would be larger than ${LARGEST_STATE} bytes`);
  }
  const back = parseState(bytes, form);
  if (back.kind !== 'known') throw new Error(`not written: ${back.kind === 'unknown' ? back.reason : ''}`);
  writeAtomic(path, bytes, 0o600);
}

/** A JSON document whose texts are byte strings. */
export function parseJson(bytes: Uint8Array): Fact<Json> {
  if (bytes.length === 0) return unknown('it is empty');
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (fault) {
    if (fault instanceof SyntaxError || fault instanceof TypeError) return unknown('it is no JSON');
    throw fault;
  }
  const value = fromJson(document, 0);
  return value === undefined ? unknown('it holds what no state file holds') : known(value);
}

/** Undefined: too deep, a text that is none, or a key that objects have anyway and no schema would miss. */
function fromJson(value: unknown, depth: number): Json | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === 'string') return fromWritten(value) ?? undefined;
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) {
    const items = value.map((item) => fromJson(item, depth + 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const entries = Object.entries(value).map(([key, item]) => [fromWritten(key), fromJson(item, depth + 1)] as const);
  if (entries.some(([key, item]) => key === null || key in Object.prototype || item === undefined)) return undefined;
  return Object.fromEntries(entries) as Json;
}

/** The same document with texts as files have them. */
export function toJson(value: Json): Json {
  if (typeof value === 'string') return toWritten(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toWritten(key), toJson(item)]));
}
