import type { Sweep } from '../../judge/sweep.ts';

/** What a look answers: the code that acting on it would. */
export function sweepExit(sweep: Sweep, { exitZero }: { readonly exitZero: boolean }): number {
  if (sweep.blind) return 2;
  if (sweep.rows.some((row) => row.action !== 'keep')) return 0;
  return exitZero ? 0 : 1;
}
