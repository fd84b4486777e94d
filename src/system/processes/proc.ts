/**
 * Who uses a folder, by `/proc` of Linux (proc(5)): working folder, root, open files and mapped files of every process,
 * in whatever mount namespace it lives. A container sees a folder at another path; so it is found by the file system
 * that a mount table names, and the folder's place in it.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Occupant, Use } from '../../judge/facts/presence.ts';
import { nativePath } from '../bytes.ts';
import { deviceName, type Mount, placeOf } from '../mounts.ts';
import { isWithin } from '../paths.ts';
import { couldReach, readCredentials } from './credentials.ts';
import { Namespaces, type Sights } from './namespaces.ts';
import type { AskedPlace, ProcessScan, Watcher } from './scan.ts';
import { isOver, type ProcessStat, readStat } from './stat.ts';
import { readWatches } from './watches.ts';

export interface ProcOptions {
  /** This process. It and what it started do not count. */
  readonly self: number;
  /** The user id of this account; null: not known. */
  readonly account: number | null;
  readonly mounts: readonly Mount[];
  /** Milliseconds for all of it. */
  readonly time: number;
  now(): number;
  /** Where processes are listed, for tests. */
  readonly proc?: string;
}

/** Processes start while others are looked at; those that appear are looked at, too, this often. */
const ROUNDS = 3;

export function scanProc(places: readonly AskedPlace[], options: ProcOptions): Fact<ProcessScan> {
  try {
    return known(new ProcScan(places, options).run());
  } catch (fault) {
    if (fault instanceof CannotTell) return unknown(fault.message);
    if ((fault as NodeJS.ErrnoException).syscall === undefined) throw fault;
    return unknown(`/proc cannot be read (${(fault as NodeJS.ErrnoException).code})`);
  }
}

class CannotTell extends Error {}

class ProcScan {
  private readonly proc: string;
  private readonly options: ProcOptions;
  private readonly places: readonly AskedPlace[];
  private readonly namespaces: Namespaces;
  private readonly tops: ReadonlyMap<string, number>;
  private readonly occupants: Occupant[][];
  private readonly watchers: Watcher[] = [];
  private readonly climbed = new Map<string, readonly number[]>();
  private readonly deadline: number;
  private unreadable = 0;

  constructor(places: readonly AskedPlace[], options: ProcOptions) {
    this.proc = options.proc ?? '/proc';
    this.options = options;
    this.places = places;
    this.deadline = options.now() + options.time;
    this.occupants = places.map(() => []);
    const spots = places.map(({ folders }) =>
      folders.map((folder) => {
        const place = placeOf(options.mounts, folder, deviceOf(folder));
        if (place === null) throw new CannotTell(`no mount shows ${folder}`);
        return { folder, place };
      }),
    );
    this.namespaces = new Namespaces(this.proc, options.mounts, spots);
    this.tops = new Map(
      places.flatMap(({ folders }, at) => folders.flatMap((folder) => idOf(folder) ?? []).map((id) => [id, at])),
    );
  }

