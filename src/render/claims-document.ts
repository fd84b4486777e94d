import type { LeaseDocument, RunDocument } from '../contract/claims.ts';
import { type LeaseRecord, leaseStanding, type RunRecord, runStanding } from '../judge/facts/claims.ts';
import { decodeBytes } from './decode.ts';
import { createReadable, momentText, type Readable } from './document.ts';

/** What was done to a lease, or what there is. Texts are byte strings. */
export interface LeaseReport {
  readonly action: LeaseDocument['action'];
  readonly outcome: LeaseDocument['outcome'];
  readonly path: string;
  readonly key: string | null;
  readonly lease: LeaseRecord | null;
  readonly tokenFile: string | null;
  readonly runs: readonly string[];
}

/** From whom and when it is looked at. */
export interface Viewer {
  readonly home: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The document of `lease`. */
export function leaseDocument(report: LeaseReport, { home, now }: Viewer): LeaseDocument {
  const readable = createReadable(home);
  const { action, outcome, key, lease, tokenFile } = report;
  return {
    schema: 'coppice.lease.v1',
    action,
    outcome,
    worktree: readable.path(report.path),
    lease: key === null || lease === null ? null : leaseFields(key, lease, readable, now),
    tokenFile: tokenFile === null ? null : readable.path(tokenFile),
    runs: [...report.runs],
  };
}

function leaseFields(key: string, lease: LeaseRecord, readable: Readable, now: number): LeaseDocument['lease'] {
  const text = (bytes: string | null) => (bytes === null ? null : readable.text(bytes));
  return {
    id: key,
    standing: leaseStanding(lease, now),
    worktree: readable.path(lease.worktree),
    branch: lease.branch === null ? null : decodeBytes(lease.branch),
    head: lease.head,
    task: text(lease.task),
    pullRequest: lease.pullRequest,
    gate: text(lease.gate),
    owner: text(lease.owner),
    purpose: text(lease.purpose),
    epoch: lease.epoch,
    acquired: momentText(lease.acquired),
    heartbeat: momentText(lease.heartbeat),
    expires: momentText(lease.expires),
    released: lease.released === null ? null : momentText(lease.released),
    holder: { pid: lease.pid, start: lease.start, host: text(lease.host) },
  };
}

/** What was done to a run, or which there are. */
export interface RunReport {
  readonly action: RunDocument['action'];
  readonly runs: readonly RunRecord[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

/** The document of `run`. */
export function runDocument({ action, runs, unreadable }: RunReport, { home, now }: Viewer): RunDocument {
  const readable = createReadable(home);
  return {
    schema: 'coppice.run.v1',
    action,
    runs: runs.map((run) => ({
      id: run.id,
      title: readable.text(run.title),
      standing: runStanding(run, now),
      lanes: run.lanes.map(({ task, worktree, key, branch }) => ({
        task: readable.text(task),
        worktree: readable.path(worktree),
        key,
        branch: branch === null ? null : decodeBytes(branch),
      })),
      started: momentText(run.started),
      updated: momentText(run.updated),
      until: momentText(run.updated + run.lease),
      finished: run.finished === null ? null : momentText(run.finished),
    })),
    unreadable: unreadable.map(({ file, reason }) => ({ file: readable.text(file), reason: readable.text(reason) })),
  };
}
