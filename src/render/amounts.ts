/** Times in a few columns. */

const MINUTE = 60_000;
const UNITS = [
  ['y', 365 * 24 * 60 * MINUTE],
  ['mo', 30 * 24 * 60 * MINUTE],
  ['d', 24 * 60 * MINUTE],
  ['h', 60 * MINUTE],
  ['m', MINUTE],
] as const;

/** `3d` for three days and some hours; `now` for less than a minute, and for what is yet to come. In milliseconds. */
export function ageWords(age: number): string {
  for (const [unit, length] of UNITS) if (age >= length) return `${Math.floor(age / length)}${unit}`;
  return 'now';
}