  run(): ProcessScan {
    this.requireOurselves();
    const seen = new Map<number, ProcessStat>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const fresh = this.listed().filter((pid) => !seen.has(pid));
      const found = fresh.flatMap((pid) => this.statOf(pid) ?? []);
      for (const stat of found) seen.set(stat.pid, stat);
      const others = found.filter((stat) => !stat.isKernel && !this.isOurs(stat, seen));
      for (const stat of others) this.namespaces.meet(stat.pid);
      for (const stat of others) this.look(stat);
      if (found.length === 0) break;
    }
    return { occupants: this.occupants, watchers: this.watchers, unreadable: this.unreadable };
  }

  /** A list without ourselves is that of other processes, or of none. One without the first hides some. */
  private requireOurselves(): void {
    const { self } = this.options;
    const pids = this.listed();
    const own = readStat(self, this.proc);
    if (!pids.includes(self) || own.kind !== 'known' || readlinkSync(`${this.proc}/self`) !== String(self))
      throw new CannotTell('this process is not in /proc');
    if (!pids.includes(1)) throw new CannotTell('/proc hides processes of other accounts');
  }

  private listed(): number[] {
    return readdirSync(this.proc).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  }

  /** Null: it is over. */
  private statOf(pid: number): ProcessStat | null {
    if (this.options.now() > this.deadline)
      throw new CannotTell(`looking at the processes took longer than ${this.options.time / 1000} s`);
    const stat = readStat(pid, this.proc);
    if (stat.kind === 'unknown') throw new CannotTell(stat.reason);
    if (stat.kind === 'absent') return null;
    // One that ended and was not waited for yet uses nothing, unless threads of it go on.
    return stat.value.state === 'Z' && stat.value.threads < 2 ? null : stat.value;
  }

  private isOurs({ pid, parent }: ProcessStat, seen: ReadonlyMap<number, ProcessStat>): boolean {
    if (pid === this.options.self) return true;
    for (let at = parent, steps = 0; at > 1 && steps < 1000; steps += 1) {
      if (at === this.options.self) return true;
      at = seen.get(at)?.parent ?? 0;
    }
    return false;
  }

  private look(stat: ProcessStat): void {
    for (const at of threadsOf(this.proc, stat)) {
      try {
        this.lookAt(at, stat);
      } catch (fault) {
        if (isOver(fault)) continue;
        const { code, syscall } = fault as NodeJS.ErrnoException;
        if (syscall === undefined) throw fault;
        if (code !== 'EACCES' && code !== 'EPERM') this.perhaps(stat, `it cannot be looked at (${code})`);
        else this.meetUnreadable(stat);
      }
    }
  }

  private lookAt(at: string, stat: ProcessStat): void {
    const cwd = readlinkSync(`${at}/cwd`, 'latin1');
    const root = readlinkSync(`${at}/root`, 'latin1');
    const sights = this.namespaces.sightsFrom(at);
    if (sights.kind === 'known') this.match(sights.value, at, stat, { cwd, root });
    else if (sights.kind === 'unknown') this.perhaps(stat, sights.reason);
    for (const place of this.climb(`${at}/cwd`)) this.note(place, stat, { how: 'works' });
    for (const place of this.climb(`${at}/root`)) this.note(place, stat, { how: 'root' });
  }

  private match(
    sights: Sights,
    at: string,
    stat: ProcessStat,
    { cwd, root }: { readonly cwd: string; readonly root: string },
  ): void {
    for (const place of insideOf(sights, parentIfGone(`${at}/cwd`, cwd))) this.note(place, stat, { how: 'works' });
    for (const place of insideOf(sights, root)) this.note(place, stat, { how: 'root' });
    for (const name of readdirSync(`${at}/fd`)) {
      const path = linkOrNull(`${at}/fd/${name}`);
      if (path === null) continue;
      if (path.startsWith('/'))
        for (const place of insideOf(sights, path)) this.note(place, stat, { how: 'open', path });
      else if (path.startsWith('anon_inode:')) this.watch(`${at}/fdinfo/${name}`, path, stat);
    }
    const maps = readFileSync(`${at}/maps`, 'latin1');
    sights.forEach((folders, place) => {
      for (const folder of folders) {
        const path = mappedWithin(maps, folder);
        if (path !== null) this.note(place, stat, { how: 'mapped', path });
      }
    });
  }

  private watch(info: string, kind: string, { pid, name }: ProcessStat): void {
    const inodes = readWatches(info, kind);
    if (inodes.size > 0) this.watchers.push({ pid, name, inodes });
  }

  /** By device and inode of the folder and of all above it: however it is named, and whatever was mounted since. */
  private climb(link: string): readonly number[] {
    const own = idOf(link);
    if (own === null) return [];
    const known = this.climbed.get(own);
    if (known !== undefined) return known;
    const found: number[] = [];
    let id: string | null = own;
    for (let at = link, last = ''; id !== null && id !== last; at = `${at}/..`) {
      const place = this.tops.get(id);
      if (place !== undefined) found.push(place);
      last = id;
      id = idOf(`${at}/..`);
    }
    this.climbed.set(own, found);
    return found;
  }

  /** A process that may not be looked at is no failure: it holds only where it could do something. */
  private meetUnreadable(stat: ProcessStat): void {
    this.unreadable += 1;
    const credentials = readCredentials(stat.pid, this.proc);
    if (credentials.kind === 'absent') return;
    this.places.forEach(({ folders }, at) => {
      if (this.namespaces.showsElsewhere(stat.pid, at)) {
        this.perhaps(stat, 'it may not be looked at, and sees this folder at a place of its own', [at]);
      } else if (couldReach(credentials, folders[0], this.options.account)) {
        this.perhaps(stat, 'it may not be looked at, and its account could write here', [at]);
      }
    });
  }

  private perhaps(stat: ProcessStat, why: string, places: readonly number[] | null = null): void {
    for (const place of places ?? this.places.keys()) this.note(place, stat, { how: 'perhaps', why });
  }

  private note(place: number, { pid, name }: ProcessStat, use: Use): void {
    const known = this.occupants[place] as Occupant[];
    if (!known.some((one) => one.pid === pid && one.how === use.how)) known.push({ ...use, pid, name });
  }
}

/** Where a process can be looked at: its first thread may have ended before the others. */
function threadsOf(proc: string, { pid, state }: ProcessStat): string[] {
  if (state !== 'Z') return [`${proc}/${pid}`];
  try {
    return readdirSync(`${proc}/${pid}/task`).flatMap((name) =>
      name === String(pid) ? [] : `${proc}/${pid}/task/${name}`,
    );
  } catch (fault) {
    if (isOver(fault)) return [];
    throw fault;
  }
}

function insideOf(sights: Sights, path: string): number[] {
  const found: number[] = [];
  sights.forEach((folders, place) => {
    if (folders.some((folder) => isWithin(path, folder))) found.push(place);
  });
  return found;
}

/** The kernel writes ` (deleted)` behind the name of a folder that is gone; a folder may also be called so. */
function parentIfGone(link: string, path: string): string {
  if (!path.endsWith(' (deleted)') || statSync(link).nlink > 0) return path;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** Null: it was closed meanwhile. */
function linkOrNull(path: string): string | null {
  try {
    return readlinkSync(path, 'latin1');
  } catch (fault) {
    if (isOver(fault)) return null;
    throw fault;
  }
}

/** The first file at or below `folder` that is mapped; null: none. A mount may show one file alone. */
function mappedWithin(maps: string, folder: string): string | null {
  // Of all that a name can hold the kernel writes only line ends in another way.
  const wanted = ` ${folder.replaceAll('\n', '\\012')}`;
  for (let at = maps.indexOf(wanted); at >= 0; at = maps.indexOf(wanted, at + 1)) {
    const path = maps.slice(at + 1, maps.indexOf('\n', at));
    if (isWithin(path, wanted.slice(1)) || path === `${wanted.slice(1)} (deleted)`) return path;
  }
  return null;
}

/** Device and inode, links followed; null: nothing is there, or what is above may not be looked at. */
function idOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(nativePath(path));
    return `${dev} ${ino}`;
  } catch (fault) {
    if (isOver(fault) || (fault as NodeJS.ErrnoException).code === 'EACCES') return null;
    throw fault;
  }
}

/** Null: nothing is there. */
function deviceOf(folder: string): string | null {
  const stats = statSync(nativePath(folder), { throwIfNoEntry: false });
  return stats === undefined ? null : deviceName(stats.dev);
}
