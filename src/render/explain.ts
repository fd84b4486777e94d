import type { EvidenceDocument, ExplainDocument, RowDocument } from '../contract/sweep.ts';
import { renderHeading } from './heading.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { padText } from './width.ts';
import { ACTIONS } from './words.ts';

const EFFECTS: Readonly<Record<EvidenceDocument['effect'], string>> = {
  spent: 'speaks for removal',
  holds: 'keeps it',
  noted: 'worth knowing',
};

/** What `explain` prints for people: nothing is cut, so that every command can be copied. */
export function renderExplain(document: ExplainDocument, style: Style): string {
  const lines = [...renderHeading(document, style), ...document.rows.flatMap((row) => ['', ...rowLines(row, style)])];
  return `${lines.join('\n')}\n`;
}

function rowLines(row: RowDocument, style: Style): string[] {
  const action = ACTIONS.find(([name]) => name === row.action);
  const verdict = action === undefined ? style.stays('Kept') : style.goes(action[1]);
  const facts: [string, string | null][] = [['id', row.id], ['path', row.path], ...stateLines(row)];
  return [
    `${row.kind} ${style.strong(sanitize(row.name))}`,
    `  ${verdict}: ${sanitize(row.reason.text)}`,
    ...facts.flatMap(([name, value]) =>
      value === null ? [] : [`  ${style.faint(padText(name, 11))} ${sanitize(value)}`],
    ),
    ...(row.evidence.length === 0 ? [] : ['  Evidence']),
    ...row.evidence.flatMap((evidence) => evidenceLines(evidence, style)),
  ];
}

function evidenceLines(evidence: EvidenceDocument, style: Style): string[] {
  const paint = { spent: style.goes, holds: style.stays, noted: style.faint }[evidence.effect];
  return [
    `    ${paint(sanitize(evidence.code))} ${EFFECTS[evidence.effect]} (${evidence.grade}, from ${sanitize(evidence.source)})`,
    `      ${sanitize(evidence.text)}`,
    ...(evidence.check === null ? [] : [`      ${style.faint('check:')} ${sanitize(evidence.check)}`]),
  ];
}

function stateLines(row: RowDocument): [string, string | null][] {
  if (row.kind === 'worktree') {
    return [
      ['head', row.state.head],
      ['branch', row.state.branch ?? (row.state.detached ? '(detached)' : null)],
    ];
  }
  if (row.kind !== 'branch') return [];
  return [
    ['head', row.state.head],
    ['last commit', row.state.lastCommit],
    ['upstream', upstreamWords(row.state)],
    ['worktree', row.state.worktree],
  ];
}

function upstreamWords(state: { upstream: string | null; ahead: number | null; behind: number | null }): string | null {
  if (state.upstream === null) return null;
  if (state.ahead === null || state.behind === null) return state.upstream;
  return `${state.upstream} (${state.ahead} ahead, ${state.behind} behind)`;
}
