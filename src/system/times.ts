/** When a folder was last read and written, kept and set anew: a rename in it changes that. */
import { lstatSync, utimesSync } from 'node:fs';
import { nativePath } from './bytes.ts';

/** Seconds since 1970, with nine digits behind the point. */
export interface Times {
  readonly accessed: string;
  readonly modified: string;
}

/** @param path a byte string. Throws the system's own faults. */
export function timesOf(path: string): Times {
  const { atimeNs, mtimeNs } = lstatSync(nativePath(path), { bigint: true });
  return { accessed: secondsOf(atimeNs), modified: secondsOf(mtimeNs) };
}

/** To the microsecond. Throws the system's own faults. */
export function setTimes(path: string, { accessed, modified }: Times): void {
  utimesSync(nativePath(path), Number(accessed), Number(modified));
}

const NANOS = 1_000_000_000n;

function secondsOf(nanos: bigint): string {
  const seconds = nanos / NANOS;
  const rest = nanos % NANOS;
  // A time before 1970 has a rest below zero.
  const [whole, part] = rest < 0n ? [seconds - 1n, rest + NANOS] : [seconds, rest];
  return `${whole}.${String(part).padStart(9, '0')}`;
}
