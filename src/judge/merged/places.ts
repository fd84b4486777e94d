/**
 * The common case of a merge, without looking at every line: each side changed one place of the file, and the two lie
 * apart. Then there is one result, whatever lines are aligned with which.
 */
import { samePrefix, sameSuffix } from './ends.ts';

/** Bytes `[start, end)` of the base that a side has as bytes `[start, sideEnd)`; whole lines. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly sideEnd: number;
}

/**
 * What merging gives where the places are clearly apart; null where they are not, and every line has to be looked at.
 * All are byte strings.
 */
export function mergeApart(base: string, ours: string, theirs: string): string | null {
  const mine = placeOf(base, ours);
  const others = placeOf(base, theirs);
  if (mine.end < others.start) {
    if (!isParted(base, ours, mine, theirs, others)) return null;
    return ours.slice(0, mine.sideEnd) + base.slice(mine.end, others.start) + theirs.slice(others.start);
  }
  if (others.end < mine.start) {
    if (!isParted(base, theirs, others, ours, mine)) return null;
    return theirs.slice(0, others.sideEnd) + base.slice(others.end, mine.start) + ours.slice(mine.start);
  }
  return null;
}

/** From the first line that differs to the last one. */
export function placeOf(base: string, side: string): Place {
  const shorter = Math.min(base.length, side.length);
  const head = lineStart(base, samePrefix(base, side, shorter));
  const tail = sameSuffix(base, side, shorter - head);
  // The first line that starts among the bytes that both end with; a file's last bytes need no line feed.
  const from = base.length - tail;
  const isStart = startsLine(base, from, head) && startsLine(side, side.length - tail, head);
  const next = isStart ? from : base.indexOf('\n', from) + 1 || base.length;
  return { start: head, end: next, sideEnd: side.length - (base.length - next) };
}

/** True when a line starts at `at`; one does at `first`. */
function startsLine(text: string, at: number, first: number): boolean {
  return at === first || text.charCodeAt(at - 1) === 10;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/**
 * True when neither change can slide into the lines between them: lines that are put in or taken away next to an equal
 * line may as well be that one.
 */
function isParted(base: string, above: string, first: Place, below: string, second: Place): boolean {
  const under = base.slice(first.end, base.indexOf('\n', first.end) + 1);
  const over = base.slice(lineStart(base, second.start - 1), second.start);
  return (
    !hasLine(base, first.start, first.end, under) &&
    !hasLine(above, first.start, first.sideEnd, under) &&
    !hasLine(base, second.start, second.end, over) &&
    !hasLine(below, second.start, second.sideEnd, over)
  );
}

/** Whether `line`, with its line feed, is one of the lines of `text` from byte `from` to byte `until`. */
function hasLine(text: string, from: number, until: number, line: string): boolean {
  for (let at = text.indexOf(line, from); at >= 0 && at + line.length <= until; at = text.indexOf(line, at + 1)) {
    if (startsLine(text, at, from)) return true;
  }
  return false;
}
