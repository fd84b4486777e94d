/** What the kernel tells of one process, and whether a process named by somebody is still the same one. */
import { readFileSync } from 'node:fs';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';

/** One process of Linux, from `/proc/<pid>/stat` (proc_pid_stat(5)). */
export interface ProcessStat {
  readonly pid: number;
  /** The program's short name, as a byte string. Programs choose it themselves. */
  readonly name: string;
  readonly parent: number;
  /** One letter; `Z` is a process that has ended and was not waited for yet. */
  readonly state: string;
  /** True for threads of the kernel: they work in no folder. */
  readonly isKernel: boolean;
  readonly threads: number;
  /** When it was started, in clock ticks since the machine was booted. Together with the pid it names one process. */
  readonly start: number;
}

const KERNEL_THREAD = 0x0020_0000;

/** Null: not of that form. The name between the parentheses may hold anything, parentheses too. */
export function parseStat(text: string): ProcessStat | null {
  const pid = /^(\d+) \(/.exec(text)?.[1];
  const end = text.lastIndexOf(') ');
  if (pid === undefined || end < 0) return null;
  const fields = text
    .slice(end + 2)
    .trimEnd()
    .split(' ');
  const [state = '', parent] = fields;
  const [flags, threads, start] = [fields[6], fields[17], fields[19]].map(Number);
  const numbers = [Number(parent), flags, threads, start];
  if (!/^[A-Za-z]$/.test(state) || !numbers.every((one) => Number.isSafeInteger(one))) return null;
  return {
    pid: Number(pid),
    name: text.slice(pid.length + 2, end),
    parent: Number(parent),
    state,
    isKernel: ((flags as number) & KERNEL_THREAD) !== 0,
    threads: threads as number,
    start: start as number,
  };
}

/** Absent: there is no such process. @param proc where processes are listed, for tests. */
export function readStat(pid: number, proc = '/proc'): Fact<ProcessStat> {
  let text: string;
  try {
    text = readFileSync(`${proc}/${pid}/stat`, 'latin1');
  } catch (fault) {
    if (isOver(fault)) return absent;
    return unknown(`process ${pid} cannot be looked at (${(fault as NodeJS.ErrnoException).code ?? 'unknown fault'})`);
  }
  const stat = parseStat(text);
  return stat === null || stat.pid !== pid
    ? unknown(`process ${pid} is told in a form that is not known`)
    : known(stat);
}

/** The process ended before or while it was read. */
export function isOver(fault: unknown): boolean {
  const { code } = fault as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH';
}

/** Names this boot of this machine; null where the platform has no such thing. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || null;
  } catch {
    // Then nothing can be told by it, which null says.
    return null;
  }
}

/** Ticks of Linux in a second, as programs see them, on every architecture that Node runs on. */
export const TICKS = 100;

/** When a process was started, milliseconds since 1970, by the clock as it is set now; null: that cannot be told. */
export function readStartTime({ start }: ProcessStat): number | null {
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
    return boot === undefined ? null : Number(boot) * 1000 + (start * 1000) / TICKS;
  } catch {
    // Then it is not known, which null says.
    return null;
  }
}
