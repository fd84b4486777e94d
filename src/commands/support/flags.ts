import { parseDuration } from '../../config/duration.ts';
import { parseSize } from '../../config/size.ts';
import type { LeftoverKind } from '../../judge/row.ts';

/** The flags of verbs: types, and how they are parsed and described. */

/** Flags of every verb. */
export interface CommonFlags {
  readonly json: boolean;
  readonly exitZero: boolean;
  readonly directory?: string;
}

/** Flags of every verb that looks at a repository. */
export interface SurveyFlags extends CommonFlags {
  readonly base?: string;
  readonly remote?: string;
  readonly noFetch: boolean;
  readonly offline: boolean;
  /** Milliseconds. */
  readonly unused?: number;
  /** Milliseconds. */
  readonly idle?: number;
  /** Bytes. */
  readonly archiveUpTo?: number;
}

/** Flags of `list`. */
export interface ListFlags extends CommonFlags {
  readonly base?: string;
  readonly remote?: string;
  readonly noFetch: boolean;
  readonly offline: boolean;
}

/** Flags of `sweep`. */
export interface SweepFlags extends SurveyFlags {
  readonly only?: readonly LeftoverKind[];
  /** Bytes. */
  readonly budget?: number;
  readonly all: boolean;
  readonly apply: boolean;
}

/** Flags of `retire` and `rm`. */
export interface RetireFlags extends SurveyFlags {
  readonly apply: boolean;
  readonly keepBranch: boolean;
}

/** Flags of `undo`. */
export interface UndoFlags extends CommonFlags {
  readonly last: boolean;
  readonly branch?: string;
  readonly as?: string;
  readonly to?: string;
  readonly detach: boolean;
}

/** Flags of `history`. */
export interface HistoryFlags extends CommonFlags {
  readonly limit?: number;
}

/** Flags of `purge`. */
export interface PurgeFlags extends CommonFlags {
  readonly apply: boolean;
  readonly all: boolean;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly id?: string;
}

/** Flags of `notes`. */
export interface NotesFlags extends CommonFlags {
  readonly all: boolean;
  readonly to?: string;
  readonly apply: boolean;
}

/** Flags of `unlock`. */
export interface UnlockFlags extends CommonFlags {
  readonly dead: boolean;
}

/** The flags of one verb, without a prototype: the parser looks them up by index, and `--constructor` is no flag. */
export function flagTable<Flags extends object>(flags: Flags): Flags {
  return Object.assign(Object.create(null), flags) as Flags;
}

/** A flag that is there or not. Without `withNegated: false` the parser would invent a `--no-…` for it. */
export function switchFlag(brief: string) {
  return { kind: 'boolean', brief, withNegated: false } as const;
}

/** A flag with a value. */
export function valueFlag(placeholder: string, brief: string) {
  return { kind: 'parsed', parse: parseValue, placeholder, brief, optional: true } as const;
}

/** A flag with a span of time. */
export function ageFlag(brief: string) {
  return { kind: 'parsed', parse: parseAge, placeholder: 'AGE', brief, optional: true } as const;
}

/** A flag with a size. */
export function sizeFlag(brief: string) {
  return { kind: 'parsed', parse: parseBytes, placeholder: 'SIZE', brief, optional: true } as const;
}

/** A flag with a number of things, from 1. */
export function numberFlag(brief: string) {
  return { kind: 'parsed', parse: parseNumber, placeholder: 'N', brief, optional: true } as const;
}

/** `-C`, for `aliases`. */
export const COMMON_ALIASES = { C: 'directory' } as const;

export const COMMON_FLAGS = {
  json: switchFlag('Print one JSON document instead of text'),
  exitZero: switchFlag('Answer 0 instead of 1 when there is nothing to do'),
  directory: { ...valueFlag('DIR', 'Act as if started in DIR; may stand before the verb'), parse: parseFolder },
} as const;

export const SURVEY_FLAGS = {
  base: valueFlag(
    'REF',
    "Judge by this branch instead of the default branch of the remote; a plain name means the remote's branch where it has one",
  ),
  remote: valueFlag('NAME', 'The remote to judge by'),
  noFetch: switchFlag('Leave the remote unread and judge by what was last fetched'),
  offline: switchFlag('Use no network at all'),
  idle: ageFlag('Keep a worktree that was written to within this time, such as 2d; 0s holds nothing for that'),
  archiveUpTo: sizeFlag(
    'Keep copies of ignored files that nothing makes again, however many, up to this size of a worktree, such as 2G',
  ),
  unused: ageFlag('Let go what never had a commit of its own and was not touched for so long, such as 7d'),
} as const;

// A value that begins with a dash could be taken for a flag by a program it is handed to; no ref or remote does.
function parseValue(input: string): string {
  if (input === '') throw new Error('needs a value');
  if (input.startsWith('-')) throw new Error(`cannot begin with a dash: "${input}"`);
  return input;
}

function parseAge(input: string): number {
  const age = parseDuration(input);
  if (age.kind === 'wrong') throw new Error(`${age.why}: "${input}"`);
  return age.value;
}

function parseBytes(input: string): number {
  const size = parseSize(input);
  if (size.kind === 'wrong') throw new Error(`${size.why}: "${input}"`);
  return size.value;
}

function parseNumber(input: string): number {
  if (!/^[1-9]\d{0,8}$/.test(input)) throw new Error(`is no number from 1 on: "${input}"`);
  return Number(input);
}

function parseFolder(input: string): string {
  if (input === '') throw new Error('needs a value');
  return input;
}
