import { type Oid, parseOid } from '../../judge/facts/names.ts';
import type { ReflogEntry } from '../../judge/graph/reflog.ts';

// No name or address holds a tab or an angle bracket, so a message that looks like a line of its own fools nobody.
const LINE = /^([0-9a-f]+) ([0-9a-f]+) [^\t<]*<[^\t>]*> (\d+) [+-]\d+(?:\t(.*))?$/s;

/** Reads a reflog file, oldest entry first; null when a line is not of the form git writes. */
export function parseReflog(contents: Buffer): ReflogEntry[] | null {
  const entries: ReflogEntry[] = [];
  const text = contents.toString('latin1');
  if (text !== '' && !text.endsWith('\n')) return null;
  for (const line of text.split('\n').slice(0, -1)) {
    const match = LINE.exec(line);
    if (!match) return null;
    const [, before = '', after = '', time = '', message = ''] = match;
    if (!isId(before) || !isId(after)) return null;
    entries.push({ before: idOf(before), after: idOf(after), time: Number(time), message });
  }
  return entries;
}

function isId(text: string): boolean {
  return parseOid(text) !== null;
}

function idOf(text: string): Oid | null {
  return /^0+$/.test(text) ? null : parseOid(text);
}
