/**
 * One round: a random repository, random work of people, random verbs of coppice with random trouble, and after each
 * of coppice's doings a look at everything. All of it follows from the seed but times, ids, and what a git that is
 * killed gets done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/history/random.ts';
import { Repository } from '../support/repository.ts';
import { settings } from '../support/state.ts';
import { coppice, quiet } from './coppice.ts';
import { atTheEnd } from './end.ts';
import { Ground } from './ground.ts';
import { Ledger } from './ledger.ts';
import { PEOPLE } from './people.ts';
import { endGuests, FURNISHED } from './people-desks.ts';
import { seedlingOf } from './seedlings.ts';
import { TROUBLES } from './trouble.ts';
import { learn, type Verb, verbs } from './verbs.ts';

export interface Played {
  /** What is wrong; null: nothing. */
  readonly fault: string | null;
  /** What was done, in order. */
  readonly log: readonly string[];
  /** How many branches coppice took away. */
  readonly taken: number;
  /** How many worktrees. */
  readonly retired: number;
}

export async function playRound(seed: number): Promise<Played> {
  const seedling = seedlingOf(seed);
  const r = new Repository(seedling.repository);
  const ground = new Ground(r, new Random(seed), seedling);
  // Then uncommitted work is copied as well.
  if (seed % 2 === 0) settings(r, `roots.also = ["${ground.root}"]\n`);
  const ledger = new Ledger(ground);
  const counted = () => ({ taken: ledger.taken.length, retired: ledger.desks.retired.size });
  try {
    await play(ground, ledger);
    return { fault: null, log: ground.log, ...counted() };
  } catch (thrown) {
    const fault = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { fault, log: ground.log, ...counted() };
  } finally {
    endGuests(ground);
    await quiet(ground).catch(() => undefined);
    if (process.env['COPPICE_TORTURE_KEEP'] === undefined) r.remove();
    else ground.log.push(`kept: ${ground.root}`);
  }
}

async function play(ground: Ground, ledger: Ledger): Promise<void> {
  const { random } = ground;
  for (const deed of PEOPLE.filter(({ name }) => name === FURNISHED))
    for (let desks = 1 + random.below(3); desks > 0; desks -= 1) await deed.run(ground);
  await ledger.begin();
  for (let turns = 1 + random.below(4); turns > 0; turns -= 1) {
    for (let deeds = random.below(4); deeds > 0; deeds -= 1) {
      await weighted(random, PEOPLE).run(ground);
      await ledger.byUser();
    }
    const first = weighted(random, verbs(ground, ledger.gone()));
    const stop = random.chance(12) ? alongside(ground) : null;
    if (random.chance(8)) await two(ground, ledger, [first, weighted(random, verbs(ground, ledger.gone()))], stop);
    else await one(ground, ledger, first, stop);
  }
  await atTheEnd(ground, ledger);
}

type Stop = (() => Promise<void>) | null;

/** What git's own timers do, over and over, until it is told to stop. */
function alongside(ground: Ground): () => Promise<void> {
  const words = ground.random.pick([
    ['worktree', 'prune', '--expire=now'],
    ['-c', 'gc.auto=1', '-c', 'gc.reflogExpire=never', '-c', 'gc.reflogExpireUnreachable=never', 'gc', '--auto'],
  ]);
  ground.log.push(`meanwhile, over and over: git ${words.join(' ')}`);
  let isOver = false;
  const loop = async () => {
    while (!isOver) await ground.ask(ground.r.work, ...words, '--quiet').then(() => sleep(5));
  };
  const running = loop();
  return async () => {
    isOver = true;
    await running;
  };
}

async function one(ground: Ground, ledger: Ledger, verb: Verb, stop: Stop): Promise<void> {
  await ledger.beforeCoppice();
  const meanwhile = async () => {
    await ledger.byCoppice({ ...verb, isCut: true, isWronged: false });
    ground.log.push('meanwhile:');
    ground.isHalted = true;
    await weighted(ground.random, PEOPLE).run(ground);
    ground.isHalted = false;
    ground.log.push('on it goes');
    await ledger.byUser(true);
    await ledger.beforeCoppice();
  };
  const { told, isCut } = await weighted(ground.random, TROUBLES).run(ground, verb, meanwhile);
  await stop?.();
  ground.log.push(`  ${told === null ? 'killed' : `exit ${told.code}: ${summary(told.json)}`}`);
  if (verb.mayPurge) ledger.emptied();
  // A refusal need not have come so far.
  const settles = verb.settles && told?.json?.schema !== 'coppice.error.v1';
  await ledger.byCoppice({ ...verb, isCut, isWronged: (isCut && told !== null) || stop !== null, settles });
  learn(ground, told?.json ?? null);
}

async function two(ground: Ground, ledger: Ledger, [first, second]: readonly [Verb, Verb], stop: Stop): Promise<void> {
  ground.log.push(`coppice ${first.words.join(' ')}, and at once coppice ${second.words.join(' ')}`);
  await ledger.beforeCoppice();
  const told = await Promise.all([first, second].map(({ words }) => coppice(ground, words, ground.r.env)));
  await stop?.();
  const mayPurge = first.mayPurge || second.mayPurge;
  if (mayPurge) ledger.emptied();
  await ledger.byCoppice({
    mayDelete: first.mayDelete || second.mayDelete,
    mayRestore: first.mayRestore || second.mayRestore,
    mayPurge,
    isCut: false,
    isWronged: stop !== null,
    settles: told.every(({ json }) => json?.schema !== 'coppice.error.v1') && first.settles && second.settles,
    as: [...first.as, ...second.as],
  });
  // What one of them took away, the other may have purged.
  if (mayPurge) ledger.emptied();
  for (const { json } of told) learn(ground, json);
}

function weighted<T extends { readonly weight: number }>(random: Random, table: readonly T[]): T {
  let at = random.below(table.reduce((sum, { weight }) => sum + weight, 0));
  for (const one of table) {
    at -= one.weight;
    if (at < 0) return one;
  }
  throw new Error('an empty table');
}

/** In a few words, for the log. */
function summary(json: unknown): string {
  const { schema, code, rows, items } = json as {
    schema: string;
    code?: string;
    rows?: readonly { name: string; outcome?: { status: string; text: string } }[];
    items?: readonly unknown[];
  };
  const outcomes = (rows ?? []).flatMap(({ name, outcome }) =>
    outcome === undefined ? [] : [`${name} ${outcome.status} (${outcome.text})`],
  );
  return [schema, code ?? '', ...outcomes, items === undefined ? '' : JSON.stringify(items)]
    .filter((part) => part !== '')
    .join(', ');
}
