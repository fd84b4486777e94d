/** Brings back branches that were deleted: each is asked for itself, those of one run come back together. */
import { tipOf, type Tips } from '../../git/read/named.ts';
import { type Fact, known } from '../../judge/facts/fact.ts';
import { branchName, parseRefName, type RefName } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { quoted } from '../../judge/holds/worktree/hold.ts';
import { permitRestore } from '../../judge/permit.ts';
import { detailOf, type PastAct } from '../../state/acts.ts';
import { appendSteps, beginAct, type Recording } from '../../state/journal.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { readSaved, type TrashEntry } from '../../state/trash/store.ts';
import { fileId, isSameFile } from '../../system/file-id.ts';
import type { Acting } from '../acting.ts';
import type { Chosen } from '../undo-choice.ts';
import { entryNamed, requireOpen, type Undone } from '../undone.ts';
import { type Return, restoreBranches } from './restore.ts';
import { isAsPutAside } from './unchanged.ts';

/** What is there, read once for all. */
export interface View {
  readonly undone: ReadonlySet<string>;
  readonly tips: Fact<Tips>;
  readonly used: Fact<ReadonlySet<RefName>>;
  readonly trash: Fact<readonly TrashEntry[]>;
}

/** What was put aside, each entry read once. */
export function savedReader(account: number): (entry: TrashEntry) => Fact<readonly SavedBranch[]> {
  const read = new Map<string, Fact<readonly SavedBranch[]>>();
  return (entry) => {
    const { run, head } = entry;
    const saved = read.get(run) ?? (head.kind === 'known' ? readSaved(entry, account) : head);
    read.set(run, saved);
    return saved;
  };
}

type About = Pick<Undone, 'id' | 'run'> & { readonly ref: RefName };

export interface PreparedBranch extends Return {
  readonly about: About;
  readonly entry: TrashEntry;
}

/** As it stands on record, for one of which nothing else can be told. */
export function aboutBranch({ id, act: { began } }: Chosen): About {
  const ref = parseRefName(detailOf(began, 'ref') ?? '');
  if (ref === null) throw new UserError('not-undoable', `${id} is nothing that can be undone here`);
  return { id, run: detailOf(began, 'run') ?? '', ref };
}

export interface BranchQuestion {
  readonly view: View;
  /** Another name for it; null: the one that it had. */
  readonly as: RefName | null;
  saved(entry: TrashEntry): Fact<readonly SavedBranch[]>;
}

/**
 * Everything that could speak against it, before anything is changed.
 * @throws UserError `already-undone`, `not-undoable`, `purged`, `trash-unreadable`, `copied-repository`, `name-taken`
 */
export function prepareBranch(
  acting: Acting,
  chosen: Chosen,
  { view, as, saved: read }: BranchQuestion,
): PreparedBranch {
  const about = aboutBranch(chosen);
  const { id, act } = chosen;
  requireOpen(id, act, view.undone);
  const { entry, saved } = findSaved(view, act, about, read);
  const ref = as ?? saved.ref;
  if (as === null) requireOriginal(acting, act, about);
  const vacancy = vacancyOf(view, ref);
  // Without a reflog of its own, one that an undo made cannot be told from another.
  const isBegun =
    vacancy.there.kind === 'known' && saved.reflog !== null && isAsPutAside(acting, { entry, saved, ref });
  const permit = permitRestore(saved.tip, vacancy, isBegun);
  if (permit === null) {
    throw new UserError('name-taken', `${branchName(ref)} ${whyTaken(vacancy)}`, { hint: otherName(id, ref) });
  }
  return { about, entry, saved, ref, permit };
}

/** A name as it is now. */
export function vacancyOf({ tips, used }: Pick<View, 'tips' | 'used'>, ref: RefName) {
  return { ref, there: tipOf(tips, ref), used: used.kind === 'known' ? known(used.value.has(ref)) : used };
}

/** All of them are of one entry. @param isOne one alone was asked for, so that its failure is the answer. */
export async function bringBranches(
  acting: Acting,
  prepared: readonly PreparedBranch[],
  isOne: boolean,
): Promise<readonly Undone[]> {
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
  /** Null: it is not on record. */
  const record = (step: (one: PreparedBranch) => readonly [step: string, why?: string] | null) =>
    appendSteps(
      folder,
      prepared.flatMap((one, at) => {
        const words = step(one);
        return words === null ? [] : (records[at] as Recording).entry(...words);
      }),
    );
  record(() => ['intent']);
  const backs = await restoreBranches(acting, first.entry, prepared);
  const backOf = ({ ref }: PreparedBranch) => backs.get(ref) ?? { kind: 'failed', text: '', isOpen: false };
  // What is not whole, and may be, is not ended: who acts next goes on with it.
  record((one) => {
    const { kind, text, isOpen } = backOf(one);
    if (isOpen) return null;
    return kind === 'failed' ? ['failed', text] : ['done'];
  });
  return prepared.map((one) => {
    const { kind, text } = backOf(one);
    const { about, ref } = one;
    if (kind === 'unclear') return undoneBranch({ ...about, ref }, { status: 'failed', text, undo: null });
    if (kind === 'failed' && isOne) {
      const hint = otherName(about.id, ref);
      throw new UserError('not-restored', `${branchName(ref)} is not back: ${text}`, { hint });
    }
    if (kind === 'failed')
      return undoneBranch({ ...about, ref }, { status: 'failed', text: `not back: ${text}`, undo: null });
    const status = kind === 'whole' ? 'done' : 'failed';
    return undoneBranch({ ...about, ref }, { status, text: kind === 'whole' ? 'as it was' : text, undo: null });
  });
}

export function undoneBranch({ id, run, ref }: About, outcome: Undone['outcome']): Undone {
  return { id, run, kind: 'branch', name: branchName(ref), path: null, outcome };
}

function findSaved(
  { trash }: View,
  { began }: PastAct,
  { id, run, ref }: About,
  read: BranchQuestion['saved'],
): { readonly entry: TrashEntry; readonly saved: SavedBranch } {
  const entry = entryNamed(trash, run);
  if (entry === null) {
    const name = quoted(branchName(ref));
    const command = `git branch ${name} ${detailOf(began, 'tip')}`;
    const hint = name === null ? {} : { hint: `while its commit is here, the branch can be made again: ${command}` };
    throw new UserError('purged', `what ${id} put aside was deleted for good since`, hint);
  }
  const all = read(entry);
  const saved = all.kind === 'known' ? all.value.find((one) => one.id === id) : undefined;
  if (saved !== undefined) return { entry, saved };
  const why = all.kind === 'unknown' ? `: ${all.reason}` : '';
  throw new UserError('trash-unreadable', `what ${id} put aside cannot be read${why}`);
}

/** In a copy of the repository the branch may well be somebody's: it comes back under a name that is asked for only. */
function requireOriginal({ commonDir }: Acting, { began }: PastAct, { id, ref }: About): void {
  if (isSameFile(began.commonDir, fileId(commonDir))) return;
  throw new UserError('copied-repository', `${id} was done in another repository, of which this is a copy`, {
    hint: otherName(id, ref),
  });
}

function whyTaken({ there, used }: ReturnType<typeof vacancyOf>): string {
  if (there.kind === 'known') return 'is there already';
  if (there.kind === 'unknown') return `may be there: ${there.reason}`;
  return used.kind === 'unknown' ? `may be in use: ${used.reason}` : 'is checked out in a worktree';
}

function otherName(id: string, ref: RefName): string {
  return `under another name: coppice undo ${id} --as ${quoted(`${branchName(ref)}-2`) ?? 'NAME'}`;
}
