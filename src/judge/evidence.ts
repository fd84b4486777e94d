/** The words of every verdict, in the order in which the first one is a row's reason. */

/** The steps of the merge ladder. */
export const LADDER_CODES = [
  'ancestor',
  'landed',
  'squash-merged',
  'rebase-merged',
  'series-merged',
  'absorbed',
] as const;

/** Evidence that speaks for removal. */
export const SPENT_CODES = [...LADDER_CODES, 'pushed', 'branch-stays', 'no-own-commits', 'rebuildable'] as const;

/** Evidence that forbids removal. One of them keeps the row, a hint as well as a proof. */
export const HOLD_CODES = [
  'main-worktree',
  'current-worktree',
  'protected',
  'foreign-owner',
  'missing',
  'pointer-broken',
  'wrong-occupant',
  'repository-damaged',
  'other-repository',
  'no-worktree',
  'conflicted',
  'staged',
  'modified',
  'hidden-edits',
  'untracked',
  'ignored-precious',
  'nested-repository',
  'nested-worktree',
  'submodule-commits',
  'mount-inside',
  'operation-in-progress',
  'index-locked',
  'detached-commits',
  'reflog-commits',
  'branch-elsewhere',
  'unmerged',
  'no-own-commits',
  'net-zero',
  'reverted-later',
  'merged-locally',
  'locked',
  'leased',
  'lease-unreadable',
  'reservations-unread',
  'run-active',
  'runs-unread',
  'process-inside',
  'process-possibly-inside',
  'process-check-unavailable',
  'recent-write',
  'within-budget',
  'probe-failed',
  'base-unknown',
  'shallow',
  'remote-unverified',
  'trash-unreachable',
  'default-branch',
  'checked-out',
  'ahead-of-upstream',
  'symbolic-ref',
  'reserved-ref',
] as const;

/** Evidence that does neither: kept safe, or worth knowing. */
export const NOTED_CODES = [
  'anchored',
  'rebuildable',
  'duplicate',
  'archived',
  'already-saved',
  'not-saved',
  'stale-lock',
  'processes-unreadable',
  'submodule-drift',
  'stash-entries',
] as const;

export type LadderCode = (typeof LADDER_CODES)[number];
export type SpentCode = (typeof SPENT_CODES)[number];
export type HoldCode = (typeof HOLD_CODES)[number];
export type NotedCode = (typeof NOTED_CODES)[number];
export type EvidenceCode = SpentCode | HoldCode | NotedCode;

/** One finding about a row. */
export interface Evidence {
  readonly code: EvidenceCode;
  /** `spent` speaks for removal, `holds` forbids it, `noted` does neither. */
  readonly effect: 'spent' | 'holds' | 'noted';
  /** How sure it is. A hint holds like a proof; it never speaks for removal. */
  readonly grade: 'proven' | 'hint';
  /** Where it was read. */
  readonly source: 'git' | 'config' | 'files' | 'processes' | 'state';
  /** For people. May hold names as byte strings; `render` decodes and sanitises. */
  readonly text: string;
  /** A command that anyone can run to see it: fixed words and full object ids only. Null where there is none. */
  readonly check: string | null;
}

/** Evidence that speaks for removal; it is always proven. */
export function spent(
  code: SpentCode,
  text: string,
  check: string | null,
  source: Evidence['source'] = 'git',
): Evidence {
  return { code, effect: 'spent', grade: 'proven', source, text, check };
}

/** Evidence that keeps the row. */
export function holds(
  code: HoldCode,
  text: string,
  options: { check?: string | null; grade?: Evidence['grade']; source?: Evidence['source'] } = {},
): Evidence {
  return {
    code,
    effect: 'holds',
    grade: options.grade ?? 'proven',
    source: options.source ?? 'git',
    text,
    check: options.check ?? null,
  };
}

/** Evidence that is only worth knowing. */
export function noted(
  code: NotedCode,
  text: string,
  check: string | null = null,
  source: Evidence['source'] = 'git',
): Evidence {
  return { code, effect: 'noted', grade: 'proven', source, text, check };
}

const ORDER: ReadonlyMap<EvidenceCode, number> = new Map(
  [...SPENT_CODES, ...HOLD_CODES, ...NOTED_CODES].map((code, index) => [code, index] as const),
);

/** Sorts evidence into the order of the lists above. */
export function inOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  if (evidence.length < 2) return evidence;
  return [...evidence].sort((a, b) => (ORDER.get(a.code) ?? 0) - (ORDER.get(b.code) ?? 0));
}
