import { type Oid, parseOid } from '../../judge/facts/names.ts';

/** A path in the index. */
export interface TrackedFile {
  readonly path: string;
  /** Six octal digits. */
  readonly mode: string;
  readonly oid: Oid;
  /** `H`, or `S` for skip-worktree, in lower case with assume-unchanged; others have no bearing. */
  readonly tag: string;
}

/** What an index can hold: files, links, submodules, and folders of a sparse one. */
const MODES: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000', '040000']);

/** Reads `ls-files -v -s -z`; null when it is not of that form. */
export function parseTracked(output: Buffer): TrackedFile[] | null {
  const text = output.toString('latin1');
  if (text === '') return [];
  if (!text.endsWith('\0')) return null;
  const files: TrackedFile[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\0', at);
    const tab = text.indexOf('\t', at);
    if (tab < 0 || tab > end || text[at + 1] !== ' ' || text[at + 8] !== ' ') return null;
    const oid = parseOid(text.slice(at + 9, tab - 2));
    const mode = text.slice(at + 2, at + 8);
    // Of an index that was cut off git makes entries of nothing.
    if (oid === null || /^0+$/.test(oid) || !MODES.has(mode)) return null;
    files.push({ tag: text[at] as string, mode, oid, path: text.slice(tab + 1, end) });
    at = end + 1;
  }
  return files;
}

/** Reads `check-attr -z`: triples of path, attribute and value. The paths that have a value for it; null: not of that form. */
export function parseAttributes(output: Buffer): Set<string> | null {
  const text = output.toString('latin1');
  if (text === '') return new Set();
  const fields = text.slice(0, -1).split('\0');
  if (!text.endsWith('\0') || fields.length % 3 !== 0) return null;
  const paths = new Set<string>();
  for (let at = 0; at < fields.length; at += 3) {
    if (!['unspecified', 'unset'].includes(fields[at + 2] ?? '')) paths.add(fields[at] ?? '');
  }
  return paths;
}
