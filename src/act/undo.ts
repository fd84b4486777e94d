/** Brings back what a sweep took away, one thing or a whole run. */
import { readTips, tipOf, usedBranches } from '../git/read/named.ts';
import { readPlace } from '../git/read/repository.ts';
import { gitFor, runGit } from '../git/run.ts';
import { type Fact, known } from '../judge/facts/fact.ts';
import { branchName, parseRefName, type RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { quoted } from '../judge/holds/worktree/hold.ts';
import type { Outcome } from '../judge/outcome.ts';
import { permitRestore } from '../judge/permit.ts';
import { actsOf, detailOf, type PastAct, undoneIn } from '../state/acts.ts';
import { commonDirId, isSameDir } from '../state/common-dir-id.ts';
import { beginAct } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { readJournal } from '../state/read-journal.ts';
import type { SavedBranch } from '../state/trash/record.ts';
import { listTrash, readSaved, type TrashEntry } from '../state/trash/store.ts';
import type { Acting, ActWorld } from './acting.ts';
import { restoreBranch } from './branches/restore.ts';
import { recover } from './recover.ts';
import { type Chosen, type UndoTarget, chooseActs } from './undo-choice.ts';

export interface UndoRequest {
  readonly directory: string;
  readonly target: UndoTarget;
  /** Another name for the branch, as a byte string; null: the one that it had. */
  readonly as: string | null;
}

/** One thing that was to come back. */
export interface Undone {
  readonly id: string;
  readonly run: string;
  readonly ref: RefName;
  readonly outcome: Outcome;
}

/**
 * @throws UserError of one thing alone: `no-such-id`, `nothing-to-undo`, `already-undone`, `not-undoable`, `purged`,
 *   `name-taken`, `copied-repository`, `not-restored`; of all: `bad-value`, `journal-unreadable`, and those of the lock
 */
export async function undo(world: ActWorld, request: UndoRequest): Promise<readonly Undone[]> {
  const git = gitFor(request.directory, world.env);
  const { commonDir } = await readPlace(git);
  const as = request.as === null ? null : await refNamed(git, request.as);
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git };
    await recover(acting);
    const place = { commonDir, account: folder.account };
    const journal = readJournal(place);
    if (journal.kind === 'unknown') throw new UserError('journal-unreadable', journal.reason);
    const acts = actsOf(journal.kind === 'known' ? journal.value.entries : []);
    const { ids, isOne } = chooseActs(acts, request.target);
    if (as !== null && ids.length !== 1)
      throw new UserError('bad-value', '--as names one branch, and this is about several');
    const trash = listTrash(place);
    const undone: Undone[] = [];
    for (const id of ids) {
      const act = acts.get(id) as PastAct;
      const task = { id, act, as, trash, isUndone: undoneIn(acts).has(id) };
      try {
        undone.push(await undoOne(acting, task));
      } catch (fault) {
        if (isOne || !(fault instanceof UserError) || fault.code === 'journal-failed') throw fault;
        const text = fault.hint === null ? fault.message : `${fault.message}; ${fault.hint}`;
        undone.push({ ...aboutOf(id, act), outcome: { status: 'kept', text, undo: null } });
      }
    }
    return undone;
  });
}

async function refNamed(git: Acting['git'], name: string): Promise<RefName> {
  const ref = parseRefName(`refs/heads/${name}`);
  const result =
    ref === null
      ? null
      : await runGit(git, ['check-ref-format', '--branch', Buffer.from(name, 'latin1').toString('utf8')]);
  if (ref === null || result?.code !== 0)
    throw new UserError('bad-value', `--as: ${name} is no name of a branch`, { exit: 64 });
  return ref;
}

interface Task extends Chosen {
  readonly as: RefName | null;
  readonly trash: Fact<readonly TrashEntry[]>;
  readonly isUndone: boolean;
}

function aboutOf(id: string, { began }: PastAct): Omit<Undone, 'outcome'> {
  const ref = parseRefName(detailOf(began, 'ref') ?? '');
  if (ref === null) throw new UserError('not-undoable', `${id} is nothing that can be undone here`);
  return { id, run: detailOf(began, 'run') ?? '', ref };
}

