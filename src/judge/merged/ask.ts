/**
 * How the ladder asks for contents without reading anything itself: it yields a question, and the survey answers.
 * A blob that is not here, or that is too large to compare, is answered with null and proves nothing.
 */
import type { BlobNumber } from './change.ts';

/** Contents of blobs, or less of them: their sizes are cheapest to have, their line sums cheap to keep. */
export interface Question {
  readonly kind: 'texts' | 'sums' | 'sizes';
  readonly blobs: readonly BlobNumber[];
}

/** Answers in the order of the question's blobs. */
export type Answer = readonly (string | number | null)[];

/** A computation that may ask for contents on its way. */
export type Asking<Result> = Generator<Question, Result, Answer>;

/** Asks for contents; null in the list: not to be had. */
export function* texts(blobs: readonly BlobNumber[]): Asking<readonly (string | null)[]> {
  return (yield { kind: 'texts', blobs }) as readonly (string | null)[];
}

/** Asks for a number about each blob: its size in bytes, or its line sum. */
export function* numbers(kind: 'sums' | 'sizes', blobs: readonly BlobNumber[]): Asking<readonly (number | null)[]> {
  return (yield { kind, blobs }) as readonly (number | null)[];
}
