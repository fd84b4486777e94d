import type { Output } from '../context.ts';
import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { sizeWords } from '../judge/size.ts';
import { renderHeading } from './heading.ts';
import { nextSteps, type Step, sweepWith } from './next-steps.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { cutEnd, cutMiddle, padText, textWidth } from './width.ts';
import { ACTIONS, countKinds, countOf, meaningOf } from './words.ts';

export interface TableOptions {
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
    ...(kept.length === 0 ? [] : section('Kept', kept, options.style.stays, keptLines(kept, options))),
    '',
    ...footer(document, kept.length > 0 && !options.all, options),
  ];
  return `${lines.join('\n')}\n`;
}

/** A heading with its lines. */
export function section(
  title: string,
  rows: readonly RowDocument[],
  paint: (text: string) => string,
  lines: string[],
): string[] {
  return ['', `${paint(title)}: ${countKinds(rows)}`, ...lines];
}

/** Each by name. */
export function rowLines(rows: readonly RowDocument[], { output, style }: TableOptions): string[] {
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

/** Counted, unless all were asked for. */
export function keptLines(rows: readonly RowDocument[], options: TableOptions): string[] {
  return options.all ? rowLines(rows, options) : foldedLines(rows, options);
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

function footer(document: SurveyDocument, isFolded: boolean, { style, blind }: TableOptions): string[] {
  const isExplained = document.rows.some(({ kind }) => kind !== 'cache');
  const steps: Step[] = [
    ...applyStep(document),
    ...(isExplained ? [{ command: 'coppice explain NAME', what: 'why one of them goes or stays' }] : []),
    ...(isFolded ? [{ command: sweepWith(document, '--all'), what: 'every kept one by name' }] : []),
    ...nextSteps(document),
  ];
  const width = Math.max(...steps.map(({ command }) => command.length));
  return [
    blind ? 'It cannot be told what would go.' : totalWords(document),
    ...steps.map(({ command, what }) => `${INDENT}${command.padEnd(width)}${INDENT}${style.faint(what)}`),
  ];
}

function applyStep({ rows }: SurveyDocument): Step[] {
  const command = sweepWith({ rows }, '--apply');
  const actions = new Set(rows.map(({ action }) => action));
  if (actions.has('remove') || actions.has('delete')) return [{ command, what: 'put aside; it can be undone' }];
  return actions.has('save-patch') ? [{ command, what: 'copy what is not committed' }] : [];
}

function totalWords({ rows: all, totals }: SurveyDocument): string {
  const { rows, bytes } = totals;
  const going = all.filter(({ action }) => action !== 'keep' && action !== 'save-patch').length;
  if (rows === 0) return 'There is nothing of these kinds.';
  if (going === 0) return `Nothing would go of ${rows}.`;
  const isMore = all.some((row) => row.kind === 'worktree' && row.action === 'remove' && row.state.bytes.atLeast);
  const weight = bytes === 0 ? '' : `, with ${isMore ? 'at least ' : ''}${sizeWords(bytes)} on the disk`;
  return `${going} of ${rows} would go${weight}. Nothing was changed.`;
}
