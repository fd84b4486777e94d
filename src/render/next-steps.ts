import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { countKinds } from './words.ts';

/** A command, and what it is for. */
export interface Step {
  readonly command: string;
  readonly what: string;
}

/** What one flag would release: rows that nothing but that keeps. */
const RELEASES = [
  { code: 'no-own-commits', command: 'coppice sweep --unused 7d', why: 'kept only for want of a commit of their own' },
  { code: 'recent-write', command: 'coppice sweep --idle 0s', why: 'kept only for a write a short while ago' },
] as const;

/** What to do next, as far as rows ask for it. */
export function nextSteps({ rows }: SurveyDocument): Step[] {
  const released = RELEASES.map(({ code, ...step }) => ({
    ...step,
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
