/** Times in state files: RFC 3339 in UTC, ending in Z. In memory they are milliseconds since 1970. */
import * as v from 'valibot';

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Null: no such time, or one that does not end in Z. */
export function parseTime(text: string): number | null {
  if (!UTC.test(text)) return null;
  const time = Date.parse(text);
  // The parser takes the 30th of February for the 2nd of March.
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19) ? time : null;
}

/** To the second where nothing is lost by it. Throws on what RFC 3339 cannot write. */
export function formatTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  if (text.length !== 24) throw new RangeError(`no time for a file: ${text}`);
  return text.endsWith('.000Z') ? `${text.slice(0, 19)}Z` : text;
}

/** A time in a file, as milliseconds. */
export const time = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const milliseconds = parseTime(dataset.value);
    if (milliseconds !== null) return milliseconds;
    addIssue({ message: 'no time in UTC' });
    return NEVER;
  }),
);
