/** `sweep --apply`: a plan, then, under the lock, the same look again, and only what is the same both times goes. */
import { gitFor } from '../git/run.ts';
import type { Survey } from '../judge/facts/survey.ts';
import { judge } from '../judge/judge.ts';
import type { Outcome } from '../judge/outcome.ts';
import {
  evidenceText,
  permitBranch,
  type BranchPermit,
  type CachePermit,
  permitCache,
  permitPurge,
  permitSave,
  permitWorktree,
  type SavePermit,
  type WorktreePermit,
} from '../judge/permit.ts';
import type { Due } from '../judge/purge.ts';
import type { Row } from '../judge/row.ts';
import type { Sweep } from '../judge/sweep.ts';
import { runId, timeOfRun } from '../state/ids.ts';
import { appendSteps, beginAct } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { surveyFor, type Surveyed } from '../survey/survey.ts';
import type { SurveyRequest } from '../survey/world.ts';
import type { Acting, ActWorld } from './acting.ts';
import { applyBranches } from './branches/apply.ts';
import { reclaimCache } from './caches/reclaim.ts';
import { saveChanges } from './notes/save-changes.ts';
import { purgeDue } from './purge.ts';
import { recover } from './recover.ts';
import { retireWorktree } from './worktrees/retire.ts';

/** What a sweep did. */
export interface Applied {
  /** The plan: the rows that a dry run would print. */
  readonly sweep: Sweep;
  /** By the id of the row; what is not among them was not to be changed. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The way back of everything that was done, as one id, and when it is freed, in milliseconds since 1970; null: nothing was. */
  readonly aside: { readonly run: string; readonly until: number } | null;
  /** What was deleted from the trash. */
  readonly purged: Due;
}

/** Which rows are meant, of all that were judged, and the verb that means them. It may throw `UserError`. */
export interface Choose {
  readonly verb: 'sweep' | 'retire';
  of(rows: readonly Row[]): readonly Row[];
}

/** @throws UserError `locked-by-another` (exit code 3), `journal-failed`, and those of a look and of the state's folder */
export async function applySweep(world: ActWorld, request: SurveyRequest, choose: Choose): Promise<Applied> {
  const first = await surveyFor(world, { ...request, audit: true }, null);
  const all = judge(first.survey);
  const sweep = { ...all, rows: choose.of(all.rows) };
  const planned = sweep.rows.filter(({ action }) => action !== 'keep');
  // Where there is nothing to do, nothing is made either.
  const { unfinished } = first.survey.aside;
  const isEnded = unfinished.kind === 'known' && unfinished.value.length === 0;
  if (planned.length === 0 && !isAnythingDue(first.survey) && isEnded) {
    return { sweep, outcomes: new Map(), aside: null, purged: { due: 0, bytes: 0 } };
  }
  const { commonDir } = first.place;
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git: gitFor(request.directory, world.env) };
    await recover(acting);
    const look = () => surveyFor(world, request, first.remote);
    const run = runId(world.now(), world.random(4).toString('hex'));
    const plan: Plan = { acting, run, verb: choose.verb, look };
    const { outcomes, last } = await act(plan, planned);
    const purged = await purgeDue(acting, last.settings);
    const acted = [...outcomes.values()].some(({ undo }) => undo !== null);
    const until = timeOfRun(run) + last.settings['trash.keep'];
    return { sweep, outcomes, aside: acted ? { run, until } : null, purged };
  });
}

/** Also what is to be found due a second time before it goes. */
function isAnythingDue({ aside: { trash, keep }, now }: Survey): boolean {
  return trash.kind === 'known' && trash.value.some(({ run, put }) => permitPurge(run, put, keep, now) !== null);
}

interface Plan {
  readonly acting: Acting;
  readonly run: string;
  readonly verb: string;
  look(): Promise<Surveyed>;
}

type Outcomes = ReadonlyMap<string, Outcome>;

/** Worktrees first: a branch of one that goes is free then, and that of one that stays is not. */
async function act(
  plan: Plan,
  planned: readonly Row[],
): Promise<{ readonly outcomes: Outcomes; readonly last: Surveyed }> {
  const second = await plan.look();
  const worktrees = planned.filter(({ kind, action }) => kind === 'worktree' && action === 'remove');
  const gone = await retire(plan, worktrees, second);
  const caches = await reclaim(plan, planned, second);
  const saved = await save(plan, planned, second);
  const isChanged = [...gone.values()].some(({ status }) => status === 'done');
  const last = isChanged ? await plan.look() : second;
  const branches = planned.filter(({ kind }) => kind === 'branch');
  return { outcomes: new Map([...saved, ...gone, ...caches, ...(await deleteBranches(plan, branches, last))]), last };
}

async function retire(plan: Plan, planned: readonly Row[], looked: Surveyed): Promise<Outcomes> {
  const { acting, run, verb } = plan;
  const { survey, moved } = looked;
  const facts = survey.worktrees.kind === 'known' ? survey.worktrees.value : [];
  const again = rowsOf(looked);
  const outcomes = new Map<string, Outcome>();
  for (const row of planned) {
    const worktree = facts.find(({ admin }) => `worktree:${admin ?? '@'}` === row.id);
    const verdict = verdictOn<WorktreePermit>(row, again.get(row.id), (now) =>
      worktree === undefined ? null : permitWorktree(now, worktree),
    );
    if (typeof verdict === 'string' || worktree === undefined) {
      outcomes.set(row.id, keep(plan, row, typeof verdict === 'string' ? verdict : GONE));
      continue;
    }
    const { base, aside } = survey;
    const oid = base.kind === 'known' ? base.value.oid : null;
    const request = { verb, run, base: oid, isAnchored: aside.mirrors.length === 0 };
    outcomes.set(row.id, await retireWorktree(acting, verdict, { worktree, survey, moved }, request));
  }
  return outcomes;
}

