/** A quick no before a merge: what lacks a line of the change cannot hold the change. */
import { placeOf } from './places.ts';

/** So many new lines are looked for; one that is not there is enough. */
const MOST_LINES = 8;

/** True when a line that the step from `before` to `after` brings is nowhere in `text`. All are byte strings. */
export function lacksNewLine(before: string, after: string, text: string): boolean {
  const place = placeOf(before, after);
  const old = before.slice(place.start, place.end);
  let start = place.start;
  for (let lines = 0; lines < MOST_LINES && start < place.sideEnd; lines++) {
    const next = after.indexOf('\n', start) + 1;
    if (next === 0) return false;
    const line = after.slice(start, next);
    if (!old.includes(line) && !text.includes(line)) return true;
    start = next;
  }
  return false;
}
