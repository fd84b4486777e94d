/** The candidates that `word` was probably meant to be, best first, three at most. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const found = new Map<string, number>();
  for (const candidate of candidates) {
    const distance = rank(wanted, candidate.toLowerCase());
    if (distance !== null) found.set(candidate, distance);
  }
  return [...found]
    .sort(([a, left], [b, right]) => left - right || compare(a, b))
    .slice(0, 3)
    .map(([candidate]) => candidate);
}

/** `did you mean a, b or c?`, or null without candidates. */
export function didYouMean(words: readonly string[]): string | null {
  if (words.length === 0) return null;
  const last = words.length - 1;
  const list = last === 0 ? words[0] : `${words.slice(0, last).join(', ')} or ${words[last]}`;
  return `did you mean ${list}?`;
}

// Typing errors rank before parts of names.
function rank(wanted: string, candidate: string): number | null {
  if (wanted.length < 2) return null;
  const limit = wanted.length < 3 ? 1 : wanted.length < 6 ? 2 : 3;
  const distance = editDistance(wanted, candidate, limit);
  if (distance !== null) return distance;
  return wanted.length >= 3 && candidate.includes(wanted) ? limit + 1 : null;
}

/** Insertions, deletions, substitutions and swaps of neighbours from `a` to `b`; null above `limit`. */
function editDistance(a: string, b: string, limit: number): number | null {
  if (Math.abs(a.length - b.length) > limit) return null;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return null;
    before = last;
    last = row;
  }
  const distance = last[b.length] ?? 0;
  return distance <= limit ? distance : null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
