/**
 * Who took git's lock on a worktree, as the lock's reason tells, and whether that process is still there. Only reasons
 * that programs write are read: a text that merely speaks of a process is a person's, and says nothing of its taker.
 */
import { hostname } from 'node:os';
import type { WorktreeLock } from '../../judge/facts/worktree.ts';
import { isRunning } from '../../system/process-group.ts';
import { readBootId, readStartTime, readStat } from '../../system/processes/stat.ts';
import { seesAllProcesses } from './pid-namespace.ts';

interface Claim {
  readonly owner: string | null;
  readonly pid: number | null;
  /** When the process was started, in whatever form it is told. */
  readonly start: string | null;
  /** True where the form itself says that a whole number is the kernel's count of ticks. */
  readonly isTicks: boolean;
  readonly boot: string | null;
  /** The machine that it names; `unclear`: it may name one, and which is not sure. */
  readonly host: 'none' | 'ours' | 'unclear';
}

const NAMES = {
  owner: ['owner', 'holder', 'agent', 'session', 'user'],
  pid: ['pid', 'processId', 'process_id'],
  start: ['start', 'startTime', 'start_time', 'started', 'procStart'],
  boot: ['boot', 'bootId', 'boot_id'],
  host: ['host', 'hostname', 'machine', 'node'],
} as const;

/** Other fields that may say that the number is not one of this machine's. */
const ELSEWHERE = /host|machine|node|container|namespace|ns$|vm$|pod/i;

/** @param time when the lock was taken, milliseconds since 1970. */
export function readOwner(reason: string, time: number): WorktreeLock {
  const claim = parseLockReason(reason);
  return { reason, owner: claim.owner, pid: claim.pid, alive: isAlive(claim, time), aside: null };
}

/** Nobody signs with more than that, and to search a text of any length takes time without end. Bytes. */
const LONGEST = 4096;

const NOBODY: Claim = { owner: null, pid: null, start: null, isTicks: false, boot: null, host: 'none' };

/**
 * A JSON object; a text that ends in `(pid N start T)`; or words such as `owner=NAME pid=N` and nothing else. The whole
 * reason is of one of these forms, or nobody's.
 */
function parseLockReason(reason: string): Claim {
  if (reason.length > LONGEST) return NOBODY;
  if (reason.startsWith('{')) return claimOf(entriesOfObject(reason));
  const session = /^([^\n]*?)\s*\(pid ([1-9]\d*) start ([^()\n]+)\)$/.exec(reason);
  if (session === null) return claimOf(entriesOfWords(reason));
  const [, owner = '', pid = '', start = ''] = session;
  return {
    ...NOBODY,
    owner: owner || null,
    pid: pidOf(pid),
    start,
    isTicks: /^\d+$/.test(start),
    host: /@|(?:^|\s)(?:on|at|host|hostname|machine|node)(?:\s|[:=]|$)/i.test(owner) ? 'unclear' : 'none',
  };
}

type Entries = readonly (readonly [key: string, value: unknown])[];

function entriesOfObject(reason: string): Entries {
  try {
    return Object.entries(JSON.parse(reason) as object);
  } catch {
    // Then it is a text like any other.
    return [];
  }
}

/** Empty unless each word is one that is known, said once, and both an owner and a process are among them. */
function entriesOfWords(reason: string): Entries {
  const entries = reason.split(' ').map((word): [string, string] => {
    const [, key = '', value = ''] = /^([A-Za-z_]+)=(\S+)$/s.exec(word) ?? [];
    return [key, value];
  });
  const kinds = entries.map(
    ([key]) => Object.entries(NAMES).find(([, names]) => names.some((name) => name === key))?.[0],
  );
  const isWhole = kinds.every((kind, at) => kind !== undefined && kinds.indexOf(kind) === at);
  return isWhole && kinds.includes('owner') && kinds.includes('pid') ? entries : [];
}

function claimOf(entries: Entries): Claim {
  const told = entries.filter(([, value]) => value !== null);
  const values = (kind: keyof typeof NAMES) =>
    told.filter(([key]) => NAMES[kind].some((name) => name === key)).map(([, value]) => value);
  const field = (kind: keyof typeof NAMES) => {
    const [first, ...more] = values(kind);
    if (typeof first !== 'string' && typeof first !== 'number') return null;
    return more.every((other) => String(other) === String(first)) ? String(first) : null;
  };
  const hosts = values('host');
  const isForeign =
    hosts.some((host) => host !== ourHost()) ||
    // Said twice in two ways, or in a way that is not understood.
    (['pid', 'start', 'boot'] as const).some((kind) => values(kind).length > 0 && field(kind) === null) ||
    told.some(([key]) => ELSEWHERE.test(key) && !NAMES.host.some((name) => name === key));
  return {
    owner: field('owner'),
    pid: pidOf(field('pid')),
    start: field('start'),
    isTicks: false,
    boot: field('boot'),
    host: isForeign ? 'unclear' : hosts.length > 0 ? 'ours' : 'none',
  };
}

function ourHost(): string {
  return Buffer.from(hostname(), 'utf8').toString('latin1');
}

function pidOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

/** False only when it is proven: what is not sure is null. */
function isAlive(claim: Claim, time: number): boolean | null {
  const { pid, start, boot, host } = claim;
  if (pid === null || host === 'unclear') return null;
  if (boot !== null && boot !== readBootId()) {
    // Of another boot of this machine, or of another machine that shares these files.
    return host === 'ours' && readBootId() !== null && seesAllProcesses(pid) ? false : null;
  }
  if (!isRunning(pid)) return seesAllProcesses(pid) ? false : null;
  const stat = readStat(pid);
  if (stat.kind !== 'known') return null;
  const began = readStartTime(stat.value);
  // One that began later may have another's number, or the clock was set since: neither is proven.
  if (start === null) return began !== null && began <= time + TOLERANCE ? true : null;
  if (isSameStart(start, stat.value.start, began)) return true;
  const isAnother = claim.isTicks && began !== null && areOtherTicks(Number(start), stat.value.start);
  return isAnother && seesAllProcesses(pid) ? false : null;
}

/** Clocks are set while programs run: so much a time of day may be off. Milliseconds. */
const TOLERANCE = 60_000;

/** False: it is not told in a form that says so. */
function isSameStart(start: string, ticks: number, began: number | null): boolean {
  const number = /^\d+(?:\.\d+)?$/.test(start) ? Number(start) : null;
  if (number === ticks) return true;
  const times = number === null ? [Date.parse(start)] : [number, number * 1000];
  return began !== null && times.some((time) => Math.abs(time - began) <= TOLERANCE);
}

/** From here on a number may be a time of day: no machine runs for so many ticks. */
const MOST_TICKS = 1_000_000_000;

/** Not when the number may be the same start, told in seconds or milliseconds since the machine was booted. */
function areOtherTicks(number: number, ticks: number): boolean {
  const isNear = (other: number) => Math.abs(other - ticks) <= (TOLERANCE / 1000) * 100;
  return number < MOST_TICKS && !isNear(number * 100) && !isNear(number / 10);
}
