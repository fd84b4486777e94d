/** What `list` prints for people: one line a worktree. */
import type { Output } from '../context.ts';
import type { ListDocument } from '../contract/sweep.ts';
import { sizeWords } from '../judge/size.ts';
import { ageWords } from './amounts.ts';
import type { OutlineDocument, WorktreeDocument } from './document.ts';
import { renderHeading } from './heading.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { cutEnd, cutMiddle, padText, textWidth } from './width.ts';

interface ListOptions {
  readonly style: Style;
  readonly output: Output;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Of one worktree; `verdict` null: not judged so far. */
type Line = OutlineDocument & { readonly verdict: WorktreeDocument | null };

/** Not read so far. */
const PENDING = '…';
/** Could not be read. */
const UNKNOWN = '?';
const GAP = '  ';
const HEAD = ['worktree', 'state', 'holder', 'merged', 'sweep', 'age', 'size', 'path'];

export function renderList(document: ListDocument, options: ListOptions): string {
  const rows = document.rows.filter((row) => row.kind === 'worktree');
  const lines = rows.map((row): Line => ({ name: row.name, path: row.path, state: row.state, verdict: row }));
  return `${[...renderHeading(document, options.style), '', ...table(lines, options)].join('\n')}\n`;
}

/** The same while it is still being read. */
export function renderSketch(outlines: readonly OutlineDocument[], options: ListOptions): string[] {
  return [
    'reading…',
    '',
    ...table(
      outlines.map((outline): Line => ({ ...outline, verdict: null })),
      options,
    ),
  ];
}

function table(lines: readonly Line[], { style, output, now }: ListOptions): string[] {
  if (lines.length === 0) return ['There is no worktree.'];
  const cells = lines.map((line) => [
    sanitize(line.name),
    stateWords(line),
    sanitize(holderOf(line, now)),
    mergedWords(line),
    sweepWords(line),
    ageOf(line, now),
    sizeOf(line),
    sanitize(line.path ?? ''),
  ]);
  const widths = HEAD.map((head, column) =>
    Math.max(...[head, ...cells.map((row) => row[column] ?? '')].map(textWidth)),
  );
  // On a narrow terminal names and states give way, so that what they are listed for is seen.
  const [nameWidth = 0, stateWidth = 0] = widths;
  if (output.isTTY) {
    widths[0] = Math.min(nameWidth, Math.max(12, Math.floor(output.columns / 4)));
    widths[1] = Math.min(stateWidth, Math.max(8, Math.floor(output.columns / 5)));
  }
  const format = (row: readonly string[]) => {
    const padded = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      if (column === row.length - 1) return cell;
      const cut = column === 0 ? cutMiddle(cell, width) : cutEnd(cell, width);
      return padText(cut, width);
    });
    const whole = padded.join(GAP).trimEnd();
    return output.isTTY ? cutEnd(whole, output.columns - 1) : whole;
  };
  return [style.faint(format(HEAD)), ...cells.map(format)];
}

/** What is to be seen in it, the gravest first. */
function stateWords({ state, verdict }: Line): string {
  const { changes, operation, lock } = state;
  const counted = [
    [changes.conflicted, 'conflicted'],
    [changes.staged, 'staged'],
    [changes.unstaged, 'edited'],
    [changes.untracked, 'untracked'],
    [changes.ignored.precious, 'ignored'],
  ] as const;
  const seen = counted.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
  for (const { code } of verdict?.evidence ?? []) {
    const word = SEEN[code];
    if (word !== undefined) seen.unshift(word);
  }
  if (operation !== null) seen.unshift(`in a ${operation}`);
  if (lock !== null) seen.push('locked');
  if (seen.length > 0) return seen.join(', ');
  if (counted.every(([count]) => count !== null)) return 'clean';
  return verdict === null ? PENDING : UNKNOWN;
}

/** Who uses it, as they say; of what was not judged yet nobody is known to. */
function holderOf({ state: { lease, lock }, verdict }: Line, now: number): string {
  if (verdict === null) return PENDING;
  const isLive = lease !== null && lease.released === null && Date.parse(lease.expires) > now;
  return (isLive ? (lease.owner ?? lease.task ?? 'leased') : lock?.owner) ?? '-';
}

/** Evidence that says what became of a worktree, in a word. */
const SEEN: Readonly<Record<string, string>> = {
  missing: 'missing',
  'pointer-broken': 'pointer broken',
  'wrong-occupant': 'something else is there',
  'repository-damaged': 'damaged',
  'foreign-owner': "another account's",
  protected: 'protected, not read',
  'hidden-edits': 'hidden edits',
  'nested-repository': 'holds a repository',
  'submodule-commits': 'submodule has work',
  'process-inside': 'in use',
  'run-active': 'in a run',
};

function ageOf(line: Line, now: number): string {
  const { lastWrite } = line.state;
  return lastWrite === null ? pendingOr(line, '-') : ageWords(now - Date.parse(lastWrite));
}

function sizeOf(line: Line): string {
  const { value, atLeast } = line.state.bytes;
  return value === null ? pendingOr(line, '-') : `${sizeWords(value)}${atLeast ? '+' : ''}`;
}

function mergedWords({ verdict }: Line): string {
  if (verdict === null) return PENDING;
  const held = verdict.evidence.find(({ code }) => Object.hasOwn(NOT_MERGED, code));
  if (held !== undefined) return NOT_MERGED[held.code] ?? UNKNOWN;
  return verdict.evidence.find(({ effect }) => effect === 'spent')?.code ?? UNKNOWN;
}

/** Evidence that speaks against "merged", or that there is nothing to ask. */
const NOT_MERGED: Readonly<Record<string, string>> = {
  'main-worktree': '-',
  'detached-commits': 'no',
  unmerged: 'no',
  'no-own-commits': 'no own commits',
  'net-zero': 'no change',
  'reverted-later': 'taken back',
  'merged-locally': 'only locally',
};

function sweepWords({ verdict }: Line): string {
  if (verdict === null) return PENDING;
  return verdict.action === 'keep' ? verdict.reason.code : verdict.action;
}

function pendingOr({ verdict }: Line, otherwise: string): string {
  return verdict === null ? PENDING : otherwise;
}
