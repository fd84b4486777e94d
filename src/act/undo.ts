/** Brings back what was taken away, one thing or a whole run. */
import { readTips, usedBranches } from '../git/read/named.ts';
import { readPlace } from '../git/read/repository.ts';
import { type Git, gitFor, runGit } from '../git/run.ts';
import { parseRefName, type RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { detailOf, matterOf, type PastAct, undoneIn } from '../state/acts.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { readJournal } from '../state/read-journal.ts';
import { listTrash } from '../state/trash/store.ts';
import type { Acting, ActWorld } from './acting.ts';
import {
  aboutBranch,
  bringBranches,
  type PreparedBranch,
  prepareBranch,
  savedReader,
  undoneBranch,
  type View,
} from './branches/undo.ts';
import { aboutCache, undoCache } from './caches/undo.ts';
import { pastActs } from './past-acts.ts';
import { recover } from './recover.ts';
import { type Chosen, chooseActs, type UndoTarget } from './undo-choice.ts';
import type { Undone } from './undone.ts';
import { aboutWorktree, undoWorktree, type WorktreeWay } from './worktrees/undo.ts';

export interface UndoRequest {
  readonly directory: string;
  readonly target: UndoTarget;
  /** Another name for the branch, as a byte string; null: the one that it had. */
  readonly as: string | null;
  /** Another place for the worktree, absolute, as a byte string; null: the one that it had. */
  readonly to: string | null;
  /** True: the worktree is to have its commit checked out, and no branch. */
  readonly detach: boolean;
}

/**
 * @throws UserError of one thing alone: `no-such-id`, `nothing-to-undo`, `already-undone`, `not-undoable`, `purged`,
 *   `name-taken`, `path-taken`, `branch-moved`, `branch-in-use`, `copied-repository`, `not-restored`; of all:
 *   `bad-value`, `journal-unreadable`, and those of the lock
 */
export async function undo(world: ActWorld, request: UndoRequest): Promise<readonly Undone[]> {
  const git = gitFor(request.directory, world.env);
  const { commonDir } = await readPlace(git);
  const as = request.as === null ? null : await refNamed(git, request.as);
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git };
    const ended = await recover(acting);
    const journal = readJournal({ commonDir, account: folder.account });
    if (journal.kind === 'unknown') throw new UserError('journal-unreadable', journal.reason);
    const trash = listTrash({ commonDir, account: folder.account });
    const acts = pastActs(
      journal.kind === 'known' ? journal.value : { entries: [] },
      trash.kind === 'known' ? trash.value : [],
      folder.account,
    );
    // An undo that was cut off, or could not do all of it, is the same wish.
    const before = [...ended].flatMap((id) => endedOf(acts, id, request.target));
    const { target } = request;
    const isAnswered = target.kind === 'last' || (target.kind === 'id' && before.some(({ id }) => id === target.id));
    if (isAnswered && before.length > 0) return before;
    const chosenNow = choose(acts, request.target, before.length > 0);
    if (chosenNow === null) return before;
    const { ids, isOne } = chosenNow;
    const chosen = ids.map((id): Chosen => ({ id, act: acts.get(id) as PastAct }));
    const [worktrees, caches, branches] = (['worktree', 'cache', 'branch'] as const).map((matter) =>
      chosen.filter(({ act }) => matterOf(act.began) === matter),
    ) as [Chosen[], Chosen[], Chosen[]];
    const way: WorktreeWay = { to: request.to, head: request.detach ? 'detached' : (as ?? 'same') };
    requireFitting(request, { worktrees: worktrees.length, caches: caches.length, branches: branches.length });
    const view = await viewOf(acting, acts);
    const undone = [...before, ...(await undoBranches(acting, branches, { view, as, isOne }))];
    for (const one of worktrees) {
      // What came back since may be what it has checked out.
      const now = { ...(await viewOf(acting, acts)), undone: view.undone };
      undone.push(...(await caught(isOne, one, () => undoWorktree(acting, one, { way, view: now, acts, isOne }))));
    }
    // To a worktree that came back just now, too.
    for (const one of caches)
      undone.push(...(await caught(isOne, one, async () => [undoCache(acting, one, { to: request.to, view, isOne })])));
    // A branch that did not come back by itself can have come with its worktree.
    return [...new Map(undone.map((one) => [one.id, one])).values()];
  });
}

