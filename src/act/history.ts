/** What coppice did here: read from the record, nothing is changed. */
import { readPlace } from '../git/read/repository.ts';
import { gitFor } from '../git/run.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { type ActEnd, detailOf, entryOfRemoval, hasPutAside, type PastAct, undoneIn } from '../state/acts.ts';
import { fileId, isSameFile } from '../system/file-id.ts';
import { readJournal } from '../state/read-journal.ts';
import { listTrash } from '../state/trash/store.ts';
import type { StateWorld } from '../state/world.ts';
import { pastActs } from './past-acts.ts';

/** One act. Texts are byte strings. */
export interface HistoryItem {
  readonly id: string;
  readonly run: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly verb: string;
  readonly subject: string;
  readonly why: string;
  readonly account: number;
  readonly pid: number;
  /** Null: it was cut off. */
  readonly end: ActEnd | null;
  readonly undo: UndoState;
}

/** `none`: there is nothing to undo. `copied`: it was done in the repository that this is a copy of. */
export type UndoState = 'open' | 'undone' | 'purged' | 'copied' | 'none';

export interface History {
  /** The newest first. */
  readonly items: readonly HistoryItem[];
  /** Lines of the record that are cut off or cannot be understood. */
  readonly unreadable: number;
}

/** @throws UserError `journal-unreadable` */
export async function readHistory(world: StateWorld, directory: string): Promise<History> {
  const { commonDir } = await readPlace(gitFor(directory, world.env));
  const place = { commonDir, account: world.account };
  const journal = readJournal(place);
  if (journal.kind === 'unknown') throw new UserError('journal-unreadable', journal.reason);
  const record = journal.kind === 'known' ? journal.value : { entries: [], torn: [], damaged: [] };
  const listed = listTrash(place);
  const trash = listed.kind === 'known' ? listed.value : [];
  const acts = pastActs(record, trash, world.account);
  const entries = new Set(trash.flatMap(({ run, isGoing }) => (isGoing ? [] : [run])));
  const undone = undoneIn(acts);
  const here = fileId(commonDir);
  const stateOf = (id: string, act: PastAct): UndoState => {
    const { began } = act;
    if (!hasPutAside(act)) return 'none';
    if (undone.has(id)) return 'undone';
    if (!entries.has(entryOfRemoval(act) ?? '')) return 'purged';
    return isSameFile(began.commonDir, here) ? 'open' : 'copied';
  };
  const items = [...acts].map(([id, act]): HistoryItem => {
    const { time, verb, subject, account, pid } = act.began;
    const run = detailOf(act.began, 'run');
    return { id, run, time, verb, subject, why: act.why, account, pid, end: act.end, undo: stateOf(id, act) };
  });
  return { items: items.reverse(), unreadable: record.torn.length + record.damaged.length };
}
