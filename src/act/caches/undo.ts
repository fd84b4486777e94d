/** Brings back what tools make again: to its worktree, or to another place. */
import { mkdirSync } from 'node:fs';
import { posix } from 'node:path';
import { absent, type Fact, known } from '../../judge/facts/fact.ts';
import { type AbsPath, parseAbsPath } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { permitRefill, type RefillPermit } from '../../judge/permit.ts';
import { type ActEnd, detailOf } from '../../state/acts.ts';
import { entryOf } from '../../state/ids.ts';
import { beginAct, type JournalEntry } from '../../state/journal.ts';
import { type KeptCache, readKeptCache } from '../../state/trash/cache-record.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { entryId, fileId, isSameFile } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import type { View } from '../branches/undo.ts';
import type { Chosen } from '../undo-choice.ts';
import { entryNamed, requireOpen, type Undone } from '../undone.ts';
import { berthFor } from '../worktrees/berth.ts';
import { moveFolder, PlaceTaken } from '../worktrees/move.ts';
import { toAnotherPlace } from '../worktrees/undo-words.ts';
import { entryFolder, type Slot, slotsOf, whatIsAt } from './places.ts';

export interface CacheQuestion {
  /** Another folder for them, absolute, as a byte string; null: their worktree. */
  readonly to: string | null;
  readonly view: View;
  /** True: they alone were asked for, so that their failure is the answer. */
  readonly isOne: boolean;
}

/** As it stands on record. */
export function aboutCache({ id, act: { began } }: Chosen): Omit<Undone, 'outcome'> {
  const path = parseAbsPath(detailOf(began, 'path') ?? '');
  return { id, run: detailOf(began, 'run') ?? '', kind: 'cache', name: detailOf(began, 'cache') ?? '', path };
}

/**
 * @throws UserError `already-undone`, `not-undoable`, `purged`, `trash-unreadable`, `copied-repository`, `path-taken`,
 *   `not-restored`
 */
export function undoCache(acting: Acting, chosen: Chosen, { to, view, isOne }: CacheQuestion): Undone {
  requireOpen(chosen.id, chosen.act, view.undone);
  const kept = findKept(acting, chosen, view);
  const place = placeOf(acting, chosen, kept, to);
  const waiting = waitingIn(acting, chosen, kept, place);
  const there = thereNow(waiting, place);
  const taken = there.flatMap((one) => (one.kind === 'known' ? [one.value] : []));
  const permit = permitRefill(entryOf(chosen.id), place, there);
  if (permit === null)
    throw new UserError('path-taken', `something is at ${taken.join(', ')}`, { hint: elsewhere(chosen.id, kept.path) });
  const { folder, commonDir, world } = acting;
  const about = { ...aboutCache(chosen), path: place };
  const recording = beginAct(folder, commonDir, world, kept.admin, {
    verb: 'undo',
    subject: place,
    why: `undo of ${chosen.id}`,
    detail: { of: chosen.id, run: about.run, cache: kept.admin, path: place },
  });
  recording.step('intent');
  try {
    bring(permit, waiting);
    recording.step('done');
    return { ...about, outcome: { status: 'done', text: 'as it was', undo: null } };
  } catch (fault) {
    const text = fault instanceof PlaceTaken ? `something has just come to ${fault.message}` : sayFault(fault);
    // What is back stays so, and the rest waits as before.
    recording.step('failed', text);
    if (isOne)
      throw new UserError('not-restored', `not all of it is back in ${place}: ${text}`, {
        hint: elsewhere(chosen.id, kept.path),
      });
    return { ...about, outcome: { status: 'failed', text: `not back: ${text}`, undo: null } };
  }
}

