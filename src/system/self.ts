/** What is told of this process to those who ask who holds something. */
import { hostname } from 'node:os';
import { readBootId, readStat } from './processes/stat.ts';

export interface Self {
  readonly pid: number;
  /** As the kernel counts it; null where it does not tell. */
  readonly start: number | null;
  /** As a byte string. */
  readonly host: string | null;
  readonly bootId: string | null;
}

export function describeProcess(pid: number): Self {
  const stat = readStat(pid);
  return {
    pid,
    start: stat.kind === 'known' ? stat.value.start : null,
    host: Buffer.from(hostname(), 'utf8').toString('latin1') || null,
    bootId: readBootId(),
  };
}
