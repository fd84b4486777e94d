/** The journal by acts: what was done, how it ended, and whether it was taken back since. */
import { fileId, isSameFile } from '../system/file-id.ts';
import { entryOf } from './ids.ts';
import type { JournalEntry } from './journal.ts';

/** Steps after which nothing more comes of an act. `blocked`: it could be neither ended nor taken back, and waits whole in the trash. */
export type ActEnd = 'done' | 'kept' | 'failed' | 'refused' | 'blocked';

export interface PastAct {
  /** Its first step. */
  readonly began: JournalEntry;
  /** Null: it was begun and not ended. */
  readonly end: ActEnd | null;
  /** The last thing that was said of it. */
  readonly why: string;
}

const ENDS: readonly string[] = ['done', 'kept', 'failed', 'refused', 'blocked'] satisfies readonly ActEnd[];

/** In the order in which they began. */
export function actsOf(entries: readonly JournalEntry[]): ReadonlyMap<string, PastAct> {
  const acts = new Map<string, PastAct>();
  for (const entry of entries) {
    const before = acts.get(entry.id);
    const end = ENDS.includes(entry.step) ? (entry.step as ActEnd) : null;
    acts.set(entry.id, { began: before?.began ?? entry, end: end ?? before?.end ?? null, why: entry.why });
  }
  return acts;
}

/** Verbs that put something aside. */
const REMOVING: readonly string[] = ['sweep', 'retire'];

/** True when something waits in the trash because of it, or did. */
export function hasPutAside({ began, end }: PastAct): boolean {
  return REMOVING.includes(began.verb) && (end === 'done' || end === 'blocked');
}

/** The texts that an act of a removal or an undo has in its detail; null: it has none. */
export function detailOf(
  { detail }: JournalEntry,
  key: 'run' | 'row' | 'ref' | 'tip' | 'of' | 'admin' | 'cache' | 'path' | 'head' | 'notes',
): string | null {
  const value = detail[key];
  return typeof value === 'string' ? value : null;
}

/** What something was, of a removal or an undo. */
export type Matter = 'worktree' | 'cache' | 'branch';

export function matterOf(began: JournalEntry): Matter {
  if (detailOf(began, 'admin') !== null) return 'worktree';
  return detailOf(began, 'cache') === null ? 'branch' : 'cache';
}

/** The entry in the trash of what a removal put aside: a run's branches lie in one. */
export function entryOfRemoval({ began }: PastAct): string | null {
  return matterOf(began) === 'branch' ? detailOf(began, 'run') : entryOf(began.id);
}

/** Ids of acts that were taken back. */
export function undoneIn(acts: ReadonlyMap<string, PastAct>): ReadonlySet<string> {
  return new Set(
    [...acts.values()].flatMap(({ began, end }) => {
      const of = began.verb === 'undo' && end === 'done' ? detailOf(began, 'of') : null;
      return of === null ? [] : [of];
    }),
  );
}

/** The verbs of which a crash can leave something half done. */
const RECOVERED: readonly string[] = [...REMOVING, 'undo', 'purge', 'salvage'];

/** Acts of this very repository, not of one that it is a copy of, that were begun and not ended. */
export function unfinishedIn(
  acts: ReadonlyMap<string, PastAct>,
  commonDir: string,
): readonly (readonly [id: string, act: PastAct])[] {
  const here = fileId(commonDir);
  return [...acts].filter(
    ([, { began, end }]) => end === null && RECOVERED.includes(began.verb) && isSameFile(began.commonDir, here),
  );
}
