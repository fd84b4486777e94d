/** When a verb that acts first found something in the trash due. Another reading of the clock has to agree a day later. */
import * as v from 'valibot';
import type { Fact } from '../../judge/facts/fact.ts';
import { removeIfThere } from '../../system/remove-file.ts';
import { findState, type StateFolder, type StatePlace } from '../place.ts';
import { type Form, readState, writeState } from '../store.ts';
import { formatTime, time } from '../time.ts';

/** Milliseconds since 1970, by `trash:<entry>` and `anchors:<entry>`. */
export type SeenDue = ReadonlyMap<string, number>;

const DUE: Form<SeenDue> = {
  schema: 'coppice.due.v1',
  shape: v.pipe(
    v.strictObject({ seen: v.record(v.pipe(v.string(), v.regex(/^(?:trash|anchors):[0-9A-Z]+-[0-9a-f]+$/)), time) }),
    v.transform(({ seen }): SeenDue => new Map(Object.entries(seen))),
  ),
  write: (seen) => ({ seen: Object.fromEntries([...seen].map(([key, at]) => [key, formatTime(at)])) }),
};

const FILE = 'due.json';

/** Empty where nothing was seen, or what was seen cannot be read: then it is seen for the first time. */
export function readSeenDue(place: StatePlace): SeenDue {
  const folder = findState(place);
  const seen: Fact<SeenDue> =
    folder.kind === 'known' ? readState(`${folder.value.path}/${FILE}`, DUE, folder.value.account) : { kind: 'absent' };
  return seen.kind === 'known' ? seen.value : new Map();
}

/** @throws UserError `write-failed` */
export function writeSeenDue({ path }: StateFolder, seen: SeenDue): void {
  if (seen.size === 0) removeIfThere(`${path}/${FILE}`);
  else writeState(`${path}/${FILE}`, DUE, seen);
}
