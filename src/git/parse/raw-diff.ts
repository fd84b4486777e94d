import { type Oid, parseOid } from '../../judge/facts/names.ts';

/** One path of a difference between two trees. */
export interface RawEntry {
  /** Mode as a number, 0 where the path does not exist. */
  readonly beforeMode: number;
  readonly afterMode: number;
  /** The id; all zeros where the path does not exist. */
  readonly before: string;
  readonly after: string;
  /** As a byte string. */
  readonly path: string;
}

/** Told what is read: the two trees of a pair, then its paths. */
export interface RawDiffReader {
  pair(before: Oid, after: Oid): void;
  entry(entry: RawEntry): void;
  /** A line that was echoed because it names no trees. */
  echo(line: string): void;
}

/** Modes, ids, status and path. One expression for all of it: there are very many of these. */
const ENTRY = /:([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) [ADMTU]\0([^\0]*)\0/y;

/**
 * Reads `diff-tree --stdin -r --raw -z` in pieces of any size: per pair of trees a line with the two ids, then the
 * paths, each ended by a NUL.
 */
export class RawDiffParser {
  private rest = '';

  private readonly reader: RawDiffReader;

  constructor(reader: RawDiffReader) {
    this.reader = reader;
  }

  /** @returns false when the output is not of the expected form; nothing read after it may be believed. */
  push(chunk: Buffer): boolean {
    const text = this.rest === '' ? chunk.toString('latin1') : this.rest + chunk.toString('latin1');
    let at = 0;
    while (at < text.length) {
      const next = text.charCodeAt(at) === 58 ? this.readEntry(text, at) : this.readHeader(text, at);
      if (next === 0) break;
      if (next < 0) return false;
      at = next;
    }
    this.rest = text.slice(at);
    return true;
  }

  /** True when nothing is left half read. */
  isComplete(): boolean {
    return this.rest === '';
  }

  /** The index behind what was read; 0 when more is needed, -1 when it is malformed. */
  private readEntry(text: string, at: number): number {
    ENTRY.lastIndex = at;
    const match = ENTRY.exec(text);
    if (match === null) {
      const endOfHead = text.indexOf('\0', at);
      return endOfHead < 0 || text.indexOf('\0', endOfHead + 1) < 0 ? 0 : -1;
    }
    const [, modeBefore = '', modeAfter = '', before = '', after = '', path = ''] = match;
    this.reader.entry({
      beforeMode: Number.parseInt(modeBefore, 8),
      afterMode: Number.parseInt(modeAfter, 8),
      before,
      after,
      path,
    });
    return ENTRY.lastIndex;
  }

  private readHeader(text: string, at: number): number {
    const end = text.indexOf('\n', at);
    if (end < 0) return 0;
    const line = text.slice(at, end);
    const [first = '', second = '', more] = line.split(' ');
    const before = parseOid(first);
    const after = parseOid(second);
    if (before !== null && after !== null && more === undefined) this.reader.pair(before, after);
    else this.reader.echo(line);
    return end + 1;
  }
}
