/** Whether a copy is to be made of what differs from the commit in a worktree that stays. */
import { type Evidence, type EvidenceCode, noted } from './evidence.ts';
import type { Survey } from './facts/survey.ts';
import type { WorktreeFacts } from './facts/worktree.ts';

/** What it is forbids it: these are not for coppice to read from. */
const BY_WHAT_IT_IS: readonly EvidenceCode[] = [
  'main-worktree',
  'current-worktree',
  'protected',
  'foreign-owner',
  'missing',
  'pointer-broken',
  'wrong-occupant',
  'repository-damaged',
];

/** Whoever is at work there, if that is proven, is not done yet. */
const BY_WHO_IS_THERE: readonly EvidenceCode[] = [
  'leased',
  'lease-unreadable',
  'reservations-unread',
  'run-active',
  'runs-unread',
  'process-inside',
];

/** What is to be said of it; null: nothing. One that is in hand by its name is not looked through for that. */
export function salvageNote(
  { salvage }: WorktreeFacts,
  { named }: Survey,
  found: readonly Evidence[],
): Evidence | null {
  if (salvage.kind === 'absent' || named !== null || isForbidden(found)) return null;
  if (salvage.kind === 'unknown') return noted('not-saved', `no copy of its changes is made: ${salvage.reason}`);
  const { earlier } = salvage.value;
  return earlier === null
    ? null
    : noted('already-saved', `a copy of the same changes is kept: coppice salvage show ${earlier}`, null, 'files');
}

export function isToBeSaved({ salvage }: WorktreeFacts, { named }: Survey, found: readonly Evidence[]): boolean {
  return salvage.kind === 'known' && salvage.value.earlier === null && named === null && !isForbidden(found);
}

function isForbidden(found: readonly Evidence[]): boolean {
  return found.some(
    ({ code, effect, grade }) =>
      effect === 'holds' && (BY_WHAT_IT_IS.includes(code) || (grade === 'proven' && BY_WHO_IS_THERE.includes(code))),
  );
}
