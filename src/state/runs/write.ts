/** Starting, keeping and finishing runs. */
import type { Lane, RunRecord, Runs } from '../../judge/facts/claims.ts';
import { formatDuration } from '../../config/duration.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { readPlace } from '../../git/read/repository.ts';
import { gitFor } from '../../git/run.ts';
import { requireFolder } from '../../system/require-folder.ts';
import { RUN_ID, runId } from '../ids.ts';
import { ensureKey } from '../key.ts';
import { withLifecycleLock } from '../lifecycle-lock.ts';
import { requireShort } from '../parts.ts';
import { findState, type StatePlace } from '../place.ts';
import type { StateWorld } from '../world.ts';
import { findMeant, isSameFolder, type Meant, proveIdentity } from '../worktree.ts';
import { readRuns } from './read.ts';
import { LONGEST_RUN, MOST_LANES, SHORTEST_RUN } from './record.ts';
import { writeRun } from './touch.ts';

export interface StartRequest {
  /** The caller's folder, or the one of `-C`; native. */
  readonly directory: string;
  /** A byte string. */
  readonly title: string;
  /** The task as a byte string, the path native. */
  readonly lanes: readonly { readonly task: string; readonly path: string }[];
  /** Milliseconds since it was last heard of. */
  readonly lease: number;
}

/**
 * @throws UserError `other-repository`, `repeated-lane`, and those of the lock, the worktrees and the files
 */
export async function startRun(world: StateWorld, request: StartRequest): Promise<RunRecord> {
  requireShort({ title: request.title });
  for (const { task } of request.lanes) requireShort({ task });
  if (request.lanes.length > MOST_LANES) {
    throw new UserError('bad-value', `a run has at most ${MOST_LANES} lanes`, { exit: 64 });
  }
  if (request.lease < SHORTEST_RUN || request.lease > LONGEST_RUN) {
    const most = `${formatDuration(SHORTEST_RUN)} to ${formatDuration(LONGEST_RUN)}`;
    throw new UserError('bad-value', `a run counts for ${most} since it was last heard of`, { exit: 64 });
  }
  const place = await placeOf(world, request.directory);
  const lanes: { readonly task: string; readonly meant: Meant }[] = [];
  for (const { task, path } of request.lanes) {
    const meant = await findMeant({ directory: request.directory, worktree: path }, world.env);
    if (!isSameFolder(meant.commonDir, place.commonDir)) {
      throw new UserError('other-repository', `${meant.path} is a worktree of another repository, ${meant.commonDir}`);
    }
    if (meant.kind === 'here') proveIdentity(meant);
    if (lanes.some((lane) => lane.meant.path === meant.path)) {
      throw new UserError('repeated-lane', `${meant.path} is named for two lanes`, { exit: 64 });
    }
    lanes.push({ task, meant });
  }
  return withLifecycleLock(place, world, (folder) => {
    const now = world.now();
    const run: RunRecord = {
      id: runId(now, world.random(4).toString('hex')),
      title: request.title,
      lanes: lanes.map(({ task, meant }): Lane => {
        if (meant.kind === 'gone') return { task, worktree: meant.path, key: null, branch: null };
        const key = ensureKey(meant.gitDir, folder.account, world.random);
        return { task, worktree: meant.path, key, branch: meant.branch };
      }),
      started: now,
      updated: now,
      finished: null,
      lease: request.lease,
    };
    writeRun(folder, run);
    return run;
  });
}

/** @throws UserError `no-such-run`, `run-finished`, `run-unreadable` */
export function keepRun(world: StateWorld, directory: string, id: string): Promise<RunRecord> {
  return change(world, directory, id, (run, now) => {
    if (run.finished === null) return { ...run, updated: Math.max(run.updated, now) };
    throw new UserError('run-finished', `run ${id} is finished`, { hint: 'coppice run start begins another one' });
  });
}

/** What is finished already stays as it is. @throws UserError `no-such-run`, `run-unreadable` */
export function finishRun(world: StateWorld, directory: string, id: string): Promise<RunRecord> {
  return change(world, directory, id, (run, now) => {
    return run.finished === null ? { ...run, finished: Math.max(run.started, now) } : run;
  });
}

/** All runs. Writes nothing. @throws UserError `run-unreadable` */
export async function listRuns(world: StateWorld, directory: string): Promise<Runs> {
  const runs = readRuns(await placeOf(world, directory));
  if (runs.kind === 'unknown') throw new UserError('run-unreadable', `the runs cannot be read: ${runs.reason}`);
  return runs.kind === 'known' ? runs.value : { runs: [], unreadable: [] };
}

async function change(
  world: StateWorld,
  directory: string,
  id: string,
  edit: (run: RunRecord, now: number) => RunRecord,
): Promise<RunRecord> {
  const place = await placeOf(world, directory);
  if (!RUN_ID.test(id) || findState(place).kind === 'absent') throw noRun(id);
  return withLifecycleLock(place, world, (folder) => {
    const run = findRun(place, id);
    const edited = edit(run, world.now());
    if (edited !== run) writeRun(folder, edited);
    return edited;
  });
}

function findRun(place: StatePlace, id: string): RunRecord {
  const runs = readRuns(place);
  if (runs.kind === 'unknown') throw new UserError('run-unreadable', `the runs cannot be read: ${runs.reason}`);
  if (runs.kind === 'absent') throw noRun(id);
  const damaged = runs.value.unreadable.find(({ file }) => file === `${id}.json`);
  if (damaged !== undefined) throw new UserError('run-unreadable', `run ${id} cannot be read: ${damaged.reason}`);
  const run = runs.value.runs.find((each) => each.id === id);
  if (run === undefined) throw noRun(id);
  return run;
}

function noRun(id: string): UserError {
  return new UserError('no-such-run', `there is no run ${id}`, { hint: 'coppice run list names them' });
}

async function placeOf(world: StateWorld, directory: string): Promise<StatePlace> {
  requireFolder(directory);
  const { commonDir } = await readPlace(gitFor(directory, world.env));
  return { commonDir, account: world.account };
}
