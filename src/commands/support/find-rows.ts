import type { Row } from '../../judge/row.ts';
import { decodeBytes, encodeText } from '../../render/decode.ts';
import { readableId, readablePath } from '../../render/document.ts';
import { nearest } from './nearest.ts';

/** Where NAME is resolved from. */
interface Place {
  readonly directory: string;
  readonly home: string | null;
}

/**
 * The rows that NAME means: by the first of exact id, path, and name that finds any. Each is compared as bytes and as
 * coppice shows it, so that what was printed can be given back.
 */
export function findRows(rows: readonly Row[], name: string, place: Place): readonly Row[] {
  const bytes = encodeText(name);
  const absolute = resolvePath(name, place);
  const steps: readonly ((row: Row) => boolean)[] = [
    (row) => row.id === bytes || readableId(row, place.home) === name,
    (row) => row.path !== null && (row.path === encodeText(absolute) || readablePath(row.path, place.home) === name),
    (row) => namesOf(row).some((each) => each === bytes || decodeBytes(each) === name),
  ];
  for (const matches of steps) {
    const found = rows.filter(matches);
    if (found.length > 0) return found;
  }
  return [];
}

/** Names of rows that are close to one that was not found. */
export function closeNames(rows: readonly Row[], name: string): string[] {
  const isRef = name.startsWith('refs/');
  const names = rows.flatMap((row) => (row.kind === 'branch' && !isRef ? [row.name] : namesOf(row)));
  return nearest(name, new Set(names.map(decodeBytes)));
}

// A branch's name, a worktree's branch, and what stands after the colon of the id: a full ref, an admin name.
function namesOf(row: Row): string[] {
  const afterColon = row.id.slice(row.id.indexOf(':') + 1);
  return row.kind === 'branch' ? [row.name, afterColon] : [afterColon, row.name];
}

function resolvePath(path: string, { directory, home }: Place): string {
  const from = home !== null && (path === '~' || path.startsWith('~/')) ? `${home}${path.slice(1)}` : path;
  const parts: string[] = [];
  for (const part of (from.startsWith('/') ? from : `${directory}/${from}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
