/** What coppice is asked for in a round. */
import { join } from 'node:path';
import type { Document } from '../support/cli.ts';
import type { Ground } from './ground.ts';
import type { Attempt } from './trouble.ts';

export interface Verb extends Attempt {
  readonly name: string;
  readonly weight: number;
  readonly mayDelete: boolean;
  readonly mayRestore: boolean;
  readonly mayPurge: boolean;
  /** It ends what was cut off, unless it is refused. */
  readonly settles: boolean;
  readonly as: readonly string[];
}

type Row = Partial<Verb> & Pick<Verb, 'name' | 'weight' | 'words'>;

const LOOK = { mayDelete: false, mayRestore: false, mayPurge: false, settles: false, as: [], steps: 20, calls: 8 };
const SWEEP = { ...LOOK, mayDelete: true, settles: true, steps: 90, calls: 28 };
const UNDO = { ...LOOK, mayRestore: true, settles: true, steps: 48, calls: 12 };
const PURGE = { ...LOOK, settles: true, steps: 8, calls: 3 };

/** Those that can be asked for now. @param gone how much there is to undo */
export function verbs(ground: Ground, gone: number): Verb[] {
  const { random } = ground;
  const name = random.pick([...ground.names].sort());
  // Worktrees have many more steps.
  const desks = ground.places().length - 1;
  const sweep = {
    ...SWEEP,
    steps: SWEEP.steps + 110 * Math.min(desks, 2),
    calls: SWEEP.calls + 25 * Math.min(desks, 2),
  };
  const undo = ground.deskIds.length > 0 ? { ...UNDO, steps: UNDO.steps + 80, calls: UNDO.calls + 12 } : UNDO;
  const as = `again/${ground.next()}`;
  const rows: Row[] = [
    { name: 'sweep', weight: gone > 0 ? 7 : 14, ...sweep, words: ['sweep', '--apply', '--no-fetch', '--idle', '0s'] },
    { name: 'sweep of branches', weight: 2, ...SWEEP, words: ['sweep', '--apply', '--no-fetch', '--only', 'branch'] },
    { name: 'look', weight: 1, ...LOOK, words: ['sweep', '--no-fetch', '--idle', '0s'] },
    { name: 'history', weight: 1, ...LOOK, words: ['history'] },
    { name: 'undo of the last', weight: gone > 0 ? 8 : 1, ...undo, words: ['undo', '--last'] },
    { name: 'undo of a branch', weight: 2, ...UNDO, words: ['undo', '--branch', name] },
    { name: 'purge', weight: 2, ...PURGE, words: ['purge', '--apply'] },
    {
      name: 'purge of all',
      weight: gone > 0 ? 2 : 1,
      ...PURGE,
      words: ['purge', '--all', '--apply'],
      mayPurge: true,
      steps: 40,
    },
  ];
  if (ground.ids.length > 0) {
    const id = random.pick(ground.ids);
    rows.push(
      { name: 'undo of an id', weight: 3, ...undo, words: ['undo', id] },
      { name: 'undo beside', weight: 1, ...UNDO, words: ['undo', id, '--as', as], as: [as] },
      {
        name: 'purge of an id',
        weight: 1,
        ...PURGE,
        words: ['purge', '--id', id, '--apply'],
        mayPurge: true,
        steps: 30,
      },
    );
  }
  if (ground.deskIds.length > 0) {
    const id = random.pick(ground.deskIds);
    const to = join(ground.root, `desk-${ground.next()}`);
    ground.desks.push(to);
    rows.push(
      { name: 'undo of a worktree', weight: 4, ...undo, words: ['undo', id] },
      { name: 'undo of a worktree elsewhere', weight: 2, ...undo, words: ['undo', id, '--to', to] },
      { name: 'undo of a worktree without its branch', weight: 2, ...undo, words: ['undo', id, '--detach'] },
      { name: 'undo of a worktree with another', weight: 2, ...undo, words: ['undo', id, '--as', as], as: [as] },
      {
        name: 'purge of a worktree',
        weight: 1,
        ...PURGE,
        words: ['purge', '--id', id, '--apply'],
        mayPurge: true,
        steps: 80,
        calls: 8,
      },
    );
  }
  return rows.map((row) => ({ ...LOOK, ...row }));
}

/** Keeps the ids that a document tells. */
export function learn(ground: Ground, json: Document | null): void {
  if (json?.schema === 'coppice.sweep.v1') {
    for (const { kind, outcome } of json.rows) {
      const id = outcome?.undo?.split(' ')[2];
      if (id === undefined) continue;
      ground.ids.push(id);
      if (kind === 'worktree') ground.deskIds.push(id);
    }
  } else if (json?.schema === 'coppice.history.v1') {
    for (const { id, run } of json.acts) ground.ids.push(id, ...(run === null ? [] : [run]));
  }
}
