/** Reading the record of what was done. */
import { readdirSync } from 'node:fs';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { toByteString } from '../system/bytes.ts';
import { readBounded, sayFault } from '../system/files.ts';
import { type JournalEntry, parseEntry, TORN } from './journal.ts';
import { findFolder, type StatePlace } from './place.ts';

/** The largest file of one month that is read, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** A line of the journal. */
export interface JournalLine {
  /** The file's name, as a byte string. */
  readonly file: string;
  /** From 1; 0: the file as a whole. */
  readonly line: number;
}

export interface Journal {
  /** In the order in which they were written. */
  readonly entries: readonly JournalEntry[];
  /** Lines that a crash cut off: what they were to announce was never done. */
  readonly torn: readonly JournalLine[];
  /** What is there and cannot be understood: entries may be missing. */
  readonly damaged: readonly (JournalLine & { readonly why: string })[];
}

/** The whole journal of a repository. Absent: nothing was ever done here. */
export function readJournal(place: StatePlace): Fact<Journal> {
  const folder = findFolder(place, 'journal');
  if (folder.kind !== 'known') return folder;
  const { path, account } = folder.value;
  const [entries, torn, damaged]: [JournalEntry[], JournalLine[], Journal['damaged'][number][]] = [[], [], []];
  let names: string[];
  try {
    names = readdirSync(path).sort();
  } catch (fault) {
    return unknown(`the journal cannot be listed: ${sayFault(fault)}`);
  }
  for (const name of names) {
    const file = toByteString(name);
    const bytes = /^\d{4}-\d\d\.jsonl$/.test(name)
      ? readBounded(`${path}/${name}`, LARGEST, { owner: account })
      : unknown<Buffer>('it is no file of the journal');
    if (bytes.kind !== 'known') {
      damaged.push({ file, line: 0, why: bytes.kind === 'unknown' ? bytes.reason : 'it is gone' });
      continue;
    }
    for (const { line, text } of linesOf(bytes.value)) {
      if (text === null) {
        torn.push({ file, line });
        continue;
      }
      const entry = parseEntry(text);
      if (entry.kind === 'known') entries.push(entry.value);
      else damaged.push({ file, line, why: entry.kind === 'unknown' ? entry.reason : '' });
    }
  }
  return known({ entries, torn, damaged });
}

const SEAL = Buffer.from(TORN);

/** The lines of a file; null is a torn one: without an end, or ended by the writer that found it so. */
function* linesOf(bytes: Buffer): Generator<{ readonly line: number; readonly text: Buffer | null }> {
  let line = 1;
  for (let at = 0; at < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, at);
    const text = bytes.subarray(at, end < 0 ? bytes.length : end);
    yield { line, text: end < 0 || text.subarray(-SEAL.length).equals(SEAL) ? null : text };
    at = end < 0 ? bytes.length : end + 1;
  }
}
