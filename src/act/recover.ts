/**
 * Ends what an earlier run began and a crash cut off. What is on the disk decides: what was not changed stays so, what
 * was is put back, or ended where every look passes again.
 */
import { readTips, tipOf, type Tips, usedBranches } from '../git/read/named.ts';
import { type Fact, known } from '../judge/facts/fact.ts';
import { parseRefName, type RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { permitRestore, type RestorePermit } from '../judge/permit.ts';
import { type ActEnd, actsOf, detailOf, matterOf, type PastAct, unfinishedIn } from '../state/acts.ts';
import { entryOf } from '../state/ids.ts';
import { continueAct, type JournalEntry } from '../state/journal.ts';
import { readJournal } from '../state/read-journal.ts';
import { anchorName, type SavedBranch } from '../state/trash/record.ts';
import { listTrash, readSaved, type TrashEntry } from '../state/trash/store.ts';
import type { Acting } from './acting.ts';
import { freeConfig } from './branches/config.ts';
import { type Restored, restoreBranches } from './branches/restore.ts';
import { removeSections } from './branches/sections.ts';
import { isAsPutAside } from './branches/unchanged.ts';
import { putBackCache } from './caches/put-back.ts';
import { endOfRefill } from './caches/undo.ts';
import { endOfSaving } from './notes/save-changes.ts';
import { emptyPurging } from './purging.ts';
import { sayFault } from '../system/files.ts';
import { PlaceTaken } from './worktrees/move.ts';
import { heldIn, takeBackAside } from './purge-held.ts';
import { endOfWorktree } from './worktrees/recover.ts';

/**
 * @returns the ids of acts of which an undo came to its end now.
 * @throws UserError `journal-unreadable`, `journal-failed`
 */
export async function recover(acting: Acting): Promise<ReadonlySet<string>> {
  emptyPurging(acting);
  freeConfig(acting);
  const place = { commonDir: acting.commonDir, account: acting.folder.account };
  const journal = readJournal(place);
  const undone = new Set<string>();
  if (journal.kind === 'absent') return undone;
  if (journal.kind === 'unknown') throw new UserError('journal-unreadable', journal.reason);
  const unfinished = unfinishedIn(actsOf(journal.value.entries), acting.commonDir);
  if (unfinished.length === 0) return undone;
  const trash = listTrash(place);
  for (const [id, act] of unfinished) {
    const ended = await endOf(acting, id, act, trash.kind === 'known' ? trash.value : []);
    if (ended === null) continue;
    const { verb, subject, why, detail } = act.began;
    continueAct(acting.folder, acting.commonDir, acting.world, id, { verb, subject, why, detail }).step(...ended);
    const of = verb === 'undo' && ended[0] === 'done' ? detailOf(act.began, 'of') : null;
    if (of !== null) undone.add(of);
  }
  return undone;
}

type End = readonly [step: ActEnd, why: string];

const NOTHING: End = ['kept', 'it was cut off before anything was changed'];

/** Null: it cannot be told now, so that it stays as it is. */
async function endOf(
  acting: Acting,
  id: string,
  { began }: PastAct,
  trash: readonly TrashEntry[],
): Promise<End | null> {
  if (began.verb === 'salvage') return endOfSaving(acting, began);
  const matter = matterOf(began);
  if (matter === 'worktree') return endOfWorktree(acting, id, began);
  if (matter === 'cache') return endOfCache(acting, id, began);
  const entry = trash.find(({ run }) => run === detailOf(began, 'run'));
  if (began.verb === 'purge') return endPurge(acting, entry);
  const of = began.verb === 'undo' ? detailOf(began, 'of') : began.id;
  const all = entry === undefined || entry.head.kind !== 'known' ? null : readSaved(entry, acting.folder.account);
  const saved = all?.kind === 'known' ? all.value.find(({ id }) => id === of) : undefined;
  if (entry === undefined || saved === undefined) return NOTHING;
  const ref = began.verb === 'undo' ? parseRefName(detailOf(began, 'ref') ?? '') : saved.ref;
  if (ref === null) return NOTHING;
  const tips = await readTips(acting.git, 'refs/heads', `refs/coppice/trash/${entry.run}`);
  const cut: Cut = { entry, saved, ref, tips };
  return began.verb === 'undo' ? endUndo(acting, cut) : endDeletion(acting, cut);
}

function endOfCache(acting: Acting, id: string, began: JournalEntry): End | null {
  if (began.verb === 'undo') return endOfRefill(acting, began);
  const back = putBackCache(acting, entryOf(id));
  if (back.kind === 'back') return ['kept', 'it was cut off, and is as it was'];
  return back.kind === 'blocked' ? ['blocked', back.text] : null;
}

/** What it had only moved aside waits where it did. */
function endPurge({ commonDir }: Acting, entry: TrashEntry | undefined): End | null {
  if (entry === undefined) return ['done', 'ended after it was cut off'];
  const held = heldIn(commonDir, entry);
  if (held?.kind !== 'known') return NOTHING;
  try {
    takeBackAside(held.value);
    return NOTHING;
  } catch (fault) {
    if (!(fault instanceof PlaceTaken)) sayFault(fault);
    return null;
  }
}

interface Cut {
  readonly entry: TrashEntry;
  readonly saved: SavedBranch;
  readonly ref: RefName;
  readonly tips: Fact<Tips>;
}

async function endUndo(acting: Acting, cut: Cut): Promise<End | null> {
  const there = tipOf(cut.tips, cut.ref);
  if (there.kind === 'unknown') return null;
  if (there.kind === 'absent' || there.value !== cut.saved.tip || !isAsPutAside(acting, cut)) return NOTHING;
  const back = await putBack(acting, cut);
  if (back === null) return null;
  if (back.kind === 'whole') return ['done', 'ended after it was cut off'];
  // What may still come back is tried again by the next one who acts.
  return back.isOpen ? null : ['done', back.text];
}

async function endDeletion(acting: Acting, cut: Cut): Promise<End | null> {
  const { entry, saved, ref, tips } = cut;
  const there = tipOf(tips, ref);
  if (there.kind === 'unknown') return null;
  const wasDeleted = tips.kind === 'known' && tips.value.get(anchorName(entry.run, saved.anchors.first)) === saved.tip;
  // One that somebody made of that name since, or wrote to, is left alone.
  if (there.kind === 'known' && (there.value !== saved.tip || !isAsPutAside(acting, cut)))
    return wasDeleted ? ['done', 'it was cut off at its end'] : NOTHING;
  const used = usedBranches(acting.commonDir);
  if (there.kind === 'known' || used.kind !== 'known' || used.value.has(ref)) {
    // git takes the reflog away first, so that a branch that is still there can be without it.
    const back = await putBack(acting, cut);
    if (back === null || back.isOpen) return null;
    return ['kept', back.kind === 'whole' ? 'it was cut off, and is as it was' : `it is back, and ${back.text}`];
  }
  const isAnchored = entry.head.kind === 'known' && entry.head.value.isAnchored;
  // Then somebody else took it away, who had the say of its settings; or the anchors went since, and undo does no harm.
  if (isAnchored && !wasDeleted)
    return ['done', 'it was cut off, and the branch is gone without a trace of who deleted it'];
  const stay = (await removeSections(acting, entry, [{ saved, ref }])).get(ref);
  return ['done', `ended after it was cut off${stay === undefined ? '' : `; its settings stay: ${stay}`}`];
}

async function putBack(acting: Acting, { entry, saved, ref, tips }: Cut): Promise<Restored | null> {
  const permit: RestorePermit | null = permitRestore(
    saved.tip,
    { ref, there: tipOf(tips, ref), used: known(true) },
    true,
  );
  if (permit === null) return null;
  const back = (await restoreBranches(acting, entry, [{ permit, saved, ref }])).get(ref);
  return back === undefined || back.kind === 'failed' || back.kind === 'unclear' ? null : back;
}
