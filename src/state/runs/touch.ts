import { isLaneOf, type RunRecord } from '../../judge/facts/claims.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { realPathOr } from '../../system/paths.ts';
import { ensureFolder, type StateFolder, type StatePlace } from '../place.ts';
import { writeState } from '../store.ts';
import { readRuns } from './read.ts';
import { RUN_FORM } from './record.ts';

/**
 * Tells the unfinished runs that name a working copy that it is alive, and gives their ids. One that cannot be read is
 * passed over here: it holds everything anyway.
 */
export function touchRuns(
  folder: StateFolder,
  place: StatePlace,
  worktree: { readonly key: string; readonly path: AbsPath },
  now: number,
): readonly string[] {
  const runs = readRuns(place);
  if (runs.kind !== 'known') return [];
  const copy = { ...worktree, realPath: realPathOr(worktree.path) };
  const named = runs.value.runs.filter(
    ({ finished, lanes }) => finished === null && lanes.some((lane) => isLaneOf(lane, copy)),
  );
  for (const run of named) writeRun(folder, { ...run, updated: Math.max(run.updated, now) });
  return named.map(({ id }) => id);
}

export function writeRun(folder: StateFolder, run: RunRecord): void {
  writeState(`${ensureFolder(folder, 'runs')}/${run.id}.json`, RUN_FORM, run);
}
