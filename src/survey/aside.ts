/** What coppice itself put aside here. */
import type { GitConfig } from '../git/parse/config.ts';
import { mirroringRemotes } from '../judge/base/mirrors.ts';
import type { AsideFacts } from '../judge/facts/aside.ts';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { actsOf, unfinishedIn } from '../state/acts.ts';
import { timeOfRun } from '../state/ids.ts';
import type { StatePlace } from '../state/place.ts';
import { readJournal } from '../state/read-journal.ts';
import { readSeenDue } from '../state/trash/due.ts';
import { listTrash } from '../state/trash/store.ts';

interface AsideQuestion {
  readonly place: StatePlace;
  readonly config: GitConfig;
  readonly keep: number;
  /** True: acts that were cut off are wanted, too. */
  readonly audit: boolean;
}

export function readAside({ place, config, keep, audit }: AsideQuestion): AsideFacts {
  const trash = listTrash(place);
  const seen = readSeenDue(place);
  return {
    trash:
      trash.kind === 'known'
        ? known(
            trash.value.map(({ run, bytes }) => ({
              run,
              bytes,
              put: timeOfRun(run),
              seenDue: seen.get(`trash:${run}`) ?? null,
            })),
          )
        : unknown(trash.kind === 'unknown' ? trash.reason : 'it is not there'),
    keep,
    unfinished: audit ? readUnfinished(place) : absent,
    mirrors: mirroringRemotes(config),
  };
}

function readUnfinished(place: StatePlace): Fact<readonly string[]> {
  const journal = readJournal(place);
  if (journal.kind !== 'known') return journal.kind === 'absent' ? known([]) : journal;
  return known(unfinishedIn(actsOf(journal.value.entries), place.commonDir).map(([id]) => id));
}
