import * as v from 'valibot';

/** A full object id. */
export const oid = v.pipe(
  v.string(),
  v.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/),
  v.description('A full object id: 40 or 64 lower-case hex digits.'),
);

/** A stable word. New ones may be added; published ones stay. */
export const code = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  v.description('A stable word. New ones may be added, published ones stay.'),
);

/** A moment. */
export const time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, UTC.'));

/** A path for people. */
export const path = v.pipe(v.string(), v.description("A path; the caller's home folder is written ~."));

/** For people: may change from version to version. */
export const text = v.pipe(v.string(), v.description('For people; may change from version to version.'));

/** A number of things. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A full ref name. */
export const refName = v.pipe(v.string(), v.regex(/^refs\//), v.description('A full ref name.'));
