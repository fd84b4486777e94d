/**
 * A three-way merge of file contents, for proof only: nothing that it makes is ever written anywhere.
 *
 * Changes that overlap or touch are a conflict, unless they are the same. Equal lines can be aligned in more than one
 * way: where that leads to different results, as with repeated blocks, there is none.
 */
import { diffLines, diffLinesLate, type Hunk } from './diff.ts';
import { samePrefix, sameSuffix } from './ends.ts';
import { isBinary } from './lines.ts';
import { mergeApart } from './places.ts';
import { LineNumbers } from './line-numbers.ts';

/**
 * True when merging gives just `expected`, and no other alignment gives anything else. All are byte strings.
 *
 * @param everyWay true: other alignments must merge as well, and to the same.
 */
export function mergeGives(base: string, ours: string, theirs: string, expected: string, everyWay = false): boolean {
  if (ours === theirs || theirs === base) return ours === expected;
  if (ours === base) return theirs === expected;
  if (isBinary(base) || isBinary(ours) || isBinary(theirs)) return false;
  const apart = mergeApart(base, ours, theirs);
  if (apart !== null) return apart === expected;
  const [head, tail] = commonEnds(base, ours, theirs);
  const wanted = inner(expected, head, tail);
  if (
    wanted === null ||
    !expected.startsWith(base.slice(0, head)) ||
    !expected.endsWith(base.slice(base.length - tail))
  )
    return false;
  const numbers = new LineNumbers(inner(base, head, tail) ?? '');
  const numbered = (text: string) => numbers.of(inner(text, head, tail) ?? '');
  const [o, t] = [numbered(ours), numbered(theirs)];
  return lookEveryWay({ b: numbers.base, o, t, e: expected === ours ? o : numbered(expected), everyWay });
}

/**
 * The plain way has the fewest hunks and, among equals, is early, as git's is. Another way alone is no merge: it may
 * move a change to the twin of its place.
 */
function lookEveryWay({ b, o, t, e, everyWay }: Lines & { readonly everyWay: boolean }): boolean {
  const early = { o: diffLines(b, o), t: diffLines(b, t) };
  const late = { o: diffLinesLate(b, o), t: diffLinesLate(b, t) };
  const plain = { o: plainer(early.o, late.o), t: plainer(early.t, late.t) };
  const merged = mergeHunks(b, o, t, plain.o, plain.t);
  if (merged === null || !equalNumbers(merged, e)) return false;
  for (const way of [early, late]) {
    if (way.o === plain.o && way.t === plain.t) continue;
    const other = mergeHunks(b, o, t, way.o, way.t);
    if (other === null ? everyWay : !equalNumbers(other, e)) return false;
  }
  return true;
}

/** The lines of base, ours, theirs and what is expected, in numbers. */
interface Lines {
  readonly b: Uint32Array;
  readonly o: Uint32Array;
  readonly t: Uint32Array;
  readonly e: Uint32Array;
}

function plainer(early: readonly Hunk[] | null, late: readonly Hunk[] | null): readonly Hunk[] | null {
  return early !== null && late !== null && late.length < early.length ? late : early;
}

/** A text without so many bytes at its head and tail; null when it has fewer. */
function inner(text: string, head: number, tail: number): string | null {
  return text.length < head + tail ? null : text.slice(head, text.length - tail);
}

/** Lines next to the first and last difference that are kept: equal lines there can be aligned in other ways. */
const MARGIN = 24;

/** How many bytes all three share at the head and at the tail, in whole lines and without the margin. */
function commonEnds(a: string, b: string, c: string): [head: number, tail: number] {
  const shortest = Math.min(a.length, b.length, c.length);
  let head = samePrefix(a, c, samePrefix(a, b, shortest));
  for (let lines = 0; lines <= MARGIN && head > 0; lines++) head = a.lastIndexOf('\n', head - 1);
  // Now at the line feed before the margin, or at -1 or 0, where there is none.
  head = head > 0 ? head + 1 : 0;
  const tail = sameSuffix(a, c, sameSuffix(a, b, shortest - head));
  let end = a.length - tail;
  for (let lines = 0; lines <= MARGIN && end < a.length; lines++) {
    const next = a.indexOf('\n', end);
    end = next < 0 ? a.length : next + 1;
  }
  return [head, a.length - end];
}

