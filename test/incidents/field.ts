/**
 * One repository with many leftovers, each in another kind of trouble, on which coppice acts: a sweep, then each by its
 * name. Whatever stays must be what it was, and whatever goes must come back so, after git has forgotten all it may.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applySweep, forget, missing } from '../support/acts.ts';
import { type CliOptions, runCli } from '../support/cli.ts';
import type { Repository } from '../support/repository.ts';
import { newMerged, type SlowBuild } from '../support/worktree.ts';
import { bringBack, changes, firm, namedBelow, seen, stored } from './seen.ts';

/** What must become of a worktree and of its branch; the other of both does the other. `maybe`: the rules leave it open. */
export type Fate = 'stays' | 'goes' | 'branch goes' | 'branch stays' | 'maybe';

/** Gets a worktree that would go, on a branch of its own that would go with it. */
export type States = Readonly<Record<string, readonly [Fate, SlowBuild]>>;

export interface FieldOptions {
  /** Does something to the repository before there are worktrees. */
  readonly prepare?: (r: Repository) => void;
  /** Does something to it, and to all that is around, when all are there. */
  readonly finish?: (r: Repository) => void;
  /** More to say about how coppice is run. */
  readonly options?: (r: Repository) => Partial<CliOptions>;
  /** False: git itself fails in such a repository. */
  readonly forgets?: boolean;
}

interface Ends {
  readonly swept: readonly boolean[];
  readonly told: string;
  named?: readonly boolean[];
}

/** COPPICE_TEST_SEEDS asks for long forms elsewhere as well. */
const isAll = process.env['COPPICE_TEST_SEEDS'] !== undefined;

const REFLOG = /(?:^|\/)logs\//;

/** Tests for each state: what a sweep, and its own name, did to it; and one for all of them and what is beside them. */
export function field(title: string, states: States, options: FieldOptions = {}): void {
  const names = Object.keys(states);
  const ends: Ends[] = [];
  const faults: Record<string, readonly string[]> = {};
  let r: Repository | null = null;

  beforeAll(async () => {
    r = newMerged();
    await play(r, states, options, ends, faults);
  }, 300_000);
  afterAll(() => r?.remove());

  describe(title, () => {
    it.each(names.map((name, at) => [name, at] as const))('%s', (name, at) => {
      const [fate] = states[name] as States[string];
      const { swept, named, told } = ends[at] as Ends;
      if (fate === 'maybe') return;
      const isThere = [fate === 'stays' || fate === 'branch goes', fate === 'stays' || fate === 'branch stays'];
      expect(swept, told).toEqual(isThere);
      if (named !== undefined) expect(named, told).toEqual(isThere);
    });

    it('nothing of any of them is lost, and nothing beside them touched', () => {
      for (const [step, found] of Object.entries(faults)) expect(found, step).toEqual([]);
    });
  });
}

async function play(
  r: Repository,
  states: States,
  { prepare, finish, options, forgets = true }: FieldOptions,
  ends: Ends[],
  faults: Record<string, readonly string[]>,
): Promise<void> {
  const desks = Object.values(states).map((_, at) => join(r.places.root, `desk-${at}`));
  const branches = desks.map((_, at) => `refs/heads/case/${at}`);
  prepare?.(r);
  for (const [at, [, build]] of Object.values(states).entries())
    await build(r, r.worktree(`desk-${at}`, 'topic', '-b', `case/${at}`));
  finish?.(r);

  const before = seen(r);
  const kept = forgets ? firm(r) : stored(r);
  const theirs = desks.map((_, at) => (forgets ? namedBelow(r, r.path(`.git/worktrees/desk-${at}`)) : []));
  const there = (at: number) => [
    before.files.has(`desk-${at}`) ? existsSync(desks[at] as string) : existsSync(r.path(`.git/worktrees/desk-${at}`)),
    !before.standing.has(branches[at] as string) ||
      r.tryGit({}, 'rev-parse', '--verify', '--quiet', branches[at] as string).code === 0,
  ];
  const run = { cwd: r.work, env: r.env, ...options?.(r) };

  const { sweep } = await applySweep(r, run);
  const gone = sweep.rows.filter(({ outcome }) => outcome?.status === 'done').map(({ id }) => id.replace(/^\w+:/, ''));
  const isGone = (key: string) =>
    key === 'config' || gone.some((id) => key === id || key.startsWith(`${id}/`) || key.endsWith(`logs/${id}`));
  for (const at of desks.keys()) {
    const told = sweep.rows
      .filter(({ id }) => [`worktree:desk-${at}`, `branch:${branches[at]}`].includes(id))
      .map(({ id, reason, outcome }) => `${id} ${outcome?.status}, ${reason.code}: ${reason.text}; ${outcome?.text}`);
    ends[at] = { swept: there(at), told: told.join('\n') };
  }
  // Before git forgets anything: reflogs of what stays are as they were, too.
  faults['after the sweep'] = changes(before, seen(r), isGone);
  // Each by its name is half a second; those that matter are as good as each other, so it is asked of some.
  const asked = [...desks.keys()].filter((at) => isAll || at % 6 === 0);
  await nameThose(asked.filter((at) => there(at)[0] === true));
  faults['after each was named'] = changes(before, seen(r), isGone);
  await forgetAndBringBack('swept');
  await nameThose(asked.filter((at) => ends[at]?.named === undefined));
  await forgetAndBringBack('named');

  async function nameThose(those: readonly number[]): Promise<void> {
    for (const at of those) {
      await runCli(['rm', desks[at] as string, '--no-fetch', '--idle', '0s'], run);
      (ends[at] as Ends).named = there(at);
    }
  }

  /** The reflogs of what was aside are whole after it; git's own forgetting spares none of the others. */
  async function forgetAndBringBack(how: string): Promise<void> {
    const aside = theirs.filter((_, at) => there(at)[0] === false);
    if (forgets) forget(r);
    const wanted = new Set([...kept, ...aside.flatMap((one) => [...one])]);
    faults[`${how}: objects that are lost`] = missing(r, wanted);
    await bringBack(r);
    faults[`${how}: after the way back`] = changes(before, seen(r), (key) => forgets && REFLOG.test(key));
  }
}
