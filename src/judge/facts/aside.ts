import type { Fact } from './fact.ts';

/** What coppice itself has put aside in a repository, and how. */
export interface AsideFacts {
  readonly trash: Fact<readonly TrashFacts[]>;
  /** Milliseconds for which it is kept. */
  readonly keep: number;
  /** Ids of acts that were begun and not ended; absent: it was not asked. */
  readonly unfinished: Fact<readonly string[]>;
  /** Remotes that mirror all refs, so that there are no anchors. Byte strings. */
  readonly mirrors: readonly string[];
}

/** What one run put aside. */
export interface TrashFacts {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly put: number;
  readonly bytes: number;
  /** When a verb that acts first found it due, milliseconds since 1970; null: none did. */
  readonly seenDue: number | null;
}
