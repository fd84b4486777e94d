import { ok, type Parsed, wrong } from './parsed.ts';

const UNITS = [
  ['w', 7 * 24 * 60 * 60 * 1000],
  ['d', 24 * 60 * 60 * 1000],
  ['h', 60 * 60 * 1000],
  ['m', 60 * 1000],
  ['s', 1000],
] as const;

const LONGEST = 36_500 * 24 * 60 * 60 * 1000;

/**
 * A duration in milliseconds: a whole number and one unit, s(econds), m(inutes), h(ours), d(ays) or w(eeks), as in
 * `30s`, `90m`, `24h`, `7d`, `2w`, `0s`. At most 100 years. Nothing else is understood: no blanks, fractions, bare
 * numbers or second unit.
 */
export function parseDuration(text: string): Parsed<number> {
  const match = /^(0|[1-9][0-9]{0,11})([smhdw])$/.exec(text);
  const unit = UNITS.find(([name]) => name === match?.[2]);
  if (match === null || unit === undefined)
    return wrong('write a whole number and s, m, h, d or w, such as "90m" or "7d"');
  const value = Number(match[1]) * unit[1];
  return value <= LONGEST ? ok(value) : wrong('write at most 100 years ("36500d")');
}

/** A duration as `parseDuration` reads it: in days from two on, else the largest unit without rest; no parts of a second. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  for (const [name, length] of UNITS) {
    const count = (seconds * 1000) / length;
    const least = name === 'd' ? 2 : 1;
    if (name !== 'w' && count >= least && Number.isInteger(count)) return `${count}${name}`;
  }
  return '0s';
}
