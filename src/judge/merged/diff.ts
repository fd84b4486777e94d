/** Line differences by Myers' greedy algorithm. */

/** Lines `[aStart, aEnd)` of one file stand for `[bStart, bEnd)` of the other; no two hunks touch. */
export interface Hunk {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Beyond this many differing lines a pair is not compared: the work would grow with its square. */
const MOST_DIFFERENCES = 4000;

/**
 * The hunks that turn `a` into `b`, aligned as early in the file as possible, or null when they differ too much.
 */
export function diffLines(a: Uint32Array, b: Uint32Array): Hunk[] | null {
  let head = 0;
  const shorter = Math.min(a.length, b.length);
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const n = a.length - head - tail;
  const m = b.length - head - tail;
  if (n === 0 && m === 0) return [];
  if (n === 0 || m === 0) return [{ aStart: head, aEnd: head + n, bStart: head, bEnd: head + m }];
  const trace = shortestEdit(a, b, head, n, m);
  return trace === null ? null : readHunks(trace, head, n, m);
}

/** The same, aligned as late in the file as possible. */
export function diffLinesLate(a: Uint32Array, b: Uint32Array): Hunk[] | null {
  const hunks = diffLines(a.slice().reverse(), b.slice().reverse());
  if (hunks === null) return null;
  return hunks
    .map((hunk) => ({
      aStart: a.length - hunk.aEnd,
      aEnd: a.length - hunk.aStart,
      bStart: b.length - hunk.bEnd,
      bEnd: b.length - hunk.bStart,
    }))
    .reverse();
}

/** For each number of edits, the furthest x reached on each diagonal; -1: the diagonal was not reached. */
function shortestEdit(a: Uint32Array, b: Uint32Array, head: number, n: number, m: number): Int32Array[] | null {
  const most = Math.min(n + m, MOST_DIFFERENCES);
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    const row = new Int32Array(2 * d + 1).fill(-1);
    trace.push(row);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : enter(trace[d - 1] as Int32Array, d - 1, k, Math.min(n, m + k)) >> 1;
      if (x < 0) continue;
      while (x < n && x - k < m && a[head + x] === b[head + x - k]) x++;
      row[k + d] = x;
      if (x === n && x - k === m) return trace;
    }
  }
  return null;
}

/**
 * Where diagonal `k` is entered after one edit more than `d`: twice the x, plus one when the edit was an insertion;
 * -1 when it cannot be. `limit` is the largest x inside the two files on this diagonal.
 */
function enter(reached: Int32Array, d: number, k: number, limit: number): number {
  const above = k + 1 >= -d && k + 1 <= d ? (reached[k + 1 + d] as number) : -1;
  const beside = k - 1 >= -d && k - 1 <= d ? (reached[k - 1 + d] as number) : -1;
  const insert = above <= limit ? above : -1;
  const remove = beside >= 0 && beside + 1 <= limit ? beside + 1 : -1;
  if (insert < 0 && remove < 0) return -1;
  return insert >= remove ? insert * 2 + 1 : remove * 2;
}

function readHunks(trace: readonly Int32Array[], head: number, n: number, m: number): Hunk[] {
  const edits: { x: number; y: number; insert: boolean }[] = [];
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d > 0; d--) {
    const k = x - y;
    const entered = enter(trace[d - 1] as Int32Array, d - 1, k, Math.min(n, m + k));
    const insert = (entered & 1) === 1;
    x = insert ? entered >> 1 : (entered >> 1) - 1;
    y = insert ? (entered >> 1) - k - 1 : (entered >> 1) - k;
    edits.push({ x, y, insert });
  }
  const hunks: { aStart: number; aEnd: number; bStart: number; bEnd: number }[] = [];
  for (const edit of edits.reverse()) {
    const aStart = head + edit.x;
    const bStart = head + edit.y;
    const last = hunks.at(-1);
    const open = last?.aEnd === aStart && last.bEnd === bStart ? last : { aStart, aEnd: aStart, bStart, bEnd: bStart };
    if (open !== last) hunks.push(open);
    if (edit.insert) open.bEnd++;
    else open.aEnd++;
  }
  return hunks;
}
