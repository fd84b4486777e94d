import type { HoldCode, LadderCode } from '../evidence.ts';
import type { Oid } from '../facts/names.ts';
import type { PathNumber } from './change.ts';

/** The step of the ladder that held, and the commits on the base that it matched, in the branch's order. */
export interface Proof {
  readonly code: LadderCode;
  readonly commits: readonly Oid[];
}

/** What the ladder says of one branch against one state of the base. */
export interface MergeVerdict {
  readonly proof: Proof | null;
  /** What speaks against the proof, or why there can be none. */
  readonly veto: {
    readonly code: Extract<HoldCode, 'net-zero' | 'reverted-later' | 'shallow'>;
    readonly by: Oid | null;
    /** A hint rests on a commit's words. */
    readonly grade: 'proven' | 'hint';
  } | null;
  /** Paths whose change is not on the base; empty when proven. */
  readonly missing: readonly PathNumber[];
  /** True when contents that are not here would have been needed. */
  readonly blind: boolean;
}
