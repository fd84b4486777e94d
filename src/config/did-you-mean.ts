/** The names of `known` that `given` may have been meant as: best first, at most three, none when nothing is near. */
export function didYouMean(given: string, known: readonly string[]): readonly string[] {
  const wanted = given.toLowerCase();
  const near = known
    .map((name) => ({ name, far: farness(wanted, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3)));
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Like the edit distance; a name given without its head (`keep` for `trash.keep`) is one step away. */
function farness(given: string, name: string): number {
  const tail = name.slice(name.lastIndexOf('.') + 1);
  const headless = given.length > 2 && !given.includes('.');
  return Math.min(distance(given, name), headless ? distance(given, tail) + 1 : Number.POSITIVE_INFINITY);
}

/** How many characters to insert, delete, replace or swap with their neighbour make `b` of `a`. */
function distance(a: string, b: string): number {
  const from = a.slice(0, 64);
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = from[i - 1] === b[j - 1];
      let best = Math.min((above[j - 1] ?? 0) + (same ? 0 : 1), (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && from[i - 1] === b[j - 2] && from[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
