import * as v from 'valibot';
import { code, count, oid, path, refName, text, time } from './parts.ts';
import { outcome } from './outcome.ts';
import { branchState, cacheState, remoteBranchState, worktreeState } from './state.ts';

const evidence = v.strictObject({
  code,
  effect: v.pipe(
    v.picklist(['spent', 'holds', 'noted']),
    v.description('spent speaks for removal, holds forbids it, noted does neither.'),
  ),
  grade: v.picklist(['proven', 'hint']),
  source: code,
  text,
  check: v.pipe(v.nullable(v.string()), v.description('A command that shows it; null where there is none.')),
});

const common = {
  id: v.pipe(v.string(), v.description('Stable between a look and an act.')),
  name: v.pipe(v.string(), v.description('Bytes that are no UTF-8 appear as \\xNN.')),
  nameBytes: v.exactOptional(
    v.pipe(v.string(), v.base64(), v.description('The bytes of a name that is no UTF-8, in base64.')),
  ),
  path: v.nullable(path),
  action: v.picklist(['remove', 'delete', 'dispatch', 'promote', 'save-patch', 'keep']),
  reason: v.strictObject({ code, text }),
  evidence: v.array(evidence),
  outcome: v.exactOptional(outcome),
};

const row = v.variant('kind', [
  v.strictObject({ ...common, kind: v.literal('worktree'), state: worktreeState }),
  v.strictObject({ ...common, kind: v.literal('branch'), state: branchState }),
  v.strictObject({ ...common, kind: v.literal('remote-branch'), state: remoteBranchState }),
  v.strictObject({ ...common, kind: v.literal('cache'), state: cacheState }),
  v.strictObject({
    ...common,
    kind: v.picklist(['reservation', 'inbox', 'stray', 'protected']),
    state: v.looseObject({}),
  }),
]);

const envelope = {
  mode: v.picklist(['dry-run', 'apply']),
  repository: v.strictObject({
    path,
    rootCommit: v.nullable(oid),
    base: v.pipe(
      v.nullable(v.strictObject({ ref: refName, oid, how: code })),
      v.description('The branch that work is merged into; null when none can be proven.'),
    ),
  }),
  fetch: v.strictObject({
    status: v.picklist(['fresh', 'skipped', 'failed', 'no-remote']),
    at: v.nullable(time),
    detail: v.nullable(text),
  }),
  doubts: v.pipe(
    v.array(v.strictObject({ code, text })),
    v.description('What could not be read; it holds every row that needs it.'),
  ),
  rows: v.array(row),
  purge: v.strictObject({ due: count, bytes: count }),
  aside: v.exactOptional(
    v.pipe(
      v.strictObject({ run: v.string(), until: time, undo: v.string(), free: v.string() }),
      v.description('What was put aside: until when, the command that brings it back and the one that frees it now.'),
    ),
  ),
  totals: v.strictObject({ rows: count, acting: count, kept: count, bytes: count }),
};

/** What `sweep --json` prints. */
export const sweepSchema = v.strictObject({ schema: v.literal('coppice.sweep.v1'), ...envelope });

/** What `explain --json` prints: the same, only with the rows that were asked for. */
export const explainSchema = v.strictObject({ schema: v.literal('coppice.explain.v1'), ...envelope });

/** What `retire --json` prints: the same, only with the worktree that was named, its branch, and what stands in the way. */
export const retireSchema = v.strictObject({
  schema: v.literal('coppice.retire.v1'),
  ...envelope,
  recovery: v.pipe(
    v.array(
      v.strictObject({
        code,
        text,
        how: v.pipe(v.nullable(v.string()), v.description('A command that settles it; null: none does.')),
      }),
    ),
    v.description('What has to be seen to before the worktree may go, one hold each.'),
  ),
});

/** What `list --json` prints: the same, only with worktrees. */
export const listSchema = v.strictObject({ schema: v.literal('coppice.list.v1'), ...envelope });

export type SweepDocument = v.InferOutput<typeof sweepSchema>;
export type ExplainDocument = v.InferOutput<typeof explainSchema>;
export type RetireDocument = v.InferOutput<typeof retireSchema>;
export type ListDocument = v.InferOutput<typeof listSchema>;
/** Any of them: everything that `render` shows of a repository. */
export type SurveyDocument = SweepDocument | ExplainDocument | RetireDocument | ListDocument;
export type RowDocument = v.InferOutput<typeof row>;
export type EvidenceDocument = v.InferOutput<typeof evidence>;
