/**
 * The record of what coppice does to a repository: one line a step, on the disk before the change that it announces.
 * A file a month below `<common git dir>/coppice/journal`; lines are only ever added.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import * as v from 'valibot';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString } from '../system/bytes.ts';
import { isFaultOf, sayFault, syncFolder, whyNotReadable } from '../system/files.ts';
import type { Self } from '../system/self.ts';
import type { FileId } from '../judge/facts/worktree.ts';
import { fileId } from '../system/file-id.ts';
import { JOURNAL_ID, journalId } from './ids.ts';
import { fileIdShape } from './parts.ts';
import { ensureFolder, type StateFolder } from './place.ts';
import { type Form, LARGEST_STATE, parseState, toJson } from './store.ts';
import { formatTime, time } from './time.ts';

/** One step of what was done. Texts are byte strings. */
export interface JournalEntry {
  /** The same for all steps of one act. */
  readonly id: string;
  readonly time: number;
  readonly verb: string;
  /** `intent` comes before the change, `done` after it; `refused`: nothing was changed. */
  readonly step: string;
  /** What it was done to: a path or a name, which is only ever told. */
  readonly subject: string;
  readonly why: string;
  /** More that the verb needs to know again. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  readonly account: number;
  readonly pid: number;
  /** The repository it was done in: a copy of it has the same journal. */
  readonly commonDir: FileId;
}

const word = v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const FORM: Form<JournalEntry> = {
  schema: 'coppice.journal.v1',
  shape: v.strictObject({
    id: v.pipe(v.string(), v.regex(JOURNAL_ID)),
    time,
    verb: word,
    step: word,
    subject: v.string(),
    why: v.string(),
    detail: v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
    account: count,
    pid: count,
    commonDir: fileIdShape,
  }),
  write: ({ commonDir, ...entry }) => ({ ...entry, time: formatTime(entry.time), commonDir: { ...commonDir } }),
};

/** Ends a line that a crash cut off, so that the next one stands by itself. No JSON ends so. */
export const TORN = '#torn';

/** One line, without its end, as an entry. */
export function parseEntry(line: Uint8Array) {
  return parseState(line, FORM);
}

export interface JournalWorld {
  readonly self: Self;
  now(): number;
  random(bytes: number): Buffer;
}

/** What an act says of itself, the same in all its steps. */
export type Act = Pick<JournalEntry, 'verb' | 'subject' | 'why' | 'detail'>;

/** One act on record. */
export interface Recording {
  readonly id: string;
  /** Adds a step; when this returns, it is on the disk. @throws UserError `journal-failed` */
  step(step: string, why?: string): void;
  /** The same step, to be added together with those of other acts. */
  entry(step: string, why?: string): JournalEntry;
}

/**
 * Begins an act: nothing is written yet. To be used under the lifecycle lock.
 * @param name what it is done to, for the id.
 * @param commonDir a byte string.
 */
export function beginAct(
  folder: StateFolder,
  commonDir: string,
  world: JournalWorld,
  name: string,
  act: Act,
): Recording {
  return continueAct(folder, commonDir, world, journalId(world.now(), name, world.random(4).toString('hex')), act);
}

/** Goes on with an act that another process began. */
export function continueAct(
  folder: StateFolder,
  commonDir: string,
  world: JournalWorld,
  id: string,
  act: Act,
): Recording {
  const entry = (step: string, why = act.why): JournalEntry => ({
    ...act,
    why,
    id,
    step,
    time: world.now(),
    account: folder.account,
    pid: world.self.pid,
    commonDir: fileId(commonDir),
  });
  return { id, entry, step: (step, why) => appendSteps(folder, [entry(step, why)]) };
}

/** Adds steps of any acts; when this returns, all are on the disk. @throws UserError `journal-failed` */
export function appendSteps(folder: StateFolder, entries: readonly JournalEntry[]): void {
  const months = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const month = formatTime(entry.time).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), entry]);
  }
  for (const [month, same] of months) append(folder, month, same);
}

function append(folder: StateFolder, month: string, entries: readonly JournalEntry[]): void {
  const journal = ensureFolder(folder, 'journal');
  const path = `${journal}/${month}.jsonl`;
  const lines = entries.map((entry) =>
    Buffer.from(`${JSON.stringify(toJson({ schema: FORM.schema, ...FORM.write(entry) }))}\n`, 'utf8'),
  );
  if (lines.some((line) => line.length > LARGEST_STATE)) throw failed(path, 'the entry is too large');
  try {
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
    const descriptor = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const { size } = requireOwn(path, descriptor, folder.account);
      if (size > 0 && !endsLine(descriptor, size)) writeWhole(descriptor, Buffer.from(`${TORN}\n`));
      writeWhole(descriptor, Buffer.concat(lines));
      fsyncSync(descriptor);
      if (size === 0) syncFolder(journal);
    } finally {
      closeSync(descriptor);
    }
  } catch (fault) {
    if (fault instanceof UserError) throw fault;
    throw failed(path, isFaultOf(fault, 'ELOOP') ? 'it is a symbolic link' : sayFault(fault), fault);
  }
}

function requireOwn(path: string, descriptor: number, account: number) {
  const stats = fstatSync(descriptor);
  const why = whyNotReadable(stats, Number.MAX_SAFE_INTEGER, account);
  if (why !== null) throw failed(path, why);
  return stats;
}

function endsLine(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}

/** A line that is written in part, such as on a full disk, is a torn one. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function failed(path: string, why: string, cause?: unknown): UserError {
  return new UserError(
    'journal-failed',
    `nothing was changed, because ${toByteString(path)} cannot be written: ${why}`,
    {
      cause,
    },
  );
}