/** Null: nothing is left to do. */
function choose(
  acts: ReadonlyMap<string, PastAct>,
  target: UndoTarget,
  hasEnded: boolean,
): ReturnType<typeof chooseActs> | null {
  try {
    return chooseActs(acts, target);
  } catch (fault) {
    if (hasEnded && fault instanceof UserError) return null;
    throw fault;
  }
}

/** What came back just now, if it is what is asked for. */
function endedOf(acts: ReadonlyMap<string, PastAct>, id: string, target: UndoTarget): readonly Undone[] {
  const act = acts.get(id);
  if (act === undefined) return [];
  const isMeant =
    target.kind === 'last' ||
    (target.kind === 'id' && [id, detailOf(act.began, 'run')].includes(target.id)) ||
    (target.kind === 'branch' && detailOf(act.began, 'ref') === target.ref);
  const outcome = { status: 'done', text: 'as it was', undo: null } as const;
  return isMeant ? [undoneOf({ id, act }, outcome)] : [];
}

function undoneOf(one: Chosen, outcome: Undone['outcome']): Undone {
  const matter = matterOf(one.act.began);
  if (matter === 'branch') return undoneBranch(aboutBranch(one), outcome);
  return { ...(matter === 'worktree' ? aboutWorktree(one) : aboutCache(one)), outcome };
}

/** @throws UserError `bad-value` */
function requireFitting(
  { as, to, detach }: UndoRequest,
  { worktrees, caches, branches }: Readonly<Record<'worktrees' | 'caches' | 'branches', number>>,
): void {
  const wrong = (text: string) => new UserError('bad-value', text, { exit: 64 });
  if (as !== null && (worktrees + branches !== 1 || caches > 0))
    throw wrong('--as names one branch, and this is about several things');
  if (detach && worktrees !== 1) throw wrong(`--detach is for one worktree, and this is about ${worktrees}`);
  // The branch of a worktree may come with it.
  if (to !== null && worktrees + caches !== 1)
    throw wrong(`--to is for one worktree, or what tools make again in one, and this is about ${worktrees + caches}`);
  if (as !== null && detach) throw wrong('--as and --detach exclude each other');
}

async function refNamed(git: Git, name: string): Promise<RefName> {
  const ref = parseRefName(`refs/heads/${name}`);
  const result =
    ref === null
      ? null
      : await runGit(git, ['check-ref-format', '--branch', Buffer.from(name, 'latin1').toString('utf8')]);
  if (ref === null || result?.code !== 0)
    throw new UserError('bad-value', `--as: ${name} is no name of a branch`, { exit: 64 });
  return ref;
}

async function viewOf({ git, commonDir, folder }: Acting, acts: ReadonlyMap<string, PastAct>): Promise<View> {
  return {
    undone: undoneIn(acts),
    tips: await readTips(git, 'refs/heads'),
    used: usedBranches(commonDir),
    trash: listTrash({ commonDir, account: folder.account }),
  };
}

interface BranchesRequest {
  readonly view: View;
  readonly as: RefName | null;
  readonly isOne: boolean;
}

async function undoBranches(
  acting: Acting,
  chosen: readonly Chosen[],
  { view, as, isOne }: BranchesRequest,
): Promise<readonly Undone[]> {
  const undone: Undone[] = [];
  const prepared: PreparedBranch[] = [];
  const saved = savedReader(acting.folder.account);
  for (const one of chosen) {
    const refused = await caught(isOne, one, async () => {
      prepared.push(prepareBranch(acting, one, { view, as, saved }));
      return [];
    });
    undone.push(...refused);
  }
  return [...undone, ...(await bringBranches(acting, prepared, isOne))];
}

/** Of several, one that is refused does not keep the others. */
async function caught(isOne: boolean, one: Chosen, work: () => Promise<readonly Undone[]>): Promise<readonly Undone[]> {
  try {
    return await work();
  } catch (fault) {
    if (isOne || !(fault instanceof UserError)) throw fault;
    const text = fault.hint === null ? fault.message : `${fault.message}; ${fault.hint}`;
    const outcome = { status: 'kept', text, undo: null } as const;
    return [undoneOf(one, outcome)];
  }
}
