import type { Applied } from '../../act/apply.ts';
import type { Outcome } from '../../judge/outcome.ts';
import type { Sweep } from '../../judge/sweep.ts';

/** What a look answers: the code that acting on it would. */
export function sweepExit(sweep: Sweep, { exitZero }: { readonly exitZero: boolean }): number {
  if (sweep.blind) return 2;
  if (sweep.rows.some((row) => row.action !== 'keep') || sweep.purge.due > 0) return 0;
  return exitZero ? 0 : 1;
}

/** What acting answers. */
export function applyExit({ sweep, outcomes, purged }: Applied, flags: { readonly exitZero: boolean }): number {
  return sweep.blind ? 2 : outcomesExit([...outcomes.values()], purged.due > 0, flags);
}

/** @param hasDone something else was done. */
export function outcomesExit(
  outcomes: readonly Outcome[],
  hasDone: boolean,
  { exitZero }: { readonly exitZero: boolean },
): number {
  if (outcomes.some(({ status }) => status === 'failed')) return 2;
  return hasDone || exitZero || outcomes.some(({ status }) => status === 'done') ? 0 : 1;
}
