/** The file of a run: `<common git dir>/coppice/runs/<id>.json`. */
import * as v from 'valibot';
import type { RunRecord } from '../../judge/facts/claims.ts';
import { RUN_ID } from '../ids.ts';
import { KEY } from '../key.ts';
import { absPath, DAY, detail, refName } from '../parts.ts';
import type { Form } from '../store.ts';
import { formatTime, time } from '../time.ts';

export const SHORTEST_RUN = 60_000;
export const LONGEST_RUN = 30 * DAY;
export const DEFAULT_RUN = DAY;
/** So many lanes fit into a state file, with paths of usual length. */
export const MOST_LANES = 200;

const lane = v.strictObject({
  task: detail,
  worktree: absPath,
  key: v.nullable(v.pipe(v.string(), v.regex(KEY))),
  branch: v.nullable(refName),
});

export const RUN_FORM: Form<RunRecord> = {
  schema: 'coppice.state.run.v1',
  shape: v.pipe(
    v.strictObject({
      id: v.pipe(v.string(), v.regex(RUN_ID)),
      title: detail,
      lanes: v.pipe(v.array(lane), v.minLength(1), v.maxLength(MOST_LANES)),
      started: time,
      updated: time,
      finished: v.nullable(time),
      lease: v.pipe(v.number(), v.safeInteger(), v.minValue(SHORTEST_RUN), v.maxValue(LONGEST_RUN)),
    }),
    v.check(({ started, updated }) => updated >= started, 'it was updated before it began'),
    v.check(({ started, finished }) => finished === null || finished >= started, 'it was finished before it began'),
  ),
  write: (run) => ({
    ...run,
    lanes: run.lanes.map((one) => ({ ...one })),
    started: formatTime(run.started),
    updated: formatTime(run.updated),
    finished: run.finished === null ? null : formatTime(run.finished),
  }),
};
