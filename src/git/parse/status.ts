import { type Oid, parseOid } from '../../judge/facts/names.ts';

/** A path as the index has it. */
export interface Staged {
  /** As git writes it, such as `100644`. */
  readonly mode: string;
  readonly oid: Oid;
}

/** One path of `status --porcelain=v2 -z`. Paths are byte strings. */
export type StatusEntry =
  | {
      readonly kind: 'changed';
      /** Two letters: the index against HEAD, the tree against the index; `.` is unchanged. */
      readonly states: string;
      /** `N...` or, for a submodule, `S` with its commit, modified and untracked marks. */
      readonly submodule: string;
      readonly path: string;
      /** Where it was renamed or copied from. */
      readonly from: string | null;
      /** What the index has; null: nothing. */
      readonly index: Staged | null;
    }
  | {
      readonly kind: 'unmerged';
      readonly states: string;
      readonly submodule: string;
      readonly path: string;
      /** What the index has of the common ancestor, of ours and of theirs; null: nothing. */
      readonly stages: readonly (Staged | null)[];
    }
  | { readonly kind: 'untracked'; readonly path: string }
  | { readonly kind: 'ignored'; readonly path: string };

/** Reads `status --porcelain=v2 -z`; header lines are passed over. Null when it is not of that form. */
export function parseStatus(output: Buffer): StatusEntry[] | null {
  const text = output.toString('latin1');
  if (text === '') return [];
  if (!text.endsWith('\0')) return null;
  const records = text.slice(0, -1).split('\0');
  const entries: StatusEntry[] = [];
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as string;
    if (record.startsWith('# ')) continue;
    const entry = parseRecord(record, records[at + 1]);
    if (entry === null) return null;
    if (entry.kind === 'changed' && entry.from !== null) at++;
    entries.push(entry);
  }
  return entries;
}

function parseRecord(record: string, next: string | undefined): StatusEntry | null {
  const rest = record.slice(2);
  switch (record.slice(0, 2)) {
    case '? ':
      return rest === '' ? null : { kind: 'untracked', path: rest };
    case '! ':
      return rest === '' ? null : { kind: 'ignored', path: rest };
    case '1 ':
      return changed(rest, 7, null);
    case '2 ':
      return next === undefined ? null : changed(rest, 8, next);
    case 'u ':
      return unmerged(rest);
    default:
      return null;
  }
}

function changed(rest: string, fields: number, from: string | null): StatusEntry | null {
  const split = splitFields(rest, fields);
  if (split === null || parseOid(split.fields[6] ?? '') === null) return null;
  const [states = '', submodule = '', , mode = '', , , oid = ''] = split.fields;
  return { kind: 'changed', states, submodule, path: split.path, from, index: staged(mode, oid) };
}

function staged(mode: string, id: string): Staged | null {
  const oid = parseOid(id);
  return mode === '000000' || oid === null ? null : { mode, oid };
}

function unmerged(rest: string): StatusEntry | null {
  const split = splitFields(rest, 9);
  if (split === null || parseOid(split.fields[8] ?? '') === null) return null;
  const [states = '', submodule = '', base = '', ours = '', theirs = '', , ...ids] = split.fields;
  const stages = [base, ours, theirs].map((mode, at) => staged(mode, ids[at] ?? ''));
  return { kind: 'unmerged', states, submodule, path: split.path, stages };
}

/** The first fields, and the path behind them, which may hold blanks. */
function splitFields(text: string, count: number): { fields: string[]; path: string } | null {
  const fields: string[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const end = text.indexOf(' ', at);
    if (end < 0) return null;
    fields.push(text.slice(at, end));
    at = end + 1;
  }
  return at < text.length ? { fields, path: text.slice(at) } : null;
}
