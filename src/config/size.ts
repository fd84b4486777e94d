import { ok, type Parsed, wrong } from './parsed.ts';

const BINARY = ['', 'K', 'M', 'G', 'T'] as const;

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['B', 1],
  ...BINARY.slice(1).flatMap((letter, index): [string, number][] => [
    [letter, 1024 ** (index + 1)],
    [`${letter}iB`, 1024 ** (index + 1)],
    [`${letter}B`, 1000 ** (index + 1)],
  ]),
]);

/**
 * A size in bytes: a whole number and a unit. None or `B` is bytes; `K`, `M`, `G`, `T` and `KiB` to `TiB` count by
 * 1024, `KB` to `TB` by 1000. Nothing else is understood: no blanks, fractions or lower case.
 */
export function parseSize(text: string): Parsed<number> {
  const match = /^(0|[1-9][0-9]{0,15})([A-Za-z]{0,3})$/.exec(text);
  const unit = UNITS.get(match?.[2] ?? 'none');
  if (match === null || unit === undefined) {
    return wrong(
      'write a whole number of bytes, or one with K, M, G, T, KiB, MiB, GiB or TiB, such as "16MiB" or "2G"',
    );
  }
  const value = Number(match[1]) * unit;
  return Number.isSafeInteger(value) ? ok(value) : wrong('write at most "8191T"');
}

/** A size as `parseSize` reads it, in the largest unit that leaves no rest. */
export function formatSize(bytes: number): string {
  for (let power = BINARY.length - 1; power > 0; power--) {
    const count = bytes / 1024 ** power;
    if (bytes > 0 && Number.isInteger(count)) return `${count}${BINARY[power]}iB`;
  }
  return `${bytes}B`;
}