/** Ends an undo that was cut off. */
export function endOfRefill(acting: Acting, began: JournalEntry): readonly [step: ActEnd, why: string] | null {
  const [of, place] = [detailOf(began, 'of'), parseAbsPath(detailOf(began, 'path') ?? '')];
  if (of === null || place === null) return null;
  const own = entryFolder(acting.commonDir, entryOf(of));
  const record = readKeptCache(toNative(own), acting.folder.account);
  if (record.kind === 'unknown') return null;
  if (record.kind === 'absent') return ['kept', 'nothing of it is in the trash any more'];
  const waiting = inTrash(record.value, own);
  const permit = permitRefill(entryOf(of), place, thereNow(waiting, place));
  // What is back stays so, and the rest waits as before.
  if (permit === null) return ['failed', `something else is in ${place} by now`];
  try {
    bring(permit, waiting);
    return ['done', 'ended after it was cut off'];
  } catch (fault) {
    if (fault instanceof PlaceTaken) return ['failed', `something is at ${fault.message}`];
    sayFault(fault);
    return null;
  }
}

function thereNow(waiting: readonly Slot[], place: AbsPath): Fact<string>[] {
  return waiting.map((slot) => {
    const taken = whatIsAt(place, slot);
    return taken === null ? absent : known(taken);
  });
}

function bring({ path }: RefillPermit, waiting: readonly Slot[]): void {
  for (const { folder, slot } of waiting) {
    const home = `${path}/${folder.path}`;
    mkdirSync(nativePath(posix.dirname(home)), { recursive: true });
    moveFolder(slot, home);
  }
}

function inTrash(kept: KeptCache, own: string): readonly Slot[] {
  return slotsOf(kept, own).filter(({ slot }) => entryId(slot) !== null);
}

function findKept({ folder }: Acting, { id }: Chosen, { trash }: View): KeptCache {
  const entry = entryNamed(trash, entryOf(id));
  if (entry === null || entry.isGoing)
    throw new UserError('purged', `what ${id} put aside was deleted for good since`, {
      hint: 'the tool that made it makes it again',
    });
  const kept = readKeptCache(entry.path, folder.account);
  if (kept.kind === 'known') return kept.value;
  const why = kept.kind === 'unknown' ? `: ${kept.reason}` : '';
  throw new UserError('trash-unreadable', `what ${id} put aside cannot be read${why}`);
}

/** In a copy of the repository the old place is the original's. */
function placeOf(acting: Acting, { id, act }: Chosen, kept: KeptCache, to: string | null): AbsPath {
  const isCopy = !isSameFile(act.began.commonDir, fileId(acting.commonDir));
  const hint = { hint: elsewhere(id, kept.path) };
  if (isCopy && (to === null || kept.elsewhere !== null)) {
    const text = `${id} was done in another repository, of which this is a copy`;
    throw new UserError('copied-repository', text, kept.elsewhere === null ? hint : {});
  }
  if (to !== null) {
    const berth = berthFor(acting.commonDir, to);
    if (berth === null || entryId(berth) !== null)
      throw new UserError('path-taken', `something is at ${to}, or it is a place of git's own`, hint);
    return berth;
  }
  if (isSameFile(kept.folder, entryId(kept.path))) return kept.path;
  throw new UserError('not-restored', `the worktree that was at ${kept.path} is not there any more`, hint);
}

/** @throws UserError `trash-unreadable` where one is neither in the trash nor where it was */
function waitingIn({ commonDir }: Acting, { id }: Chosen, kept: KeptCache, place: AbsPath): readonly Slot[] {
  const slots = slotsOf(kept, entryFolder(commonDir, entryOf(id)));
  for (const { folder, slot } of slots) {
    const isHome = [place, kept.path].some((top) => isSameFile(folder.id, entryId(`${top}/${folder.path}`)));
    if (entryId(slot) === null && !isHome)
      throw new UserError('trash-unreadable', `${slot}, which ${id} put aside, is not there any more`);
  }
  return inTrash(kept, entryFolder(commonDir, entryOf(id)));
}

function elsewhere(id: string, path: AbsPath): string {
  return `to another place: ${toAnotherPlace(id, path)}`;
}
