/** Ids of coppice's own: the time in UTC, a slug for people where there is one, and random digits. */

/** `20261130T120000Z`. */
function stampOf(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').concat('Z');
}

const MOST_SLUG = 40;
const STAMP = '20261130T120000Z'.length;
const DIGITS = 8;

/** Of a foreign name only what says something to people and nothing to a file system. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_SLUG)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'x' : slug;
}

/** `20261130T120000Z-feature-x-3f9a0c1d`. */
export function journalId(now: number, name: string, digits: string): string {
  return `${stampOf(now)}-${slugOf(name)}-${digits}`;
}

/** `20261130T120000Z-3f9a0c1d`. */
export function runId(now: number, digits: string): string {
  return `${stampOf(now)}-${digits}`;
}

/** The entry in the trash of what one act put aside, and the name of its anchors: without what it was done to. */
export function entryOf(id: string): string {
  return `${id.slice(0, STAMP)}-${id.slice(-DIGITS)}`;
}

/** When a run began, from its id, in milliseconds since 1970. */
export function timeOfRun(run: string): number {
  return Date.parse(run.slice(0, STAMP).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

export const JOURNAL_ID = /^\d{8}T\d{6}Z-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{8}$/;
export const RUN_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
