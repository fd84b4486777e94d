/** What a parser made of a text or value; `why` says what would be right, for people. */
export type Parsed<T> = { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'wrong'; readonly why: string };

/** The text or value was understood. */
export function ok<T>(value: T): Parsed<T> {
  return { kind: 'ok', value };
}

/** It was not; `why` completes a sentence such as `idle = "24": …`. */
export function wrong(why: string): Parsed<never> {
  return { kind: 'wrong', why };
}
