/**
 * The one way to have git write. It takes a permit, lets the user's hooks run and have their say, and has everything
 * on the disk before git says that it is done.
 */
import type { BranchPermit, PurgePermit, RestorePermit, ReturnPermit, WorktreePermit } from '../judge/permit.ts';
import { complaint, type Git, type GitResult, type RunOptions, runGit, startGit } from './run.ts';

/** What somebody was permitted to write. */
export type Leave = readonly (BranchPermit | RestorePermit | PurgePermit | WorktreePermit | ReturnPermit)[];

/** Milliseconds for a hook, or for a disk. */
const PATIENCE = 60_000;

function writing(git: Git, leave: Leave): Git {
  if (leave.length === 0) throw new Error('nothing was permitted');
  return { ...git, env: git.writeEnv };
}

/** Runs one command to its end. */
export function runWrite(
  leave: Leave,
  git: Git,
  args: readonly string[],
  options: RunOptions = {},
): Promise<GitResult> {
  return runGit(writing(git, leave), args, { silence: PATIENCE, ...options, gently: true });
}

/** How a transaction over refs ended. `unclear`: git ended in the middle of the change; a look has to tell. */
export type Transaction =
  | { readonly kind: 'committed' | 'aborted' }
  | { readonly kind: 'unclear'; readonly why: string }
  /** `isLate`: a hook or a disk did not answer in time, and would not for the next either. */
  | { readonly kind: 'refused'; readonly why: string; readonly isLate: boolean };

/** The commands of `update-ref --stdin -z`. A symbolic ref is itself, never what it points to. */
export const create = (ref: string, oid: string) => `option no-deref\0create ${ref}\0${oid}\0`;
export const remove = (ref: string, oid: string) => `option no-deref\0delete ${ref}\0${oid}\0`;
export const verify = (ref: string, oid: string) => `option no-deref\0verify ${ref}\0${oid}\0`;

/**
 * All of `commands` or none of them.
 *
 * @param decide asked while git holds the locks of all refs that are named, and before anything is changed.
 */
export async function transact(
  leave: Leave,
  git: Git,
  commands: readonly string[],
  decide: () => 'commit' | 'abort',
): Promise<Transaction> {
  const running = startGit(writing(git, leave), ['update-ref', '--stdin', '-z'], { silence: PATIENCE, gently: true });
  const output = running.output()[Symbol.asyncIterator]();
  let said = '';
  const hear = async (words: string) => {
    while (!said.includes(words)) {
      const { done, value } = await output.next();
      if (done === true) return false;
      said += value.toString('latin1');
    }
    return true;
  };
  await running.write(Buffer.from(`start\0${commands.join('')}prepare\0`, 'latin1'));
  if (!(await hear('prepare: ok\n'))) {
    running.end();
    const ended = await running.ended;
    return { kind: 'refused', why: complaint(ended), isLate: ended.cut !== null };
  }
  let decision: 'commit' | 'abort';
  try {
    decision = decide();
  } catch (fault) {
    // Without an end, git takes the end of its input for an abort.
    running.end();
    await running.ended;
    throw fault;
  }
  running.end(`${decision}\0`);
  const wasHeard = await hear(`${decision}: ok\n`);
  const ended = await running.ended;
  if (decision === 'abort') return { kind: 'aborted' };
  if (wasHeard && ended.code === 0) return { kind: 'committed' };
  return { kind: 'unclear', why: complaint(ended) };
}
