/** Reading runs: what the files say, and nothing of what follows from it. */
import { readdirSync } from 'node:fs';
import type { RunRecord, Runs } from '../../judge/facts/claims.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { sayFault } from '../../system/files.ts';
import { RUN_ID } from '../ids.ts';
import { isLeftover } from '../leases/read.ts';
import { findFolder, type StatePlace } from '../place.ts';
import { readState } from '../store.ts';
import { RUN_FORM } from './record.ts';

/** Absent: there was never a run here; that costs one look. Unknown: the folder cannot be read or is not to be believed. */
export function readRuns(place: StatePlace): Fact<Runs> {
  const folder = findFolder(place, 'runs');
  if (folder.kind !== 'known') return folder;
  const { path, account } = folder.value;
  let names: readonly string[];
  try {
    names = readdirSync(path, 'latin1').sort();
  } catch (fault) {
    return unknown(`the runs cannot be listed: ${sayFault(fault)}`);
  }
  const runs: RunRecord[] = [];
  const unreadable: Runs['unreadable'][number][] = [];
  for (const file of names) {
    if (isLeftover(file)) continue;
    const id = file.replace(/\.json$/, '');
    const isRun = file === `${id}.json` && RUN_ID.test(id);
    const run = isRun ? readState(`${path}/${file}`, RUN_FORM, account) : unknown<RunRecord>('it is no file of a run');
    if (run.kind === 'unknown') unreadable.push({ file, reason: run.reason });
    else if (run.kind === 'known' && run.value.id !== id)
      unreadable.push({ file, reason: `it is of run ${run.value.id}` });
    else if (run.kind === 'known') runs.push(run.value);
  }
  return known({ runs, unreadable });
}
