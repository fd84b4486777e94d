/** The figures of worktrees as Markdown. */
import { number, table } from './report.mjs';

export function shareReport(finished) {
  const parts = [
    `## ${finished.length} finished worktrees`,
    `${freeOf(finished)}: they would be removed, without a flag.`,
    table(
      ['landed', 'free', 'of'],
      sharesBy(finished, ({ landing }) => [landing]),
    ),
    table(
      ['story', 'free', 'of'],
      sharesBy(finished, ({ story }) => [story]),
    ),
    table(
      ['holds', 'free', 'of'],
      sharesBy(finished, ({ parts: names }) => names),
    ),
    holdTable(finished),
  ];
  return parts.filter((part) => part !== null).join('\n\n');
}

function sharesBy(trees, keysOf) {
  const counts = new Map();
  for (const tree of trees) {
    for (const key of keysOf(tree)) {
      const count = counts.get(key) ?? [0, 0];
      counts.set(key, [count[0] + (tree.isFree ? 1 : 0), count[1] + 1]);
    }
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, count]) => [key, ...count]);
}

function holdTable(trees) {
  const found = new Map();
  for (const { holds, branch } of trees) {
    for (const { code, text } of holds) {
      const one = found.get(code) ?? { count: 0, example: `${branch}: ${text}` };
      one.count += 1;
      found.set(code, one);
    }
  }
  if (found.size === 0) return null;
  const rows = [...found].sort(([, one], [, other]) => other.count - one.count);
  return table(
    ['hold', 'worktrees', 'for example'],
    rows.map(([code, { count, example }]) => [code, count, example]),
  );
}

export function moreReport(more) {
  const rows = more.map(({ title, isFree, row, holds }) => {
    const noted = row.evidence.filter(({ effect }) => effect === 'noted').map(({ code }) => code);
    const why = holds.map(({ code, text }) => `${code}: ${text}`).join('; ');
    return [title, isFree ? 'free' : 'kept', isFree ? noted.join(', ') : why || 'nothing proves it'];
  });
  return `## What else is found\n\nEach alone in a finished worktree. No goal: some of it is worth keeping.\n\n${table(['what', '', 'why'], rows)}`;
}

export function ownReport(own) {
  const isSeen = ({ code, holds }) => holds.some((hold) => new RegExp(`^(?:${patternOf(code)})$`).test(hold.code));
  const rows = own
    .filter((tree) => tree.isFree || !isSeen(tree))
    .map((tree) => [
      tree.title,
      tree.branch,
      patternOf(tree.code),
      tree.holds.map(({ code }) => code).join(', ') || '-',
    ]);
  const kinds = new Set(own.map(({ title }) => title)).size;
  return [
    '## The same, each with something of its own',
    `${kinds} kinds of things. ${freeOf(own)}; ${own.filter(isSeen).length} held by the hold that is about it.`,
    ...(rows.length === 0 ? [] : [table(['what', 'branch', 'expected', 'holds'], rows)]),
  ].join('\n\n');
}

function patternOf(code) {
  return code instanceof RegExp ? code.source : code;
}

export function timesReport(sizes) {
  const rows = sizes.flatMap(({ title, ignored, times, processes }) =>
    times.map(({ title: command, ms, ratio }, index) => [
      index === 0 ? `${title}${ignored > 0 ? ` and ${ignored} ignored ones` : ''}` : '',
      command,
      number(ms),
      ratio.toFixed(2),
      index === times.length - 1 ? (processes ?? '-') : '',
    ]),
  );
  const head = ['worktrees', 'command', 'wall ms', '×', 'git processes'];
  return `## Time\n\n${table(head, rows)}\n\nMedians of ${sizes[0].runs} rounds after one to warm up; ×: the median of the ratios in each round.`;
}

/** How long it takes to look at who is there. */
export function processReport(rows, runs) {
  const lines = rows.map(({ sleeping, all, worktrees, scan, sweep }) => [
    String(sleeping),
    String(all),
    String(worktrees),
    scan.toFixed(1),
    sweep === null ? '-' : number(sweep),
  ]);
  const head = ['sleeping', 'processes in all', 'worktrees', 'look at processes ms', 'whole sweep ms'];
  return `## Processes\n\n${table(head, lines)}\n\nMedians of ${runs} runs after one to warm up. The sweep is of all worktrees, without a fetch.`;
}

/** How long it takes to put a worktree aside and to bring it back. */
export function retireReport(rows, runs) {
  const [first] = rows;
  const lines = rows.map(({ files, ignored, ms }) => [
    String(files),
    String(ignored),
    ...ms.map((value, column) => `${value.toFixed(value < 10 ? 2 : 0)} (${(value / first.ms[column]).toFixed(1)}×)`),
  ]);
  const head = ['tracked', 'ignored', 'look ms', 'put aside ms', 'its renames ms', 'bring back ms', 'its renames ms'];
  return `## Putting aside\n\n${table(head, lines)}\n\nMedians of ${runs} runs after one to warm up; ×: to the first line. Renames: all of them together, as the program saw them.`;
}

export function goals({ finished, own, times }) {
  const rows = [];
  const add = (goal, value, isMet) => rows.push([goal, value, isMet ? 'yes' : '**no**']);
  const share = finished.filter(({ isFree }) => isFree).length / finished.length;
  add('at least 90 % of the finished worktrees free', `${(100 * share).toFixed(0)} %`, share >= 0.9);
  const lost = own.filter(({ isFree }) => isFree).length;
  add('none free that has something of its own', lost, lost === 0);
  for (const { title, goal, times: measured } of times) {
    if (goal === undefined) continue;
    const { ratio } = measured.at(-1);
    add(`${title}: within ${goal} times \`git status\`, two at a time`, ratio.toFixed(2), ratio <= goal);
  }
  return `## Goals\n\n${table(['goal', 'measured', 'met'], rows)}`;
}

function freeOf(trees) {
  return `Free: ${trees.filter(({ isFree }) => isFree).length} of ${trees.length}`;
}
