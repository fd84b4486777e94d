/** Brings back what a sweep took away, one thing or a whole run. */
import { readTips, tipOf, type Tips, usedBranches } from '../git/read/named.ts';
import { readReflogBytes } from '../git/read/reflogs.ts';
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
import { appendSteps, beginAct, type Recording } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { readJournal } from '../state/read-journal.ts';
import type { SavedBranch } from '../state/trash/record.ts';
import { listTrash, readPiece, readSaved, type TrashEntry } from '../state/trash/store.ts';
import type { Acting, ActWorld } from './acting.ts';
import { type Return, restoreBranches } from './branches/restore.ts';
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
    const view = await viewOf(acting, undoneIn(acts));
    const undone: Undone[] = [];
    const prepared: Prepared[] = [];
    for (const id of ids) {
      const act = acts.get(id) as PastAct;
      try {
        prepared.push(prepare(acting, { id, act }, as, view));
      } catch (fault) {
        if (isOne || !(fault instanceof UserError)) throw fault;
        const text = fault.hint === null ? fault.message : `${fault.message}; ${fault.hint}`;
        undone.push({ ...aboutOf(id, act), outcome: { status: 'kept', text, undo: null } });
      }
    }
    return [...undone, ...(await bringBack(acting, prepared, isOne))];
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

function aboutOf(id: string, { began }: PastAct): Omit<Undone, 'outcome'> {
  const ref = parseRefName(detailOf(began, 'ref') ?? '');
  if (ref === null) throw new UserError('not-undoable', `${id} is nothing that can be undone here`);
  return { id, run: detailOf(began, 'run') ?? '', ref };
}

/** What is there, read once for all. */
interface View {
  readonly undone: ReadonlySet<string>;
  readonly tips: Fact<Tips>;
  readonly used: Fact<ReadonlySet<RefName>>;
  readonly trash: Fact<readonly TrashEntry[]>;
  saved(entry: TrashEntry): Fact<readonly SavedBranch[]>;
}

async function viewOf({ git, commonDir, folder }: Acting, undone: ReadonlySet<string>): Promise<View> {
  const read = new Map<string, Fact<readonly SavedBranch[]>>();
  return {
    undone,
    tips: await readTips(git, 'refs/heads'),
    used: usedBranches(commonDir),
    trash: listTrash({ commonDir, account: folder.account }),
    saved(entry) {
      const { run, head } = entry;
      const saved = read.get(run) ?? (head.kind === 'known' ? readSaved(entry, folder.account) : head);
      read.set(run, saved);
      return saved;
    },
  };
}

interface Entered {
  readonly entry: TrashEntry;
}

interface Prepared extends Return, Entered {
  readonly about: Omit<Undone, 'outcome'>;
}

/** Everything that could speak against it, before anything is changed. */
function prepare(acting: Acting, { id, act }: Chosen, as: RefName | null, view: View): Prepared {
  const about = aboutOf(id, act);
  if (view.undone.has(id)) throw new UserError('already-undone', `${id} was undone already`);
  if (act.end !== 'done') throw new UserError('not-undoable', `nothing was changed by ${id}: ${act.why}`);
  const { entry, saved } = findSaved(view, act, about);
  const ref = as ?? saved.ref;
  if (as === null) requireOriginal(acting, act, about);
  const { used } = view;
  const vacancy = {
    ref,
    there: tipOf(view.tips, ref),
    used: used.kind === 'known' ? known(used.value.has(ref)) : used,
  };
  const isBegun = vacancy.there.kind === 'known' && isUnchanged(acting, { entry, saved, ref });
  const permit = permitRestore(saved.tip, vacancy, isBegun);
  if (permit === null) {
    throw new UserError('name-taken', `${branchName(ref)} ${whyTaken(vacancy)}`, { hint: otherName(id, ref) });
  }
  return { about, entry, saved, ref, permit };
}

/** True when an undo or a git that was cut off left it: without a reflog, or with that which was put aside. */
function isUnchanged({ commonDir, folder }: Acting, { entry, saved, ref }: Omit<Return, 'permit'> & Entered): boolean {
  if (saved.reflog === null) return false;
  const now = readReflogBytes(commonDir, ref);
  if (now.kind !== 'known') return now.kind === 'absent';
  const then = readPiece(entry, 'reflogs', saved.reflog, folder.account);
  return then.kind === 'known' && now.value.subarray(0, then.value.length).equals(then.value);
}

/** All of them are of one run. */
async function bringBack(acting: Acting, prepared: readonly Prepared[], isOne: boolean): Promise<readonly Undone[]> {
  const [first] = prepared;
  if (first === undefined) return [];
  const { folder, commonDir, world } = acting;
  const records = prepared.map(({ about, ref, saved }) =>
    beginAct(folder, commonDir, world, branchName(ref), {
      verb: 'undo',
      subject: branchName(ref),
      why: `undo of ${about.id}`,
      detail: { of: about.id, run: about.run, ref, tip: saved.tip },
    }),
  );
  const record = (step: (one: Prepared) => readonly [step: string, why?: string]) =>
    appendSteps(
      folder,
      prepared.map((one, at) => (records[at] as Recording).entry(...step(one))),
    );
  record(() => ['intent']);
  const backs = await restoreBranches(acting, first.entry, prepared);
  const backOf = ({ ref }: Prepared) => backs.get(ref) ?? { kind: 'failed', text: '' };
  record((one) => {
    const { kind, text } = backOf(one);
    // What is not whole can be asked for again.
    return kind === 'whole' ? ['done'] : ['failed', text];
  });
  return prepared.map((one) => {
    const { kind, text } = backOf(one);
    const { about, ref } = one;
    if (kind === 'failed' && isOne) {
      const hint = otherName(about.id, ref);
      throw new UserError('not-restored', `${branchName(ref)} is not back: ${text}`, { hint });
    }
    if (kind === 'failed')
      return { ...about, ref, outcome: { status: 'failed', text: `not back: ${text}`, undo: null } };
    const status = kind === 'whole' ? 'done' : 'failed';
    return { ...about, ref, outcome: { status, text: kind === 'whole' ? 'as it was' : text, undo: null } };
  });
}

function findSaved(
  view: View,
  { began }: PastAct,
  { id, run, ref }: Omit<Undone, 'outcome'>,
): { readonly entry: TrashEntry; readonly saved: SavedBranch } {
  const { trash } = view;
  if (trash.kind !== 'known') {
    throw new UserError('trash-unreadable', trash.kind === 'unknown' ? trash.reason : 'there is no trash');
  }
  const entry = trash.value.find((one) => one.run === run);
  if (entry === undefined) {
    const name = quoted(branchName(ref));
    const command = `git branch ${name} ${detailOf(began, 'tip')}`;
    const hint = name === null ? {} : { hint: `while its commit is here, the branch can be made again: ${command}` };
    throw new UserError('purged', `what ${id} put aside was deleted for good since`, hint);
  }
  const all = view.saved(entry);
  const saved = all.kind === 'known' ? all.value.find((one) => one.id === id) : undefined;
  if (saved !== undefined) return { entry, saved };
  const why = all.kind === 'unknown' ? `: ${all.reason}` : '';
  throw new UserError('trash-unreadable', `what ${id} put aside cannot be read${why}`);
}

/** In a copy of the repository the branch may well be somebody's: it comes back under a name that is asked for only. */
function requireOriginal({ commonDir }: Acting, { began }: PastAct, { id, ref }: Omit<Undone, 'outcome'>): void {
  if (isSameDir(began.commonDir, commonDirId(commonDir))) return;
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
