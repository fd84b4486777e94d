import type { Style } from './style.ts';
import { padText, textWidth, wrapText } from './width.ts';

const WIDTH = 80;

export interface FlagLine {
  readonly flag: string;
  readonly brief: string;
}

/** What the help of one verb says. */
export interface VerbPage {
  readonly name: string;
  readonly brief: string;
  /** `NAME|PATH`, `[VERB]`, or nothing. */
  readonly operands: string;
  readonly flags: readonly FlagLine[];
  readonly about: readonly string[];
  readonly examples: readonly { readonly command: string; readonly what: string }[];
}

/** What each exit code says, in one line each. */
export const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'something would be done; or yes; or a list was printed'],
  ['1', 'completed, nothing to do (0 with --exit-zero)'],
  ['2', 'refused, a fault, or it cannot be told'],
  ['3', 'another one holds what is needed; come back later'],
  ['64', 'wrong usage'],
];

/** The page that `coppice` and `coppice help` print. */
export function renderOverview(verbs: readonly VerbPage[], style: Style): string {
  return lines([
    'coppice finds linked git worktrees and branches that are provably finished, and says why.',
    '',
    style.strong('Usage'),
    '  coppice VERB [FLAGS]',
    '',
    style.strong('Verbs'),
    ...columns(verbs.map((verb) => [usageWords(verb), verb.brief] as const)),
    '',
    style.strong('Flags of every verb'),
    ...columns([
      ['-C DIR', 'act as if started in DIR; may stand before the verb'],
      ['--json', 'print one JSON document instead of text'],
      ['--exit-zero', 'answer 0 instead of 1 when there is nothing to do'],
      ['--help', "the verb's own page"],
      ['--version', "coppice's version (instead of a verb)"],
    ]),
    '',
    style.strong('Exit codes'),
    ...columns(EXIT_CODES),
    '',
    'Try it on a throw-away repository: coppice demo',
  ]);
}

/** The page of one verb. */
export function renderVerbHelp(verb: VerbPage, style: Style): string {
  return lines([
    `coppice ${verb.name}: ${verb.brief}`,
    '',
    style.strong('Usage'),
    `  coppice ${usageWords(verb)}${verb.flags.length > 0 ? ' [FLAGS]' : ''}`,
    ...verb.about.flatMap((paragraph) => ['', ...wrapText(paragraph, WIDTH)]),
    ...(verb.flags.length > 0
      ? ['', style.strong('Flags'), ...columns(verb.flags.map(({ flag, brief }) => [flag, brief] as const))]
      : []),
    '',
    style.strong('Examples'),
    ...verb.examples.flatMap(({ command, what }) => [`  ${command}`, `      ${style.faint(what)}`]),
  ]);
}

function usageWords(verb: VerbPage): string {
  return verb.operands === '' ? verb.name : `${verb.name} ${verb.operands}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([first]) => textWidth(first)));
  return rows.flatMap(([first, second]) => {
    const [line = '', ...more] = wrapText(second, WIDTH - left - 4);
    return [`  ${padText(first, left)}  ${line}`, ...more.map((next) => ' '.repeat(left + 4) + next)];
  });
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
