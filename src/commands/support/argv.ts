import type { UserError } from '../../judge/facts/user-error.ts';
import { unknownFlag, usageError } from './usage-error.ts';

/** What was asked, before the verb's own flags are parsed. */
export interface Call {
  /** Null when none is named. */
  readonly verb: string | null;
  /** What follows the verb, with the flags that stood before it. */
  readonly inputs: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

const HELP = new Set(['--help', '-h']);
// Flags that every verb has; they may stand before it.
const ANYWHERE = new Set(['--json', '--exit-zero', '--version', ...HELP]);
const JSON_FLAG = /^--json(?:=(?:true|t|yes|y|on|1))?$/i;

// The shapes that the argument parser takes for flags; what else begins with a dash it would take for an argument.
const FLAG_SHAPE = /^(?:-[a-z]+|-[a-z]=[^]+|--[a-z][a-z\d._-]+(?:=.+)?)$/i;

/** True when an answer in JSON is wanted: `--json`, wherever it stands. */
export function wantsJson(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((word) => JSON_FLAG.test(word));
}

/** Splits the words of a call; throws wrong usage. */
export function parseCall(argv: readonly string[]): Call {
  const { leading, rest } = splitLeading(argv);
  const [verb = null, ...following] = rest;
  const inputs = [...leading, ...following];
  const words = beforeDashes(inputs);
  for (const word of words) requireFlagShape(word, verb);
  return {
    verb,
    inputs: inputs.filter((word, at) => at >= words.length || !HELP.has(word)),
    wantsHelp: words.some((word) => HELP.has(word)),
    wantsVersion: leading.includes('--version'),
  };
}

function splitLeading(argv: readonly string[]): { leading: readonly string[]; rest: readonly string[] } {
  let at = 0;
  for (let word = argv[0]; word?.startsWith('-'); word = argv[at]) {
    if (word === '-C') {
      if (argv[at + 1] === undefined) throw usageError('missing-value', '-C needs a value', 'coppice -C DIR sweep');
      at += 2;
    } else if (ANYWHERE.has(word) || word.startsWith('-C=') || JSON_FLAG.test(word)) {
      at += 1;
    } else {
      throw unknownFlag(word, null, [...ANYWHERE, '-C']);
    }
  }
  return { leading: argv.slice(0, at), rest: argv.slice(at) };
}

function requireFlagShape(word: string, verb: string | null): void {
  if (!word.startsWith('-') || word === '-' || FLAG_SHAPE.test(word)) return;
  if (word.endsWith('=')) throw emptyValue(word.slice(0, -1), verb);
  throw unknownFlag(word, verb, []);
}

function emptyValue(flag: string, verb: string | null): UserError {
  return usageError('missing-value', `${flag} needs a value`, `coppice ${verb ?? ''} --help shows how it is used`);
}

function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}
