/**
 * What is known of something that was read.
 *
 * `known`: read, and this is the value. `absent`: read, and there is none. `unknown`: it could not be read, was cut
 * off or could not be parsed. Unknown is never treated as clean, merged, not there or zero.
 */
export type Fact<T> =
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'absent' };

/** A fact that was read. */
export function known<T>(value: T): Fact<T> {
  return { kind: 'known', value };
}

/** A fact that could not be read; `reason` is shown to people. */
export function unknown<T>(reason: string): Fact<T> {
  return { kind: 'unknown', reason };
}

/** A fact that was read, and there is nothing. */
export const absent: Fact<never> = { kind: 'absent' };

/** Marks the branch of a switch that cannot be reached; throws when it is. */
export function assertNever(value: never): never {
  throw new Error(`impossible value: ${JSON.stringify(value)}`);
}
