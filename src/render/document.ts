import type { Evidence } from '../judge/evidence.ts';
import type { Applied } from '../context.ts';
import type { OutcomeDocument } from '../contract/outcome.ts';
import type { LeaseRecord } from '../judge/facts/claims.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { BranchState, CacheState, Row, WorktreeOutline, WorktreeState } from '../judge/row.ts';
import type { Remedy } from '../judge/remedies.ts';
import type { Sweep } from '../judge/sweep.ts';
import { base64OfBytes, decodeBytes, isUtf8 } from './decode.ts';
import { createRedactor } from './redact.ts';
import type {
  EvidenceDocument,
  ExplainDocument,
  ListDocument,
  RetireDocument,
  RowDocument,
  SurveyDocument,
  SweepDocument,
} from '../contract/sweep.ts';

export type WorktreeDocument = Extract<RowDocument, { kind: 'worktree' }>;

/** What there is to show of a worktree before it is judged. */
export type OutlineDocument = Pick<WorktreeDocument, 'name' | 'path' | 'state'>;

/** Byte strings into what a document may hold. */
export interface Readable {
  path(bytes: string): string;
  text(bytes: string): string;
}

/** The document of `sweep`. */
export function sweepDocument(sweep: Sweep, home: string | null): SweepDocument {
  return { schema: 'coppice.sweep.v1', ...envelope(sweep, sweep.rows, home) };
}

/** The document of `sweep --apply`: the same rows, each with what became of it. */
export function appliedDocument(applied: Applied, home: string | null): SweepDocument {
  return { schema: 'coppice.sweep.v1', ...appliedEnvelope(applied, home) };
}

/** The document of `retire`: the same, with what stands in the way. */
export function retireDocument(sweep: Sweep, recovery: readonly Remedy[], home: string | null): RetireDocument {
  return { schema: 'coppice.retire.v1', ...envelope(sweep, sweep.rows, home), recovery: remedies(recovery, home) };
}

/** The document of `retire --apply`. */
export function retiredDocument(applied: Applied, recovery: readonly Remedy[], home: string | null): RetireDocument {
  return { schema: 'coppice.retire.v1', ...appliedEnvelope(applied, home), recovery: remedies(recovery, home) };
}

function remedies(recovery: readonly Remedy[], home: string | null): RetireDocument['recovery'] {
  const readable = createReadable(home);
  return recovery.map(({ code, text, how }) => ({
    code,
    text: readable.text(text),
    how: how === null ? null : readable.text(how),
  }));
}

function appliedEnvelope(
  { sweep, outcomes, purged, aside }: Applied,
  home: string | null,
): Omit<SurveyDocument, 'schema'> {
  const readable = createReadable(home);
  const planned = envelope(sweep, sweep.rows, home);
  const rows = planned.rows.map((document, at): RowDocument => {
    const row = sweep.rows[at] as Row;
    const kept: Outcome = { status: 'kept', text: row.reason.text, undo: null };
    return { ...document, outcome: outcomeDocument(outcomes.get(row.id) ?? kept, readable) };
  });
  const { run = '', until = 0 } = aside ?? {};
  const ways = {
    run,
    until: momentText(until),
    undo: `coppice undo ${run}`,
    free: `coppice purge --id ${run} --apply`,
  };
  return { ...planned, mode: 'apply', rows, purge: purged, ...(aside === null ? {} : { aside: ways }) };
}

/** What became of one thing, as documents write it. */
export function outcomeDocument({ status, text, undo }: Outcome, readable: Readable): OutcomeDocument {
  return { status, text: readable.text(text), undo: undo === null ? null : readable.text(undo) };
}

/** The document of `explain`: the same envelope, only with `rows`. */
export function explainDocument(sweep: Sweep, rows: readonly Row[], home: string | null): ExplainDocument {
  return { schema: 'coppice.explain.v1', ...envelope(sweep, rows, home) };
}

/** The document of `list`: the same envelope, only with worktrees. */
export function listDocument(sweep: Sweep, home: string | null): ListDocument {
  const rows = sweep.rows.filter((row) => row.kind === 'worktree');
  return { schema: 'coppice.list.v1', ...envelope(sweep, rows, home) };
}

/** A worktree that is still being read, as `list` shows it. */
export function outlineDocument(outline: WorktreeOutline, home: string | null): OutlineDocument {
  const readable = createReadable(home);
  return {
    name: decodeBytes(outline.name),
    path: readable.path(outline.path),
    state: worktreeState(outline.state, readable),
  };
}

/** A byte string as documents write paths: decoded, the home folder as `~`. */
export function readablePath(bytes: string, home: string | null): string {
  return createReadable(home).path(bytes);
}

/** A byte string as documents write texts: decoded, the home folder as `~`. */
export function readableText(bytes: string, home: string | null): string {
  return createReadable(home).text(bytes);
}

function envelope(sweep: Sweep, rows: readonly Row[], home: string | null): Omit<SurveyDocument, 'schema'> {
  const readable = createReadable(home);
  const documents = rows.map((row) => rowDocument(row, readable));
  const kept = rows.filter((row) => row.action === 'keep').length;
  return {
    mode: 'dry-run',
    repository: {
      path: readable.path(sweep.repository.path),
      rootCommit: sweep.repository.rootCommit,
      base: sweep.base === null ? null : { ref: decodeBytes(sweep.base.ref), oid: sweep.base.oid, how: sweep.base.how },
    },
    fetch: {
      status: sweep.fetch.status,
      at: timeText(sweep.fetch.at),
      detail: sweep.fetch.detail === null ? null : readable.text(sweep.fetch.detail),
    },
    doubts: sweep.doubts.map(({ code, text }) => ({ code, text: readable.text(text) })),
    rows: documents,
    purge: sweep.purge,
    totals: { rows: rows.length, acting: rows.length - kept, kept, bytes: bytesOf(rows) },
  };
}