/** What tools make again, of worktrees that stay. */
async function reclaim(plan: Plan, planned: readonly Row[], looked: Surveyed): Promise<Outcomes> {
  const { survey, movedCaches } = looked;
  const facts = survey.worktrees.kind === 'known' ? survey.worktrees.value : [];
  const again = rowsOf(looked);
  const outcomes = new Map<string, Outcome>();
  for (const row of planned) {
    if (row.kind !== 'cache') continue;
    const worktree = facts.find(({ admin }) => `cache:${admin ?? '@'}` === row.id);
    const verdict = verdictOn<CachePermit>(row, again.get(row.id), (now) =>
      worktree === undefined ? null : permitCache(now, worktree),
    );
    outcomes.set(
      row.id,
      typeof verdict === 'string' || worktree === undefined
        ? keep(plan, row, typeof verdict === 'string' ? verdict : GONE)
        : await reclaimCache(plan.acting, verdict, { worktree, survey, movedCaches }, plan),
    );
  }
  return outcomes;
}

/** Copies of what differs from the commit, of worktrees that stay. */
async function save({ acting, run, verb, look }: Plan, planned: readonly Row[], surveyed: Surveyed): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome>();
  const { precious, worktrees } = surveyed.survey;
  const facts = worktrees.kind === 'known' ? worktrees.value : [];
  const again = rowsOf(surveyed);
  const made = new Map<string, Outcome>();
  for (const row of planned) {
    if (row.action !== 'save-patch') continue;
    const worktree = facts.find(({ admin }) => `worktree:${admin ?? '@'}` === row.id);
    const permit = verdictOn<SavePermit>(row, again.get(row.id), (now) =>
      worktree === undefined ? null : permitSave(now, worktree),
    );
    const { place } = precious;
    if (typeof permit === 'string' || worktree === undefined || place.kind !== 'known') {
      const why = place.kind === 'unknown' ? `no copy can be kept: ${place.reason}` : GONE;
      outcomes.set(row.id, keep({ acting, run, verb, look }, row, typeof permit === 'string' ? permit : why));
      continue;
    }
    const outcome =
      made.get(permit.digest) ?? (await saveChanges(acting, permit, { run, worktree, place: place.value, surveyed }));
    if (outcome.status === 'done') made.set(permit.digest, outcome);
    outcomes.set(row.id, outcome);
  }
  return outcomes;
}

async function deleteBranches(plan: Plan, planned: readonly Row[], looked: Surveyed): Promise<Outcomes> {
  const { base, aside } = looked.survey;
  const again = rowsOf(looked);
  const permits: BranchPermit[] = [];
  const outcomes = new Map<string, Outcome>();
  for (const row of planned) {
    const verdict = verdictOn(row, again.get(row.id), permitBranch);
    if (typeof verdict === 'string') outcomes.set(row.id, keep(plan, row, verdict));
    else permits.push(verdict);
  }
  const done = await applyBranches(plan.acting, permits, {
    verb: plan.verb,
    run: plan.run,
    base: base.kind === 'known' ? base.value.oid : null,
    isAnchored: aside.mirrors.length === 0,
  });
  return new Map([...outcomes, ...done]);
}

/** As they are judged now; worktrees that would go hold their branches all the same. */
function rowsOf({ survey }: Surveyed): ReadonlyMap<string, Row> {
  return new Map(judge(survey, false).rows.map((row) => [row.id, row]));
}

const GONE = 'it is not there any more';

/** Leave to act, or why it stays. */
function verdictOn<Permit extends object>(
  planned: Row,
  now: Row | undefined,
  permit: (row: Row) => Permit | null,
): Permit | string {
  if (now === undefined || now.kind !== planned.kind) return GONE;
  if (now.action === 'keep') return `${now.reason.code}, since it was looked at first: ${now.reason.text}`;
  if (headOf(now) !== headOf(planned)) return 'it was moved since it was looked at first';
  // What is copied stays, for reasons that are told anew each time; its copy is compared with it by itself.
  if (now.action !== 'save-patch' && evidenceText(now.evidence) !== evidenceText(planned.evidence))
    return 'what speaks for it changed since it was looked at first';
  return permit(now) ?? 'it may not go as it is now';
}

function headOf(row: Row): string | null {
  return row.kind === 'branch' || row.kind === 'worktree' ? row.state.head : null;
}

/** Refused, on record. */
function keep({ acting, run, verb }: Plan, row: Row, why: string): Outcome {
  const about = { verb, subject: row.path ?? row.name, why, detail: { run, row: row.id } };
  const recording = beginAct(acting.folder, acting.commonDir, acting.world, row.name, about);
  appendSteps(acting.folder, [recording.entry('kept')]);
  return { status: 'kept', text: why, undo: null };
}
