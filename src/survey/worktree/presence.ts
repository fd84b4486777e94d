/** Who is in the worktrees. */
import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, type Fact, known } from '../../judge/facts/fact.ts';
import type { Presence } from '../../judge/facts/presence.ts';
import { nativePath } from '../../system/bytes.ts';
import { type Mount, placeOf } from '../../system/mounts.ts';
import { type LookOptions, lookForProcesses } from '../../system/processes/look.ts';
import { inodeKey, type ProcessScan, type Watcher } from '../../system/processes/scan.ts';

/** A worktree that is asked about. */
export interface AskedWorktree {
  readonly admin: string;
  readonly realPath: string;
  readonly gitDir: string;
  /** Where it was before it was moved: who watches the folder around that one goes on to watch it. */
  readonly was?: string;
}

/** One look at all processes. */
export class PresenceReading {
  private readonly asked: readonly AskedWorktree[];
  private readonly scan: Fact<ProcessScan>;
  private readonly mounts: readonly Mount[];

  private constructor(asked: readonly AskedWorktree[], scan: Fact<ProcessScan>, mounts: readonly Mount[]) {
    this.asked = asked;
    this.scan = scan;
    this.mounts = mounts;
  }

  static async read(asked: readonly AskedWorktree[], options: LookOptions): Promise<PresenceReading> {
    const places = asked.map(({ realPath, gitDir }) => ({ folders: [realPath, gitDir] as const }));
    const scan = await lookForProcesses(places, options);
    return new PresenceReading(asked, scan, options.mounts.kind === 'known' ? options.mounts.value : []);
  }

  /** Everything that somebody has himself told of changes of. */
  get watched(): ReadonlySet<string> {
    const watchers = this.scan.kind === 'known' ? this.scan.value.watchers : [];
    return new Set(watchers.flatMap(({ inodes }) => [...inodes]));
  }

  /** @param watched what of that lies in the worktree. */
  of(admin: string | null, watched: ReadonlySet<string>): Fact<Presence> {
    const at = this.asked.findIndex((one) => one.admin === admin);
    if (at < 0) return absent;
    if (this.scan.kind !== 'known') return this.scan;
    const { occupants, watchers, unreadable } = this.scan.value;
    const one = this.asked[at];
    const above = watched.size === 0 ? null : this.keyAbove(one?.was ?? one?.realPath ?? '/');
    const watching = watchers.filter(({ inodes }) => isIn(inodes, watched) && (above === null || !inodes.has(above)));
    return known({
      occupants: [
        ...(occupants[at] ?? []),
        ...watching.map(({ pid, name }) => ({ pid, name, how: 'watches' as const })),
      ],
      unreadable,
    });
  }

  /**
   * Who watches a larger tree, as an editor of the whole project does, watches the folder that the worktree lies in, and
   * says nothing of the worktree by that. Null: that cannot be looked at.
   */
  private keyAbove(folder: string): string | null {
    const above = posix.dirname(folder);
    const device = placeOf(this.mounts, above)?.device;
    const inode = inodeOf(above);
    return device === undefined || inode === null ? null : inodeKey(device, inode);
  }
}

function isIn(inodes: Watcher['inodes'], watched: ReadonlySet<string>): boolean {
  for (const key of watched) if (inodes.has(key)) return true;
  return false;
}

/** Null: it may not be looked at, and nobody's watch of it is known to be one. */
function inodeOf(folder: string): number | null {
  try {
    return statSync(nativePath(folder)).ino;
  } catch {
    return null;
  }
}
