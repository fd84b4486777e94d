import type { Merge } from './merges.ts';
import type { Parsed } from './parsed.ts';

/** The file a value stands in, and what its relative parts count from. */
export interface Place {
  readonly file: 'user' | 'repository';
  /** The account's home folder, for `~/`; null when unknown. */
  readonly home: string | null;
  /** The checkout's top folder, for a repository's relative paths; null when there is none. */
  readonly top: string | null;
}

/**
 * What a repository's `coppice.toml` may do with a setting: nothing (`user`), tighten it (`tighten`), or set it by its
 * merge once the file's exact content is trusted (`trusted`).
 */
export type Allowed<T> =
  | { readonly who: 'user' }
  | { readonly who: 'tighten'; readonly merge: Merge<T> }
  | { readonly who: 'trusted'; readonly merge: Merge<T> };

/** One setting. `T` is the type of its resolved value. */
export interface Row<T> {
  /** Its kind in words, for the reference. */
  readonly kind: string;
  readonly default: T;
  /** What it means, in one line. */
  readonly doc: string;
  readonly repository: Allowed<T>;
  /** A second spelling, for a setting whose name is also the head of others: TOML has no key that is text and table. */
  readonly inTable?: string;
  /** Reads a value of a TOML file. */
  parse(value: unknown, place: Place): Parsed<T>;
  /** What a user's value makes of the default: most replace it. */
  overDefault(value: T): T;
  /** The value as a file would spell it. */
  format(value: T): string;
}

/** Only the user's own file sets it. */
export const USER_ONLY: { readonly who: 'user' } = { who: 'user' };

/** A repository may tighten it, by `merge`. */
export function tighten<T>(merge: Merge<T>): Allowed<T> {
  return { who: 'tighten', merge };
}

/** A repository may set it, by `merge`, once its file is trusted. */
export function whenTrusted<T>(merge: Merge<T>): Allowed<T> {
  return { who: 'trusted', merge };
}
