/** What a worktree that comes back is to have checked out, made again where it is gone. */
import { tipOf } from '../../git/read/named.ts';
import { create, transact } from '../../git/write.ts';
import { branchName, type Oid, type RefName } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { permitRestore, type RestorePermit } from '../../judge/permit.ts';
import { detailOf, hasPutAside, type PastAct } from '../../state/acts.ts';
import { beginAct } from '../../state/journal.ts';
import { readSaved, type TrashEntry } from '../../state/trash/store.ts';
import type { Acting } from '../acting.ts';
import { type Restored, restoreBranches } from '../branches/restore.ts';
import {
  aboutBranch,
  bringBranches,
  type PreparedBranch,
  prepareBranch,
  savedReader,
  undoneBranch,
  vacancyOf,
  type View,
} from '../branches/undo.ts';
import type { Chosen } from '../undo-choice.ts';
import type { Undone } from '../undone.ts';
import { Stop } from './stop.ts';

/** What was put aside with the worktree. */
export interface KeptHead {
  readonly entry: TrashEntry;
  /** Its commit. */
  readonly head: Oid;
  /** The branch that it had; null: none. */
  readonly own: RefName | null;
}

interface Past {
  readonly view: View;
  readonly acts: ReadonlyMap<string, PastAct>;
}

/** @returns the deletions of the branch that are taken back with it. @throws Stop */
export async function bringBranch(
  acting: Acting,
  kept: KeptHead,
  wanted: RefName | 'detached' | null,
  { view, acts }: Past,
): Promise<readonly Undone[]> {
  if (wanted === null || wanted === 'detached' || tipOf(view.tips, wanted).kind === 'known') return [];
  const permit = permitRestore(kept.head, vacancyOf(view, wanted), false);
  if (permit === null) throw new Stop('failed', `${branchName(wanted)} cannot be made`);
  if (wanted !== kept.own) {
    const made = await transact([permit], acting.git, [create(wanted, kept.head)], () => 'commit');
    if (made.kind !== 'committed')
      throw new Stop('failed', `${branchName(wanted)} cannot be made${'why' in made ? `: ${made.why}` : ''}`);
    return [];
  }
  const deletion = deletionOf(acts, view, wanted, kept.head);
  if (deletion === null) {
    await fromOwnRecord(acting, kept, wanted, permit);
    return [];
  }
  const prepared = preparedOr(() =>
    prepareBranch(acting, deletion, { view, as: null, saved: savedReader(acting.folder.account) }),
  );
  const undone = prepared === null ? [] : await bringBranches(acting, [prepared], false);
  if (undone.some(({ outcome }) => !outcome.text.startsWith('not back'))) return undone;
  return [await insteadOf(deletion, acting, () => fromOwnRecord(acting, kept, wanted, permit))];
}

/** Null: what was put aside of it then is gone, or another repository's; there is a record of its own beside the worktree. */
function preparedOr(prepare: () => PreparedBranch): PreparedBranch | null {
  try {
    return prepare();
  } catch (fault) {
    if (fault instanceof UserError) return null;
    throw fault;
  }
}

/** What coppice itself took away of it since. */
function deletionOf(acts: ReadonlyMap<string, PastAct>, { undone }: View, ref: RefName, tip: Oid): Chosen | null {
  const found = [...acts].findLast(
    ([id, act]) =>
      hasPutAside(act) && !undone.has(id) && detailOf(act.began, 'ref') === ref && detailOf(act.began, 'tip') === tip,
  );
  return found === undefined ? null : { id: found[0], act: found[1] };
}

/** That the branch is back takes its deletion back, whatever it was made from. @throws Stop */
async function insteadOf(deletion: Chosen, acting: Acting, make: () => Promise<Restored>): Promise<Undone> {
  const about = aboutBranch(deletion);
  const name = branchName(about.ref);
  const tip = detailOf(deletion.act.began, 'tip');
  const recording = beginAct(acting.folder, acting.commonDir, acting.world, name, {
    verb: 'undo',
    subject: name,
    why: `undo of ${about.id}`,
    detail: { of: about.id, run: about.run, ref: about.ref, tip },
  });
  recording.step('intent');
  try {
    const { kind, text } = await make();
    recording.step('done');
    return undoneBranch(about, {
      status: kind === 'whole' ? 'done' : 'failed',
      text: kind === 'whole' ? 'as it was' : text,
      undo: null,
    });
  } catch (fault) {
    if (fault instanceof Stop) recording.step('failed', fault.message);
    throw fault;
  }
}

/** @throws Stop */
async function fromOwnRecord(
  acting: Acting,
  { entry }: KeptHead,
  ref: RefName,
  permit: RestorePermit,
): Promise<Restored> {
  const all = readSaved(entry, acting.folder.account);
  const saved = all.kind === 'known' ? all.value.find((one) => one.ref === ref) : undefined;
  if (saved === undefined) throw new Stop('failed', `what was put aside of ${branchName(ref)} cannot be read`);
  const back = (await restoreBranches(acting, entry, [{ permit, saved, ref }])).get(ref);
  if (back === undefined || back.kind === 'failed' || back.kind === 'unclear')
    throw new Stop('failed', `${branchName(ref)} cannot be made again: ${back?.text ?? ''}`);
  return back;
}
