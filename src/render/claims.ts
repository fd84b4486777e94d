/** What `lease` and `run` print for people. */
import type { LeaseDocument, RunDocument } from '../contract/claims.ts';
import { sanitize } from './sanitize.ts';
import { shortId, shortRef } from './words.ts';

export function renderLease(document: LeaseDocument): string {
  const { lease, tokenFile, runs } = document;
  const lines = [headOf(document)];
  if (lease !== null && document.outcome !== 'none') {
    const about: readonly (readonly [string, string | null])[] = [
      ['task', lease.task],
      ['pull request', lease.pullRequest === null ? null : `#${lease.pullRequest}`],
      ['gate', lease.gate],
      ['purpose', lease.purpose],
      ['branch', lease.branch === null ? null : shortRef(lease.branch)],
      ['head', lease.head === null ? null : shortId(lease.head)],
      ['token', tokenFile],
      ['runs', runs.length === 0 ? null : runs.join(', ')],
    ];
    const told = about.filter((pair): pair is readonly [string, string] => pair[1] !== null);
    lines.push(...told.map(([name, value]) => `  ${`${name}:`.padEnd(14)}${sanitize(value)}`));
  }
  return `${lines.join('\n')}\n`;
}

function headOf({ action, outcome, worktree, lease }: LeaseDocument): string {
  const path = sanitize(worktree);
  if (lease === null || outcome === 'none') {
    return action === 'release' ? `${path}: there was no lease to give back` : `${path}: no lease`;
  }
  const holder = lease.owner ?? (lease.holder.pid === null ? 'somebody' : `process ${lease.holder.pid}`);
  const by = `by ${sanitize(holder)}`;
  switch (outcome) {
    case 'acquired':
    case 'renewed':
    case 'stolen':
      return `${path}: ${outcome} ${by} until ${lease.expires}`;
    case 'kept':
      return `${path}: kept ${by} until ${lease.expires}`;
    case 'live':
      return `${path}: leased ${by} until ${lease.expires}`;
    case 'expired':
      return `${path}: leased ${by} up to ${lease.expires}, and not given back`;
    case 'released':
      return action === 'show'
        ? `${path}: no lease; the last one was given back at ${lease.released}`
        : `${path}: given back`;
  }
}

export function renderRuns({ action, runs, unreadable }: RunDocument): string {
  const lines = unreadable.map(({ file, reason }) => `${sanitize(file)} cannot be read: ${sanitize(reason)}`);
  if (action === 'list' && runs.length === 0 && unreadable.length === 0) lines.push('There is no run.');
  for (const run of runs) {
    const until = { active: `until ${run.until}`, expired: `up to ${run.until}`, finished: `at ${run.finished}` };
    lines.push(`${run.id}  ${run.standing} ${until[run.standing]}  ${sanitize(run.title)}`);
    for (const lane of run.lanes) {
      const branch = lane.branch === null ? '' : ` (${sanitize(shortRef(lane.branch))})`;
      lines.push(`  ${sanitize(lane.task)}: ${sanitize(lane.worktree)}${branch}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
