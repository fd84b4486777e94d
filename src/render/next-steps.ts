import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { countKinds } from './words.ts';

/** A command, and what it is for. */
export interface Step {
  readonly command: string;
  readonly what: string;
}

/** What one flag would release: rows that nothing but that keeps. */
const RELEASES = [
  { code: 'no-own-commits', flag: '--unused 7d', why: 'kept only for want of a commit of their own' },
  { code: 'recent-write', flag: '--idle 0s', why: 'kept only for a write a short while ago' },
] as const;

/** The sweep again, with a flag more. Caches are looked at only where they are asked for, perhaps with a budget. */
export function sweepWith({ rows }: Pick<SurveyDocument, 'rows'>, flag: string): string {
  return rows.some(({ kind }) => kind === 'cache') ? `the same with ${flag}` : `coppice sweep ${flag}`;
}

/** What to do next, as far as rows ask for it. */
export function nextSteps({ rows }: SurveyDocument): Step[] {
  const released = RELEASES.map(({ code, flag, why }) => ({
    command: sweepWith({ rows }, flag),
    why,
    rows: rows.filter((row) => isKeptOnlyBy(row, code)),
  }));
  const stale = rows.filter(({ evidence }) => evidence.some(({ code }) => code === 'stale-lock'));
  return [
    ...released,
    { command: 'coppice unlock --dead', why: 'locked by a process that is gone', rows: stale },
  ].flatMap(({ command, why, rows: asking }) =>
    asking.length === 0 ? [] : [{ command, what: `${countKinds(asking)} ${why}` }],
  );
}

function isKeptOnlyBy({ evidence }: RowDocument, code: string): boolean {
  const holds = evidence.filter(({ effect }) => effect === 'holds');
  return holds.length > 0 && holds.every((one) => one.code === code);
}
