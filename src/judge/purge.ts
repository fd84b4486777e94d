/** What of that which was put aside has waited long enough. */
import type { Survey } from './facts/survey.ts';
import { permitDue } from './permit.ts';

/** How many runs, and what they take on the disk. */
export interface Due {
  readonly due: number;
  readonly bytes: number;
}

export function dueOf({ aside: { trash, keep }, now }: Pick<Survey, 'aside' | 'now'>): Due {
  const due =
    trash.kind === 'known'
      ? trash.value.filter(({ run, put, seenDue }) => permitDue(run, { put, keep, seenDue }, now) !== null)
      : [];
  return { due: due.length, bytes: due.reduce((sum, { bytes }) => sum + bytes, 0) };
}
