/** Who took git's lock on a worktree, as the lock's reason tells, and whether that process is still there. */
import { hostname } from 'node:os';
import type { WorktreeLock } from '../../judge/facts/worktree.ts';
import { isRunning } from '../../system/process-group.ts';
import { readBootId, readStartTime, readStat } from '../../system/processes/stat.ts';

interface Claim {
  readonly owner: string | null;
  readonly pid: number | null;
  /** When the process was started, in whatever form it is told. */
  readonly start: string | null;
  readonly boot: string | null;
  readonly host: string | null;
}

const NAMES = {
  owner: ['owner', 'holder', 'agent', 'session', 'user'],
  pid: ['pid', 'processId', 'process_id'],
  start: ['start', 'startTime', 'start_time', 'started', 'procStart'],
  boot: ['boot', 'bootId', 'boot_id'],
  host: ['host', 'hostname'],
} as const;

/** @param time when the lock was taken, milliseconds since 1970. */
export function readOwner(reason: string, time: number): WorktreeLock {
  const claim = parseLockReason(reason);
  return { reason, owner: claim.owner, pid: claim.pid, alive: isAlive(claim, time) };
}

/** Nobody signs with more than that, and to search a text of any length takes time without end. Bytes. */
const LONGEST = 4096;

const NOBODY: Claim = { owner: null, pid: null, start: null, boot: null, host: null };

/** A JSON object, a text that ends in `(pid N start T)`, or words such as `owner=NAME` and `pid=N`. */
export function parseLockReason(reason: string): Claim {
  if (reason.length > LONGEST) return NOBODY;
  const fields = objectIn(reason);
  const field = (name: keyof typeof NAMES) => {
    const found = NAMES[name].map((key) => fields?.[key]).find((value) => value !== undefined && value !== null);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
  };
  if (fields !== null) {
    const claim = { start: field('start'), boot: field('boot'), host: field('host') };
    return { owner: field('owner'), pid: pidOf(field('pid')), ...claim };
  }
  const session = /^(.*?)\s*\(pid (\d+)(?: start (.+))?\)$/s.exec(reason);
  if (session !== null)
    return {
      owner: session[1] || null,
      pid: pidOf(session[2] ?? null),
      start: session[3] ?? null,
      boot: null,
      host: null,
    };
  const word = (names: readonly string[]) =>
    new RegExp(`(?:^|[\\s,;(])(?:${names.join('|')})\\s*[=:]\\s*([^\\s,;)]+)`).exec(reason)?.[1] ?? null;
  const pid = word(NAMES.pid) ?? /(?:^|[\s,;(])pid (\d+)/.exec(reason)?.[1] ?? null;
  return {
    owner: word(NAMES.owner),
    pid: pidOf(pid),
    start: word(NAMES.start),
    boot: word(NAMES.boot),
    host: word(NAMES.host),
  };
}

function objectIn(reason: string): Readonly<Record<string, unknown>> | null {
  if (!reason.startsWith('{')) return null;
  try {
    return JSON.parse(reason) as Readonly<Record<string, unknown>>;
  } catch {
    // Then it is a text like any other.
    return null;
  }
}

function pidOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

function isAlive({ pid, start, boot, host }: Claim, time: number): boolean | null {
  if (pid === null || (host !== null && host !== hostname())) return null;
  const here = readBootId();
  if (boot !== null && here !== null && boot !== here) return false;
  if (!isRunning(pid)) return false;
  const stat = readStat(pid);
  if (stat.kind !== 'known') return null;
  const began = readStartTime(stat.value);
  // Ids of processes are given again: one that began after the lock was taken did not take it.
  if (start === null) return began === null ? null : began <= time + TOLERANCE;
  return isSameStart(start, stat.value.start, began);
}

/** Clocks are set while programs run: so much a time of day may be off. Milliseconds. */
const TOLERANCE = 60_000;

/** Null: the form does not tell. */
function isSameStart(start: string, ticks: number, began: number | null): boolean | null {
  if (/^\d+(?:\.\d+)?$/.test(start)) {
    const number = Number(start);
    if (number === ticks) return true;
    if (began === null) return null;
    return [number, number * 1000].some((time) => Math.abs(time - began) <= TOLERANCE);
  }
  const time = Date.parse(start);
  if (Number.isNaN(time) || began === null) return null;
  if (Math.abs(time - began) <= TOLERANCE) return true;
  // Without a zone it may be the time of another place.
  return /(?:Z|[+-]\d\d:?\d\d|GMT|UTC)$/.test(start) ? false : null;
}
