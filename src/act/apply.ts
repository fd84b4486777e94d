/** `sweep --apply`: a plan, then, under the lock, the same look again, and only what is the same both times goes. */
import { gitFor } from '../git/run.ts';
import { judgeBranch } from '../judge/branches.ts';
import { judge } from '../judge/judge.ts';
import type { Survey } from '../judge/facts/survey.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type BranchPermit, evidenceText, permitBranch } from '../judge/permit.ts';
import type { Due } from '../judge/purge.ts';
import type { Row } from '../judge/row.ts';
import type { Sweep } from '../judge/sweep.ts';
import { runId } from '../state/ids.ts';
import { appendSteps, beginAct } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { surveyFor, type Surveyed } from '../survey/survey.ts';
import type { SurveyRequest } from '../survey/world.ts';
import type { Acting, ActWorld } from './acting.ts';
import { applyBranches } from './branches/apply.ts';
import { purgeDue } from './purge.ts';
import { recover } from './recover.ts';

/** What a sweep did. */
export interface Applied {
  /** The plan: the rows that a dry run would print. */
  readonly sweep: Sweep;
  /** By the id of the row; what is not among them was not to be changed. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The way back of everything that was done, as one id; null: nothing was. */
  readonly run: string | null;
  /** What was deleted from the trash. */
  readonly purged: Due;
}

/** @throws UserError `locked-by-another` (exit code 3), `journal-failed`, and those of a look and of the state's folder */
export async function applySweep(world: ActWorld, request: SurveyRequest): Promise<Applied> {
  const first = await surveyFor(world, { ...request, audit: true }, null);
  const sweep = judge(first.survey);
  const planned = sweep.rows.filter(({ action }) => action !== 'keep');
  // Where there is nothing to do, nothing is made either.
  const { unfinished } = first.survey.aside;
  const isEnded = unfinished.kind === 'known' && unfinished.value.length === 0;
  if (planned.length === 0 && sweep.purge.due === 0 && isEnded) {
    return { sweep, outcomes: new Map(), run: null, purged: { due: 0, bytes: 0 } };
  }
  const { commonDir } = first.place;
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git: gitFor(request.directory, world.env) };
    await recover(acting);
    const second = await surveyFor(world, request, first.remote);
    const { outcomes, run } = await act(acting, planned, second);
    const purged = await purgeDue(acting, second.settings);
    return { sweep, outcomes, run, purged };
  });
}

async function act(
  acting: Acting,
  planned: readonly Row[],
  { survey }: Surveyed,
): Promise<Pick<Applied, 'outcomes' | 'run'>> {
  const run = runId(acting.world.now(), acting.world.random(4).toString('hex'));
  const permits: BranchPermit[] = [];
  const kept = new Map<Row, string>();
  const again = new Map(judge(survey).rows.map((row) => [row.id, row]));
  for (const row of planned) {
    const verdict = verdictOn(row, again.get(row.id), survey);
    if (typeof verdict === 'string') kept.set(row, verdict);
    else permits.push(verdict);
  }
  appendSteps(
    acting.folder,
    [...kept].map(([row, why]) => {
      const about = { verb: 'sweep', subject: row.path ?? row.name, why, detail: { run, row: row.id } };
      return beginAct(acting.folder, acting.commonDir, acting.world, row.name, about).entry('kept');
    }),
  );
  const outcomes = new Map<string, Outcome>(
    [...kept].map(([row, text]) => [row.id, { status: 'kept', text, undo: null }]),
  );
  const { base, aside } = survey;
  const done = await applyBranches(acting, permits, {
    run,
    base: base.kind === 'known' ? base.value.oid : null,
    isAnchored: aside.mirrors.length === 0,
  });
  for (const [id, outcome] of done) outcomes.set(id, outcome);
  const acted = [...done.values()].some(({ status }) => status === 'done');
  return { outcomes, run: acted ? run : null };
}

const NO_WORKTREE = 'this version removes no worktree yet';

/** Leave to act, or why it stays. */
function verdictOn(planned: Row, now: Row | undefined, survey: Survey): BranchPermit | string {
  if (planned.kind !== 'branch') return NO_WORKTREE;
  if (now?.kind !== 'branch') return 'it is not there any more';
  if (now.action === 'keep') return `${now.reason.code}, since it was looked at first: ${now.reason.text}`;
  if (now.state.head !== planned.state.head) return 'it was moved since it was looked at first';
  if (evidenceText(now.evidence) !== evidenceText(planned.evidence))
    return 'what speaks for it changed since it was looked at first';
  // A worktree that stays keeps its branch.
  const branches = survey.branches.kind === 'known' ? survey.branches.value : [];
  const facts = branches.find(({ ref }) => `branch:${ref}` === now.id);
  const strict = facts === undefined ? now : judgeBranch(facts, survey);
  return permitBranch(strict) ?? `${strict.reason.code}: ${strict.reason.text}; ${NO_WORKTREE}`;
}
