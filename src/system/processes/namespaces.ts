/** Where processes see the places that are asked about: each mount namespace has a table of its own. */
import { readFileSync, readlinkSync } from 'node:fs';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type FilePlace, layersOf, type Mount, parseMounts, type Sight, sightsOf } from '../mounts.ts';
import { isOver } from './stat.ts';

/** Of each place the folders at which it is seen. */
export type Sights = readonly (readonly string[])[];

/** A folder, and where it lies. */
export interface Spot {
  readonly folder: string;
  readonly place: FilePlace;
}

export class Namespaces {
  private readonly proc: string;
  /** What we see where. */
  readonly own: Sights;
  private readonly rootMount: Mount | null;
  private readonly places: readonly (readonly Spot[])[];
  /** Processes of each namespace that see all of it: only their table names every mount as others' links do. */
  private readonly speakers = new Map<string, number[]>();
  private readonly sights = new Map<string, Fact<Sights>>();

  constructor(proc: string, own: readonly Mount[], places: readonly (readonly Spot[])[]) {
    this.proc = proc;
    this.rootMount = rootOf(own);
    this.places = places;
    this.own = this.sightsIn(own);
    this.sights.set(readlinkSync(`${proc}/self/ns/mnt`), known(this.own));
  }

  /** To be told of each process before any is looked at. */
  meet(pid: number): void {
    try {
      const namespace = readlinkSync(`${this.proc}/${pid}/ns/mnt`);
      if (this.sights.has(namespace) || readlinkSync(`${this.proc}/${pid}/root`) !== '/') return;
      const speakers = this.speakers.get(namespace);
      if (speakers === undefined) this.speakers.set(namespace, [pid]);
      else speakers.push(pid);
    } catch {
      // It is over, or may not be looked at: then it will say so when it is.
    }
  }

  /**
   * Throws the system's own fault. Unknown: it cannot be told what this process sees where.
   * @param at where in `/proc` the process, or a thread of it, is told of.
   */
  sightsFrom(at: string): Fact<Sights> {
    const namespace = readlinkSync(`${at}/ns/mnt`);
    const before = this.sights.get(namespace);
    if (before !== undefined) return before;
    for (const speaker of this.speakers.get(namespace) ?? []) {
      const mounts = this.mountsOf(`${this.proc}/${speaker}`);
      if (mounts === null) continue;
      const found = known(this.sightsIn(mounts));
      this.sights.set(namespace, found);
      return found;
    }
    const part = this.partSeenFrom(at);
    return part ?? unknown('where it sees what cannot be told');
  }

  /** Where nobody sees all of it: what it sees below its own root, and else what we see. */
  private partSeenFrom(at: string): Fact<Sights> | null {
    const root = readlinkSync(`${at}/root`, 'latin1');
    const mounts = this.mountsOf(at);
    if (mounts === null || root === '/') return null;
    const part = this.sightsIn(mounts);
    return known(this.own.map((own, place) => [...own, ...(part[place] ?? []).map((folder) => root + folder)]));
  }

  /** Null: it is over, or what is told of it is not of the form that is known. */
  private mountsOf(at: string): readonly Mount[] | null {
    try {
      const mounts = parseMounts(readFileSync(`${at}/mountinfo`, 'latin1'));
      return mounts === null || mounts.length === 0 ? null : mounts;
    } catch {
      // Another of its namespace may tell.
      return null;
    }
  }

  /** True when the process sees the place at another folder than we do, or when that cannot be told. */
  showsElsewhere(pid: number, place: number): boolean {
    let mounts: readonly Mount[] | null;
    try {
      mounts = parseMounts(readFileSync(`${this.proc}/${pid}/mountinfo`, 'latin1'));
    } catch (fault) {
      // A process that ended uses nothing.
      return !isOver(fault) && (fault as NodeJS.ErrnoException).code !== 'EINVAL';
    }
    if (mounts === null) return true;
    const root = rootOf(mounts);
    const isOfAnotherRoot = root?.device !== this.rootMount?.device || root?.root !== this.rootMount?.root;
    // System services get a namespace of their own in which all is where it was: that alone says nothing.
    return (this.places[place] ?? []).some((one) =>
      spotted(mounts, one).some(({ folder }) => isOfAnotherRoot || !(this.own[place] ?? []).includes(folder)),
    );
  }

  private sightsIn(mounts: readonly Mount[]): Sights {
    return this.places.map((places) => places.flatMap((spot) => spotted(mounts, spot).map(({ folder }) => folder)));
  }
}

function spotted(mounts: readonly Mount[], { folder, place }: Spot): readonly Sight[] {
  return [...sightsOf(mounts, place), ...layersOf(mounts, folder)];
}

/** What is mounted at the root; null: the table does not tell. */
function rootOf(mounts: readonly Mount[]): Mount | null {
  return mounts.findLast(({ point }) => point === '/') ?? null;
}
