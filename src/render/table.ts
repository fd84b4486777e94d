import type { Output } from '../context.ts';
import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { renderHeading } from './heading.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { cutEnd, cutMiddle, padText, textWidth } from './width.ts';
import { ACTIONS, countKinds, countOf, meaningOf } from './words.ts';

interface TableOptions {
  readonly style: Style;
  readonly output: Output;
  /** Every kept row by name instead of a count. */
  readonly all: boolean;
  /** Nothing could be judged. */
  readonly blind: boolean;
}

/** Columns of a name that others are lined up with, where nothing is cut. */
const NAME_COLUMN = 40;
const INDENT = '  ';

/** What `sweep` prints for people. */
export function renderSweep(document: SurveyDocument, options: TableOptions): string {
  const kept = document.rows.filter((row) => row.action === 'keep');
  const lines = [
    ...renderHeading(document, options.style),
    ...ACTIONS.flatMap(([action, title]) => {
      const rows = document.rows.filter((row) => row.action === action);
      return rows.length === 0 ? [] : section(title, rows, options.style.goes, rowLines(rows, options));
    }),
    ...(kept.length === 0
      ? []
      : section('Kept', kept, options.style.stays, options.all ? rowLines(kept, options) : foldedLines(kept, options))),
    '',
    ...footer(document, kept.length > 0 && !options.all, options),
  ];
  return `${lines.join('\n')}\n`;
}

function section(
  title: string,
  rows: readonly RowDocument[],
  paint: (text: string) => string,
  lines: string[],
): string[] {
  return ['', `${paint(title)}: ${countKinds(rows)}`, ...lines];
}

function rowLines(rows: readonly RowDocument[], { output, style }: TableOptions): string[] {
  const kindWidth = Math.max(...rows.map((row) => row.kind.length));
  const names = rows.map((row) => sanitize(row.name));
  const longest = names.reduce((width, name) => Math.max(width, textWidth(name)), 0);
  const room = output.isTTY ? Math.max(20, output.columns - INDENT.length * 3 - kindWidth) : Infinity;
  const nameWidth = output.isTTY
    ? Math.min(longest, Math.max(12, Math.floor(room / 2)))
    : Math.min(longest, NAME_COLUMN);
  return rows.map((row, at) => {
    const whole = names[at] ?? '';
    const name = output.isTTY ? cutMiddle(whole, nameWidth) : whole;
    const reason = cutEnd(sanitize(row.reason.text), room - Math.max(nameWidth, textWidth(name)));
    return `${INDENT}${style.faint(row.kind.padEnd(kindWidth))}${INDENT}${padText(name, nameWidth)}${INDENT}${reason}`;
  });
}

/** One line a kind and reason, the most frequent first. */
function foldedLines(rows: readonly RowDocument[], { style, output }: TableOptions): string[] {
  const groups = new Map<string, { kind: string; code: string; count: number }>();
  for (const { kind, reason } of rows) {
    const key = `${kind} ${reason.code}`;
    const group = groups.get(key) ?? { kind, code: reason.code, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count);
  const counts = sorted.map(({ kind, count }) => countOf(kind, count));
  const countWidth = Math.max(...counts.map((text) => text.length));
  const codeWidth = Math.max(...sorted.map(({ code }) => code.length));
  const room = output.isTTY ? output.columns - INDENT.length * 3 - countWidth - codeWidth : Infinity;
  return sorted.map(({ code }, at) => {
    const count = (counts[at] ?? '').padEnd(countWidth);
    return `${INDENT}${count}${INDENT}${style.faint(sanitize(code).padEnd(codeWidth))}${INDENT}${cutEnd(meaningOf(code), Math.max(20, room))}`;
  });
}

function footer({ totals }: SurveyDocument, isFolded: boolean, { style, blind }: TableOptions): string[] {
  const lines = [blind ? 'It cannot be told what would go.' : totalWords(totals)];
  if (totals.rows > 0) lines.push(`${INDENT}coppice explain NAME  ${style.faint('why one of them goes or stays')}`);
  if (isFolded) lines.push(`${INDENT}coppice sweep --all   ${style.faint('every kept one by name')}`);
  return lines;
}

function totalWords({ rows, acting }: SurveyDocument['totals']): string {
  if (rows === 0) return 'There is nothing of these kinds.';
  return acting === 0 ? `Nothing would go of ${rows}.` : `${acting} of ${rows} would go. Nothing was changed.`;
}
