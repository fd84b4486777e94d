/** Ends what was begun with a worktree and cut off: a retirement is taken back, a return goes on where the tree is back. */
import { absent } from '../../judge/facts/fact.ts';
import { parseAbsPath, parseRefName } from '../../judge/facts/names.ts';
import { permitReturn } from '../../judge/permit.ts';
import { type ActEnd, detailOf } from '../../state/acts.ts';
import { entryOf } from '../../state/ids.ts';
import type { JournalEntry } from '../../state/journal.ts';
import { readKeptWorktree } from '../../state/trash/worktree-record.ts';
import { toNative } from '../../system/bytes.ts';
import { entryId } from '../../system/file-id.ts';
import { sayFault } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { discard } from '../purging.ts';
import { hasLock, lockText } from './git-lock.ts';
import { homeOf, placesOf, whereIs } from './places.ts';
import { putBack } from './put-back.ts';
import { type HeadChoice, returnWorktree } from './return.ts';
import { Stop } from './stop.ts';

/** @returns how it ended; null: it cannot be told now, so that it stays as it is. */
export async function endOfWorktree(
  acting: Acting,
  id: string,
  began: JournalEntry,
): Promise<readonly [step: ActEnd, why: string] | null> {
  const [admin, path] = [detailOf(began, 'admin'), parseAbsPath(detailOf(began, 'path') ?? '')];
  if (admin === null || path === null) return null;
  if (began.verb === 'undo') return endOfReturn(acting, began, { admin, path });
  const back = await putBack(acting, { id, entry: entryOf(id), admin, path, notes: detailOf(began, 'notes') });
  if (back.kind === 'back') return ['kept', 'it was cut off, and is as it was'];
  return back.kind === 'blocked' ? ['blocked', back.text] : null;
}

type Berth = Pick<Parameters<typeof permitReturn>[1], 'path' | 'admin'>;

async function endOfReturn(
  acting: Acting,
  began: JournalEntry,
  { admin, path }: Berth,
): Promise<readonly [step: ActEnd, why: string] | null> {
  const of = detailOf(began, 'of');
  if (of === null) return null;
  const entry = entryOf(of);
  const record = readKeptWorktree(toNative(`${acting.commonDir}/coppice/trash/${entry}`), acting.folder.account);
  if (record.kind !== 'known')
    return record.kind === 'absent' ? ['kept', 'nothing of it is in the trash any more'] : null;
  const kept = record.value;
  const places = placesOf(acting.commonDir, entry, kept);
  const permit = permitReturn(entry, { path, there: absent, admin, namesake: absent });
  if (permit === null) return null;
  try {
    if (whereIs(kept, places, path) === 'home') {
      // Without the original there is nothing that could be missing at home.
      if (entryId(places.admin) !== null)
        await returnWorktree(acting, { permit, kept, places, head: headOf(began), isRollback: true });
      return ['done', 'ended after it was cut off'];
    }
    const home = homeOf(acting.commonDir, admin);
    if (hasLock(home, lockText(of))) discard(permit, acting, home);
    discard(permit, acting, places.copy);
    return ['kept', 'it was cut off before it was back'];
  } catch (fault) {
    if (!(fault instanceof Stop)) sayFault(fault);
    return null;
  }
}

function headOf(began: JournalEntry): HeadChoice {
  const head = detailOf(began, 'head');
  return head === 'detached' ? head : (parseRefName(head ?? '') ?? 'same');
}
