/** From everything that was read to rows. Pure: the same survey always gives the same rows. */
import { judgeBranch } from './branches.ts';
import { judgeCaches } from './caches.ts';
import { ailmentsOf } from './ailments.ts';
import type { Fact } from './facts/fact.ts';
import type { Survey } from './facts/survey.ts';
import { judgeProtected, judgeStray } from './places.ts';
import { dueOf } from './purge.ts';
import type { Doubt, Row } from './row.ts';
import type { Sweep } from './sweep.ts';
import { UNREAD_RESERVATIONS } from './holds/worktree/reservations-unread.ts';
import { judgeWorktree } from './worktrees.ts';

/** @param isPlan false: what is asked about goes now, so that a worktree that would go still holds its branch. */
export function judge(survey: Survey, isPlan = true): Sweep {
  const worktrees = listed(survey.worktrees).map((worktree) => judgeWorktree(worktree, survey));
  const going = new Set(
    worktrees.flatMap(({ action, path }) => (isPlan && action === 'remove' && path !== null ? [path] : [])),
  );
  const gone = new Set(worktrees.flatMap(({ action, id }) => (isPlan && action === 'remove' ? [id] : [])));
  const branches = listed(survey.branches).map((branch) => judgeBranch(branch, survey, going));
  const caches = survey.caches === null ? [] : judgeCaches(listed(survey.worktrees), survey, gone);
  const others = [...survey.strays.map(judgeStray), ...survey.protectedPlaces.map(judgeProtected)];
  return {
    repository: survey.repository,
    base: survey.base.kind === 'known' ? survey.base.value : null,
    fetch: survey.fetch,
    doubts: doubtsOf(survey, branches, [...worktrees, ...caches]),
    // Asked for caches, of the worktrees nothing else is said.
    rows: survey.caches?.alone === true ? [...caches, ...branches] : [...worktrees, ...caches, ...branches, ...others],
    ailments: ailmentsOf(survey, worktrees),
    purge: dueOf(survey),
    blind: isBlind(survey, branches),
  };
}

function listed<Item>(fact: Fact<readonly Item[]>): readonly Item[] {
  return fact.kind === 'known' ? fact.value : [];
}

function doubtsOf(survey: Survey, branches: readonly Row[], worktrees: readonly Row[]): Doubt[] {
  const doubts: Doubt[] = [];
  if (survey.base.kind === 'unknown' && branches.length > 0)
    doubts.push({ code: 'base-unknown', text: survey.base.reason });
  if (survey.fetch.status === 'failed')
    doubts.push({ code: 'remote-unverified', text: failedFetch(survey.fetch.detail) });
  if (survey.baseMoved)
    doubts.push({ code: 'remote-unverified', text: 'the remote moved its default branch while it was read' });
  if (survey.shallow)
    doubts.push({
      code: 'shallow',
      text: 'this clone is shallow: deepen it (git fetch --unshallow) to judge branches that started before its edge',
    });
  const blind = worktrees.flatMap(({ evidence }) => evidence).find(({ code }) => code === 'process-check-unavailable');
  if (blind !== undefined) doubts.push({ code: blind.code, text: blind.text });
  if (survey.hasUnreadReservations && worktrees.length > 1)
    doubts.push({ code: 'reservations-unread', text: UNREAD_RESERVATIONS });
  for (const fact of [survey.worktrees, survey.branches])
    if (fact.kind === 'unknown') doubts.push({ code: 'probe-failed', text: fact.reason });
  for (const { code, text } of survey.faults) doubts.push({ code, text });
  return doubts;
}

function failedFetch(detail: string | null): string {
  return `the fetch failed${detail === null ? '' : ` (${detail})`}: judged by what was last fetched`;
}

/** Nothing could be told: no base for the branches there are, or none of them could be read. */
function isBlind(survey: Survey, branches: readonly Row[]): boolean {
  if (survey.branches.kind === 'unknown' || survey.worktrees.kind === 'unknown') return true;
  const asked = branches.filter((row) => !NAMED.includes(row.reason.code));
  return (
    asked.length > 0 && asked.every((row) => row.reason.code === 'base-unknown' || row.reason.code === 'probe-failed')
  );
}

const NAMED: readonly string[] = ['default-branch', 'symbolic-ref', 'reserved-ref', 'protected', 'checked-out'];
