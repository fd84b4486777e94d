/** What somebody means by what is to be undone. */
import type { RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { detailOf, hasPutAside, type PastAct, undoneIn } from '../state/acts.ts';
import { RUN_ID } from '../state/ids.ts';

export type UndoTarget =
  /** A run, or one thing that it did. */
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'last' }
  /** The newest that took this branch away. */
  | { readonly kind: 'branch'; readonly ref: RefName };

export interface Chosen {
  readonly id: string;
  readonly act: PastAct;
}

interface Choice {
  readonly ids: readonly string[];
  /** True: one thing was named, so that a refusal is the whole answer. */
  readonly isOne: boolean;
}

/** @throws UserError `no-such-id`, `nothing-to-undo`, `already-undone` */
export function chooseActs(acts: ReadonlyMap<string, PastAct>, target: UndoTarget): Choice {
  const undone = undoneIn(acts);
  const removals = [...acts].filter(([, act]) => hasPutAside(act));
  const open = removals.filter(([id]) => !undone.has(id));
  if (target.kind === 'branch') {
    const last = open.findLast(([, { began }]) => detailOf(began, 'ref') === target.ref);
    if (last !== undefined) return { ids: [last[0]], isOne: true };
    throw new UserError(
      'nothing-to-undo',
      `nothing is on record that took ${target.ref.slice('refs/heads/'.length)} away`,
      HINT,
    );
  }
  if (target.kind === 'id' && !RUN_ID.test(target.id)) {
    if (acts.has(target.id)) return { ids: [target.id], isOne: true };
    throw new UserError('no-such-id', `the record knows no ${target.id}`, HINT);
  }
  const run = target.kind === 'id' ? target.id : runOf(open.at(-1));
  if (run === null) throw new UserError('nothing-to-undo', 'nothing is on record that could be undone', HINT);
  const own = removals.filter(([, act]) => runOf([run, act]) === run);
  const [first] = own;
  if (first === undefined) throw new UserError('no-such-id', `the record knows nothing that ${run} took away`, HINT);
  const ids = own.map(([id]) => id).filter((id) => !undone.has(id));
  if (ids.length === 0) throw new UserError('already-undone', `all of ${run} was undone already`);
  return { ids, isOne: ids.length === 1 };
}

const HINT = { hint: 'coppice history lists what was done' };

function runOf(one: readonly [string, PastAct] | undefined): string | null {
  return one === undefined ? null : detailOf(one[1].began, 'run');
}
