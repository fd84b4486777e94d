/** A quick no before a merge: what lacks a line of the change cannot hold the change. */
import { samePrefix, sameSuffix } from './ends.ts';

/** So many new lines are looked for; one that is not there is enough. */
const MOST_LINES = 8;

/** True when a line that the step from `before` to `after` brings is nowhere in `text`. All are byte strings. */
export function lacksNewLine(before: string, after: string, text: string): boolean {
  const shorter = Math.min(before.length, after.length);
  const prefix = samePrefix(before, after, shorter);
  const head = prefix === 0 ? 0 : before.lastIndexOf('\n', prefix - 1) + 1;
  const tail = sameSuffix(before, after, shorter - head);
  const end = after.indexOf('\n', after.length - tail) + 1 || after.length;
  const old = before.slice(head, before.length - (after.length - end));
  let start = head;
  for (let lines = 0; lines < MOST_LINES && start < end; lines++) {
    const next = after.indexOf('\n', start) + 1;
    if (next === 0) return false;
    const line = after.slice(start, next);
    if (!old.includes(line) && !text.includes(line)) return true;
    start = next;
  }
  return false;
}
