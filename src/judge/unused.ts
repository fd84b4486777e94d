/** `--unused AGE`: what never had a commit of its own may go when nobody touched it for so long. */
import { type Evidence, spent } from './evidence.ts';
import type { MergeFacts } from './facts/branch.ts';
import type { Survey } from './facts/survey.ts';

/** @param lastTouch when it was last moved or written to, seconds since 1970; null: not known, so it stays. */
export function unusedFor(merge: MergeFacts, lastTouch: number | null, survey: Survey): Evidence | null {
  if (!isUnused(merge, lastTouch, survey)) return null;
  return spent(
    'no-own-commits',
    'it never had a commit of its own, and nobody touched it for longer than was asked',
    null,
  );
}

export function isUnused(merge: MergeFacts, lastTouch: number | null, { unused, now }: Survey): boolean {
  if (unused === null || merge.relation !== 'line' || merge.worked || lastTouch === null) return false;
  return now - lastTouch * 1000 > unused;
}
