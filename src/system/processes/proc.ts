/**
 * Who uses a folder, by `/proc` of Linux (proc(5)): working folder, root, open files and mapped files of every process,
 * in whatever mount namespace it lives. A container sees a folder at another path; so it is found by the file system
 * that a mount table names, and the folder's place in it.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Occupant, Use } from '../../judge/facts/presence.ts';
import { type Mount, placeOf } from '../mounts.ts';
import { isWithin } from '../paths.ts';
import { couldReach, readCredentials } from './credentials.ts';
import { fixedUses, socketsIn } from './kernel-uses.ts';
import { deviceOf, idOf, linkOf, mappedWithin, namesIn, parentIfGone, surroundingsOf, threadsOf } from './links.ts';
import { Namespaces, type Sights } from './namespaces.ts';
import type { AskedPlace, ProcessScan, Watcher } from './scan.ts';
import { isOver, type ProcessStat, readStat, TICKS } from './stat.ts';
import { readWatches } from './watches.ts';

export interface ProcOptions {
  /** This process. It and what it started do not count. */
  readonly self: number;
  /** Seconds since it began: what it found as its children is not its own. */
  readonly uptime: number;
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
  private readonly devices: readonly (string | null)[];
  private sockets: ReadonlyMap<string, string> = new Map();
  private began = 0;
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
    this.devices = places.map(({ folders }) => deviceOf(folders[0]));
    this.namespaces = new Namespaces(this.proc, options.mounts, spots);
    this.tops = new Map(
      places.flatMap(({ folders }, at) => folders.flatMap((folder) => idOf(folder) ?? []).map((id) => [id, at])),
    );
  }

  run(): ProcessScan {
    this.requireOurselves();
    this.began = this.ticksAgo(this.options.uptime);
    const own = this.namespaces.own;
    this.sockets = socketsIn(this.proc, (path) => insideOf(own, path).length > 0);
    for (const path of fixedUses(this.proc))
      for (const place of insideOf(own, path)) this.note(place, KERNEL, { how: 'open', path });
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
    if (this.options.mounts.some(({ point }) => /^\/proc\/\d+(?:\/|$)/.test(point)))
      throw new CannotTell('something is mounted over a process in /proc');
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

  /** Ourselves, and what we started. A shell that became coppice leaves it children that are not. */
  private isOurs(stat: ProcessStat, seen: ReadonlyMap<number, ProcessStat>): boolean {
    let at: ProcessStat | undefined = stat;
    for (let steps = 0; at !== undefined && steps < 1000; steps += 1) {
      if (at.pid === this.options.self) return true;
      if (at.start < this.began) return false;
      at = seen.get(at.parent);
    }
    return false;
  }

  private ticksAgo(seconds: number): number {
    const now = Number(readFileSync(`${this.proc}/uptime`, 'latin1').split(' ')[0]);
    // Both clocks are read with a delay.
    return Math.floor((now - seconds) * TICKS) - TICKS / 20;
  }

  private look(stat: ProcessStat): void {
    let shared: string | null = null;
    for (const { at, isFirst } of threadsOf(this.proc, stat)) {
      try {
        const own = stat.threads < 2 ? null : surroundingsOf(at);
        if (isFirst) shared = own;
        else if (own === shared) continue;
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
    const cwd = linkOf(`${at}/cwd`);
    const root = linkOf(`${at}/root`);
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
    { cwd, root }: { readonly cwd: string | null; readonly root: string | null },
  ): void {
    // What is longer than the kernel tells is known by its inode alone.
    if (cwd !== null)
      for (const place of insideOf(sights, parentIfGone(`${at}/cwd`, cwd))) this.note(place, stat, { how: 'works' });
    if (root !== null) for (const place of insideOf(sights, root)) this.note(place, stat, { how: 'root' });
    for (const name of namesIn(`${at}/fd`)) {
      const link = `${at}/fd/${name}`;
      const path = linkOrOver(link);
      if (path === undefined) continue;
      const socket = path === null ? undefined : this.sockets.get(path);
      if (path === null) this.meetLong(link, stat);
      else if (path.startsWith('/')) this.meetOpen(sights, link, path, stat);
      else if (socket !== undefined) this.meetOpen(this.namespaces.own, null, socket, stat);
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

  /** @param link null: it is no file that could be looked at. */
  private meetOpen(sights: Sights, link: string | null, path: string, stat: ProcessStat): void {
    for (const place of insideOf(sights, path)) this.note(place, stat, { how: 'open', path });
    // It may have been opened before the process got a namespace of its own.
    if (link === null || sights === this.namespaces.own) return;
    for (const place of insideOf(this.namespaces.own, path)) {
      const device = this.devices[place];
      if (device != null && deviceOf(link) === device) this.note(place, stat, { how: 'open', path });
    }
  }

  private meetLong(link: string, stat: ProcessStat): void {
    const device = deviceOf(link);
    this.devices.forEach((own, place) => {
      if (own === device) this.perhaps(stat, 'it has a file open whose path is too long to be told', [place]);
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

  private note(place: number, { pid, name }: Pick<ProcessStat, 'pid' | 'name'>, use: Use): void {
    const known = this.occupants[place] as Occupant[];
    if (!known.some((one) => one.pid === pid && one.how === use.how)) known.push({ ...use, pid, name });
  }
}

/** Stands for what the kernel itself uses. */
const KERNEL = { pid: 0, name: 'kernel' };

/** Undefined: it was closed meanwhile. */
function linkOrOver(path: string): string | null | undefined {
  try {
    return linkOf(path);
  } catch (fault) {
    if (isOver(fault)) return undefined;
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
