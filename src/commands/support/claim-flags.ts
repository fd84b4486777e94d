/** The flags of `lease` and `run`, and which of them belong to which action. */
import { parseDuration } from '../../config/duration.ts';
import { COMMON_FLAGS, type CommonFlags, switchFlag, valueFlag } from './flags.ts';
import { didYouMean, nearest } from './nearest.ts';
import { usageError } from './usage-error.ts';

export const LEASE_ACTIONS = ['acquire', 'heartbeat', 'release', 'show', 'run'] as const;
export const RUN_ACTIONS = ['start', 'heartbeat', 'finish', 'list'] as const;

export interface LeaseFlags extends CommonFlags {
  readonly worktree?: string;
  readonly task?: string;
  readonly pr?: number;
  readonly gate?: string;
  readonly owner?: string;
  readonly purpose?: string;
  /** Milliseconds. */
  readonly ttl?: number;
  /** Milliseconds since 1970. */
  readonly until?: number;
  readonly tokenFile?: string;
  /** Milliseconds. */
  readonly extend?: number;
  readonly steal: boolean;
  readonly because?: string;
}

export interface RunFlags extends CommonFlags {
  readonly title?: string;
  readonly lane?: readonly Lane[];
  /** Milliseconds. */
  readonly lease?: number;
}

export interface Lane {
  readonly task: string;
  readonly path: string;
}

const path = (brief: string, placeholder: string) => ({ ...valueFlag(placeholder, brief), parse: parsePath });
const length = (brief: string) => {
  return { kind: 'parsed', parse: parseLength, placeholder: 'DURATION', brief, optional: true } as const;
};

export const LEASE_FLAGS = {
  worktree: path('The worktree that is meant, by its top folder, instead of the one around the caller', 'PATH'),
  task: valueFlag('TASK', 'What is worked on'),
  pr: { kind: 'parsed', parse: parsePullRequest, placeholder: 'N', brief: 'The pull request', optional: true },
  gate: valueFlag('GATE', 'What it waits for, such as a review'),
  owner: valueFlag('NAME', 'Who works there'),
  purpose: valueFlag('TEXT', 'Why, for people'),
  ttl: length('How long, from 1m to 30d (2h unless given)'),
  until: {
    kind: 'parsed',
    parse: parseUntil,
    placeholder: 'TIME',
    brief: 'Up to when, as 2026-11-30T12:00:00Z, instead of --ttl',
    optional: true,
  },
  tokenFile: path(
    'Where the token goes, or comes from; for acquire, nothing may be there but the token of that lease',
    'FILE',
  ),
  extend: length('With heartbeat: let it last at least so long from now'),
  steal: switchFlag('Take over a lease that ended more than 5 minutes ago; needs --because'),
  because: valueFlag('TEXT', 'Why it is stolen, for the record'),
  ...COMMON_FLAGS,
} as const;

export const RUN_FLAGS = {
  title: valueFlag('TEXT', 'With start: what the run is about'),
  lane: {
    kind: 'parsed',
    parse: parseLane,
    placeholder: 'TASK=PATH',
    brief: 'With start: a task and its worktree, which may not be there yet; once for each lane',
    optional: true,
    variadic: true,
  },
  lease: length('With start: how long it counts after it was last heard of, from 1m to 30d (24h unless given)'),
  ...COMMON_FLAGS,
} as const;

const COMMON = ['json', 'exitZero', 'directory'];
const TAKING = ['task', 'pr', 'gate', 'owner', 'purpose', 'ttl', 'until', 'steal', 'because'];
const BELONGING: Readonly<Record<string, readonly string[]>> = {
  'lease acquire': ['worktree', 'tokenFile', ...TAKING],
  'lease run': ['worktree', 'tokenFile', ...TAKING],
  'lease heartbeat': ['worktree', 'tokenFile', 'extend'],
  'lease release': ['worktree', 'tokenFile'],
  'lease show': ['worktree'],
  'run start': ['title', 'lane', 'lease'],
};

/** The action that a word means. Throws wrong usage. */
export function actionOf<Action extends string>(verb: string, word: string, actions: readonly Action[]): Action {
  const action = actions.find((each) => each === word);
  if (action !== undefined) return action;
  const hint = didYouMean(nearest(word, actions)) ?? `it takes ${actions.join(', ')}`;
  throw usageError('unknown-action', `coppice ${verb} knows no "${word}"`, hint);
}

/** Throws wrong usage when a flag is given that means nothing to the action. */
export function requireFlags(verb: string, action: string, flags: object): void {
  const known = [...COMMON, ...(BELONGING[`${verb} ${action}`] ?? [])];
  for (const [name, value] of Object.entries(flags)) {
    if (value === undefined || value === false || known.includes(name)) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const hint = `coppice ${verb} --help shows how it is used`;
    throw usageError('misplaced-flag', `${flag} does not go with ${verb} ${action}`, hint);
  }
}

/** Throws wrong usage when there are more words than an action takes. */
export function requireWords(verb: string, action: string, words: readonly string[], most: number): void {
  const extra = words[most];
  if (extra === undefined) return;
  const hint = `coppice ${verb} --help shows how it is used`;
  throw usageError('unexpected-argument', `${verb} ${action}: unexpected argument "${extra}"`, hint);
}

function parsePath(input: string): string {
  if (input === '') throw new Error('needs a value');
  return input;
}

function parseLength(input: string): number {
  const length = parseDuration(input);
  if (length.kind === 'wrong') throw new Error(`${length.why}: "${input}"`);
  return length.value;
}

function parsePullRequest(input: string): number {
  const number = /^#?([1-9]\d{0,9})$/.exec(input)?.[1];
  if (number === undefined) throw new Error(`is no number of a pull request: "${input}"`);
  return Number(number);
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** With an offset: a time without one means another moment on every machine. */
function parseUntil(input: string): number {
  const [, local = '', sign, hours = '0', minutes = '0'] = TIME.exec(input) ?? [];
  const time = Date.parse(`${local.toUpperCase()}Z`);
  // The parser takes the 30th of February for the 2nd of March.
  if (!Number.isFinite(time) || new Date(time).toISOString().slice(0, 19) !== local.toUpperCase().slice(0, 19)) {
    throw new Error(`is no time with its offset, such as 2026-11-30T12:00:00Z: "${input}"`);
  }
  return time - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function parseLane(input: string): Lane {
  const [, task, path] = /^([^=]+)=([^]+)$/.exec(input) ?? [];
  if (task === undefined || path === undefined) throw new Error(`is no TASK=PATH: "${input}"`);
  return { task, path };
}
