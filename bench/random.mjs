/** A seeded source of randomness (sfc32): one seed gives the same numbers on every machine and in every version. */
export function randomFrom(seed) {
  let [a, b, c, count] = [0x9e3779b9, 0x243f6a88, seed >>> 0, 1];
  const next = () => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 16; round += 1) next();

  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],

    /** A key of `weights`, as often as its number says. */
    weighted(weights) {
      const entries = Object.entries(weights);
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        rest -= weight;
        if (rest < 0) return key;
      }
      return entries[0][0];
    },

    shuffle(list) {
      for (let last = list.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [list[last], list[other]] = [list[other], list[last]];
      }
      return list;
    },
  };
}
