/** What was done, from the record; and where lines of that are lost, from what waits in the trash. */
import { branchName } from '../judge/facts/names.ts';
import { actsOf, type PastAct } from '../state/acts.ts';
import type { JournalEntry } from '../state/journal.ts';
import type { Journal } from '../state/read-journal.ts';
import { readSaved, type TrashEntry } from '../state/trash/store.ts';
import { slotsOf } from './caches/places.ts';
import { holderOf } from '../state/trash/worktree-record.ts';
import { toByteString } from '../system/bytes.ts';
import { entryId } from '../system/file-id.ts';

const WHY = 'it is in the trash; the record of it is lost';

/** In the order in which it began. @param account whose the trash is; null: there is no such thing here */
export function pastActs(
  journal: Pick<Journal, 'entries'>,
  trash: readonly TrashEntry[],
  account: number | null,
): ReadonlyMap<string, PastAct> {
  const acts = actsOf(journal.entries);
  if (account === null) return acts;
  const lost = trash.flatMap((entry) => actsIn(entry, account)).filter(({ began }) => !acts.has(began.id));
  if (lost.length === 0) return acts;
  const all = [...acts.values(), ...lost].sort((a, b) => a.began.time - b.began.time);
  return new Map(all.map((act) => [act.began.id, act]));
}

/** Those that put its things aside. One that was never finished tells of none. */
function actsIn(entry: TrashEntry, account: number): PastAct[] {
  const { head, worktree, cache } = entry;
  if (head.kind !== 'known') return [];
  const act = (id: string, subject: string, detail: JournalEntry['detail']): PastAct => {
    const { time, commonDir } = head.value;
    const began = { id, time, verb: 'sweep', step: 'done', subject, why: WHY, detail, account, pid: 0, commonDir };
    return { began, end: 'done', why: WHY };
  };
  if (worktree.kind === 'known') {
    const { id, run, row, admin, path, head: tip, notes } = worktree.value;
    // One that is back leaves its entry behind.
    if (entryId(`${holderOf(worktree.value, toByteString(entry.path))}/tree`) === null) return [];
    return [act(id, path, { run, row, admin, tip, path, notes })];
  }
  if (cache.kind === 'known') {
    const { id, run, row, admin, path } = cache.value;
    const isBack = slotsOf(cache.value, toByteString(entry.path)).every(({ slot }) => entryId(slot) === null);
    return isBack ? [] : [act(id, path, { run, row, cache: admin, path })];
  }
  if (cache.kind === 'unknown') return [];
  const saved = worktree.kind === 'absent' ? readSaved(entry, account) : worktree;
  if (saved.kind !== 'known') return [];
  return saved.value.map(({ id, row, ref, tip }) => act(id, branchName(ref), { run: entry.run, row, ref, tip }));
}