/** Bytes of what would go, as far as they were weighed. */
function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => {
    if (row.action !== 'remove') return sum;
    if (row.kind === 'cache') return sum + row.state.bytes;
    return row.kind === 'worktree' ? sum + (row.state.bytes.value ?? 0) : sum;
  }, 0);
}

function rowDocument(row: Row, readable: Readable): RowDocument {
  const common = {
    name: decodeBytes(row.name),
    ...(isUtf8(row.name) ? {} : { nameBytes: base64OfBytes(row.name) }),
    path: row.path === null ? null : readable.path(row.path),
  };
  const verdict = {
    action: row.action,
    reason: { code: row.reason.code, text: readable.text(row.reason.text) },
    evidence: row.evidence.map((evidence) => evidenceDocument(evidence, readable)),
  };
  const id = rowId(row, readable);
  switch (row.kind) {
    case 'worktree':
      return { id, kind: row.kind, ...common, state: worktreeState(row.state, readable), ...verdict };
    case 'branch':
      return { id, kind: row.kind, ...common, state: branchState(row.state, readable), ...verdict };
    case 'cache':
      return { id, kind: row.kind, ...common, state: cacheState(row.state, readable), ...verdict };
    case 'stray': {
      const { repository } = row.state;
      const state = { repository: repository === null ? null : readable.path(repository) };
      return { id, kind: row.kind, ...common, state, ...verdict };
    }
    case 'protected':
      return { id, kind: row.kind, ...common, state: {}, ...verdict };
  }
}

/** The id as it is printed: of a place it is the path, which may lie in the home folder. */
function rowId(row: Row, readable: Readable): string {
  return row.kind === 'stray' || row.kind === 'protected'
    ? `${row.kind}:${readable.path(row.path ?? '')}`
    : decodeBytes(row.id);
}

/** A row's id as documents write it. */
export function readableId(row: Row, home: string | null): string {
  return rowId(row, createReadable(home));
}

function evidenceDocument(evidence: Evidence, readable: Readable): EvidenceDocument {
  return {
    code: evidence.code,
    effect: evidence.effect,
    grade: evidence.grade,
    source: evidence.source,
    text: readable.text(evidence.text),
    check: evidence.check === null ? null : readable.text(evidence.check),
  };
}

function cacheState(state: CacheState, readable: Readable): Extract<RowDocument, { kind: 'cache' }>['state'] {
  return {
    folders: state.folders.map(({ path, bytes, why }) => ({
      path: readable.text(path),
      bytes,
      why: readable.text(why),
    })),
    bytes: state.bytes,
    lastWrite: timeText(state.lastWrite),
  };
}

function branchState(state: BranchState, readable: Readable): Extract<RowDocument, { kind: 'branch' }>['state'] {
  return {
    head: state.head,
    upstream: state.upstream === null ? null : decodeBytes(state.upstream),
    ahead: state.ahead,
    behind: state.behind,
    worktree: state.worktree === null ? null : readable.path(state.worktree),
    lastCommit: timeText(state.lastCommit === null ? null : state.lastCommit * 1000),
  };
}

function worktreeState(state: WorktreeState, readable: Readable): WorktreeDocument['state'] {
  return {
    branch: state.branch === null ? null : decodeBytes(state.branch),
    head: state.head,
    detached: state.detached,
    upstream: state.upstream === null ? null : decodeBytes(state.upstream),
    ahead: state.ahead,
    behind: state.behind,
    changes: state.changes,
    operation: state.operation,
    lock:
      state.lock === null
        ? null
        : {
            reason: state.lock.reason === '' ? null : readable.text(state.lock.reason),
            owner: state.lock.owner === null ? null : readable.text(state.lock.owner),
            alive: state.lock.alive,
          },
    lease: state.lease === null ? null : leaseOf(state.lease, readable),
    lastCommit: timeText(state.lastCommit === null ? null : state.lastCommit * 1000),
    lastWrite: timeText(state.lastWrite),
    bytes: state.bytes,
  };
}

function leaseOf(lease: LeaseRecord, readable: Readable): WorktreeDocument['state']['lease'] {
  const text = (bytes: string | null) => (bytes === null ? null : readable.text(bytes));
  return {
    owner: text(lease.owner),
    task: text(lease.task),
    acquired: momentText(lease.acquired),
    expires: momentText(lease.expires),
    released: lease.released === null ? null : momentText(lease.released),
  };
}

export function createReadable(home: string | null): Readable {
  const redactor = createRedactor(home);
  return {
    path: (bytes) => redactor.path(decodeBytes(bytes)),
    text: (bytes) => redactor.text(decodeBytes(bytes)),
  };
}

// A commit may claim any second; what RFC 3339 cannot write (years beyond four digits) is not known.
function timeText(milliseconds: number | null): string | null {
  if (milliseconds === null) return null;
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) return null;
  const text = time.toISOString();
  return text.length === 24 ? `${text.slice(0, 19)}Z` : null;
}

/** Times in state files are such that RFC 3339 can write them. */
export function momentText(milliseconds: number): string {
  const text = timeText(milliseconds);
  if (text === null) throw new RangeError(`no time: ${milliseconds}`);
  return text;
}
