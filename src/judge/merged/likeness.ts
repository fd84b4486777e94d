/**
 * Likeness of contents by their lines, wherever in the file these stand. It proves nothing; it is enough to doubt a
 * proof. Lines without a letter or digit stand in too many places to tell anything.
 */
import { splitLines } from './lines.ts';

/** How often each telling line stands in a text. */
export type LineCounts = ReadonlyMap<string, number>;

export function countLines(text: string): LineCounts {
  const counts = new Map<string, number>();
  for (const line of splitLines(text)) {
    const plain = line.replace(/\r?\n$/, '');
    if (/[\dA-Za-z\x80-\xff]/.test(plain)) counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return counts;
}

/** Is the step from `before` to `after` in `text`: its new lines there, and those that it took away not? */
export function hasStep(before: LineCounts, after: LineCounts, text: LineCounts): boolean {
  let told = false;
  for (const line of new Set([...before.keys(), ...after.keys()])) {
    const [was, is, now] = [at(before, line), at(after, line), at(text, line)];
    if (was === is) continue;
    told = true;
    if (is > was ? now <= was : now >= was) return false;
  }
  return told;
}

/**
 * Does `text` show a state on the way from `before` to `after`: all lines that only this state had, or none of those that
 * only it had not?
 */
export function showsState(before: LineCounts, state: LineCounts, after: LineCounts, text: LineCounts): boolean {
  let told = false;
  for (const line of new Set([...before.keys(), ...state.keys(), ...after.keys()])) {
    const [was, is, then, now] = [at(before, line), at(state, line), at(after, line), at(text, line)];
    if (is > was && is > then) {
      told = true;
      if (now <= Math.max(was, then)) return false;
    } else if (is < was && is < then) {
      told = true;
      if (now >= Math.min(was, then)) return false;
    }
  }
  return told;
}

/** Does at least half of `text` stand in `other`? */
export function isMostlyIn(text: LineCounts, other: LineCounts): boolean {
  let all = 0;
  let found = 0;
  for (const [line, count] of text) {
    all += count;
    found += Math.min(count, at(other, line));
  }
  return all > 0 && found * 2 >= all;
}

function at(counts: LineCounts, line: string): number {
  return counts.get(line) ?? 0;
}
