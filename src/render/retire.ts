/** What `retire` prints for people. */
import type { RetireDocument, RowDocument } from '../contract/sweep.ts';
import { asideLines } from './applied.ts';
import { renderHeading } from './heading.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { padText } from './width.ts';

/** @param name as it was asked for. */
export function renderRetire(document: RetireDocument, name: string, style: Style): string {
  const { rows, recovery, mode } = document;
  const acts = rows.some(({ kind, action }) => kind === 'worktree' && action !== 'keep');
  const lines = [
    ...renderHeading(document, style),
    '',
    ...rows.flatMap((row) => rowLines(row, style)),
    ...(recovery.length === 0 ? [] : ['', 'Before it may go']),
    ...recovery.flatMap(({ code, text, how }) => [
      `  ${style.stays(code)}  ${sanitize(text)}`,
      ...(how === null ? [] : [`    ${style.faint(sanitize(how))}`]),
    ]),
    '',
    ...(mode === 'dry-run' && acts
      ? ['Nothing was changed.', `  ${style.strong(`coppice rm ${sanitize(quoted(name))}`)}  does it; it can be undone`]
      : asideLines(document, style)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function rowLines({ kind, name, action, reason, outcome }: RowDocument, style: Style): string[] {
  const [title, paint] =
    outcome === undefined
      ? action === 'keep'
        ? (['stays', style.stays] as const)
        : (['would go', style.goes] as const)
      : action !== 'keep' && outcome.status === 'done'
        ? (['put aside', style.goes] as const)
        : (['stays', outcome.status === 'failed' ? style.alarm : style.stays] as const);
  const why = outcome === undefined || action === 'keep' ? reason.text : outcome.text;
  return [`${padText(kind, 8)}  ${style.strong(sanitize(name))}  ${paint(title)}: ${sanitize(why)}`];
}

function quoted(name: string): string {
  return /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