async function undoOne(acting: Acting, task: Task): Promise<Undone> {
  const { folder, commonDir, git, world } = acting;
  const { id, act } = task;
  const about = aboutOf(id, act);
  if (task.isUndone) throw new UserError('already-undone', `${id} was undone already`);
  if (act.end !== 'done') throw new UserError('not-undoable', `nothing was changed by ${id}: ${act.why}`);
  const found = findSaved(acting, task, about);
  const ref = task.as ?? found.saved.ref;
  requireOriginal(acting, task, found.saved);
  const used = usedBranches(commonDir);
  const vacancy = {
    ref,
    there: tipOf(await readTips(git, 'refs/heads'), ref),
    used: used.kind === 'known' ? known(used.value.has(ref)) : used,
  };
  const permit = permitRestore(found.saved.tip, vacancy, false);
  if (permit === null) {
    throw new UserError('name-taken', `${branchName(ref)} ${whyTaken(vacancy)}`, { hint: otherName(id, ref) });
  }
  const recording = beginAct(folder, commonDir, world, branchName(ref), {
    verb: 'undo',
    subject: branchName(ref),
    why: `undo of ${id}`,
    detail: { of: id, run: about.run, ref, tip: found.saved.tip },
  });
  recording.step('intent');
  const back = await restoreBranch([permit], acting, found.entry, found.saved, ref);
  if (back.kind === 'failed') {
    recording.step('failed', back.text);
    throw new UserError('not-restored', `${branchName(ref)} is not back: ${back.text}`, { hint: otherName(id, ref) });
  }
  recording.step('done');
  const text = back.kind === 'whole' ? 'as it was' : back.text;
  return { ...about, ref, outcome: { status: back.kind === 'whole' ? 'done' : 'failed', text, undo: null } };
}

function findSaved(
  { folder }: Acting,
  { id, trash, act }: Task,
  { run, ref }: Omit<Undone, 'outcome'>,
): { readonly entry: TrashEntry; readonly saved: SavedBranch } {
  if (trash.kind !== 'known') {
    throw new UserError('trash-unreadable', trash.kind === 'unknown' ? trash.reason : 'there is no trash');
  }
  const entry = trash.value.find((one) => one.run === run);
  const tip = detailOf(act.began, 'tip');
  if (entry === undefined) {
    const name = quoted(branchName(ref));
    const hint =
      name === null
        ? {}
        : { hint: `while its commit is here, the branch can be made again: git branch ${name} ${tip}` };
    throw new UserError('purged', `what ${id} put aside was deleted for good since`, hint);
  }
  const all = entry.head.kind === 'known' ? readSaved(entry, folder.account) : entry.head;
  const saved = all.kind === 'known' ? all.value.find((one) => one.id === id) : undefined;
  if (saved !== undefined) return { entry, saved };
  throw new UserError(
    'trash-unreadable',
    `what ${id} put aside cannot be read${all.kind === 'unknown' ? `: ${all.reason}` : ''}`,
  );
}

/** In a copy of the repository the branch may well be somebody's: it comes back under a name that is asked for only. */
function requireOriginal({ commonDir }: Acting, { id, act, as }: Task, { ref }: SavedBranch): void {
  if (as !== null || isSameDir(act.began.commonDir, commonDirId(commonDir))) return;
  throw new UserError('copied-repository', `${id} was done in another repository, of which this is a copy`, {
    hint: otherName(id, ref),
  });
}

function whyTaken({ there, used }: { readonly there: Fact<unknown>; readonly used: Fact<boolean> }): string {
  if (there.kind === 'known') return 'is there already';
  if (there.kind === 'unknown') return `may be there: ${there.reason}`;
  return used.kind === 'unknown' ? `may be in use: ${used.reason}` : 'is checked out in a worktree';
}

function otherName(id: string, ref: RefName): string {
  return `under another name: coppice undo ${id} --as ${quoted(`${branchName(ref)}-2`) ?? 'NAME'}`;
}