function equalNumbers(a: readonly number[], b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Applies both lists of hunks to `base`; null on any overlap that is not one and the same change. */
function mergeHunks(
  base: Uint32Array,
  ours: Uint32Array,
  theirs: Uint32Array,
  ourHunks: readonly Hunk[] | null,
  theirHunks: readonly Hunk[] | null,
): number[] | null {
  if (ourHunks === null || theirHunks === null) return null;
  const mine = withReach(base, ours, ourHunks);
  const others = withReach(base, theirs, theirHunks);
  const merged: number[] = [];
  let at = 0;
  let i = 0;
  let j = 0;
  for (;;) {
    const one = mine[i];
    const two = others[j];
    if (!one && !two) break;
    if (one && two && sameHunk(one.hunk, ours, two.hunk, theirs)) {
      at = take(merged, base, at, one.hunk, ours);
      i++;
      j++;
    } else if (one && two && meet(one, two)) {
      return null;
    } else if (one && (!two || one.hunk.aStart < two.hunk.aStart)) {
      at = take(merged, base, at, one.hunk, ours);
      i++;
    } else if (two) {
      at = take(merged, base, at, two.hunk, theirs);
      j++;
    }
  }
  for (; at < base.length; at++) merged.push(base[at] as number);
  return merged;
}

/** A hunk, and the lines of the base that it could as well stand at. */
interface Reach {
  readonly hunk: Hunk;
  readonly from: number;
  readonly until: number;
}

/**
 * How far each hunk slides: lines that are put in or taken away next to equal lines may as well be those, so that nobody
 * can say which of them was meant. A replacement stands where it stands.
 */
function withReach(base: Uint32Array, side: Uint32Array, hunks: readonly Hunk[]): Reach[] {
  return hunks.map((hunk, index) => {
    const { aStart, aEnd, bStart, bEnd } = hunk;
    if (aStart < aEnd && bStart < bEnd) return { hunk, from: aStart, until: aEnd };
    const [lines, start, end] = isInsertion(hunk) ? [side, bStart, bEnd] : [base, aStart, aEnd];
    const above = aStart - (hunks[index - 1]?.aEnd ?? 0);
    const below = (hunks[index + 1]?.aStart ?? base.length) - aEnd;
    let up = 0;
    while (up < above && lines[start - 1 - up] === lines[end - 1 - up]) up++;
    let down = 0;
    while (down < below && lines[start + down] === lines[end + down]) down++;
    return { hunk, from: aStart - up, until: aEnd + down };
  });
}

/** True when the two could be meant for the same lines or for the same gap between lines. */
function meet(one: Reach, two: Reach): boolean {
  const [from, until] = [Math.max(one.from, two.from), Math.min(one.until, two.until)];
  if (from !== until) return from < until;
  // Reaches that only touch: lines that both take away are others, wherever each slides; what is put in has no place.
  if (isInsertion(one.hunk) || isInsertion(two.hunk)) return true;
  return Math.max(one.hunk.aStart, two.hunk.aStart) === Math.min(one.hunk.aEnd, two.hunk.aEnd);
}

function isInsertion(hunk: Hunk): boolean {
  return hunk.aStart === hunk.aEnd;
}

function take(merged: number[], base: Uint32Array, from: number, hunk: Hunk, side: Uint32Array): number {
  for (let at = from; at < hunk.aStart; at++) merged.push(base[at] as number);
  for (let at = hunk.bStart; at < hunk.bEnd; at++) merged.push(side[at] as number);
  return hunk.aEnd;
}

function sameHunk(a: Hunk, aSide: Uint32Array, b: Hunk, bSide: Uint32Array): boolean {
  if (a.aStart !== b.aStart || a.aEnd !== b.aEnd || a.bEnd - a.bStart !== b.bEnd - b.bStart) return false;
  for (let at = 0; at < a.bEnd - a.bStart; at++) {
    if (aSide[a.bStart + at] !== bSide[b.bStart + at]) return false;
  }
  return true;
}
