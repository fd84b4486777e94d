/** What gets in coppice's way while it does something. Which one, and where, is the seed's choice. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crashing, type Deed, goOnMark, haltedMark } from '../support/crash.ts';
import {
  CUTS_OF_A_CONVERSATION,
  hangingGitOnRecord,
  hungFolder,
  MISDEEDS,
  type Misdeed,
  misbehavingGit,
} from '../support/misbehave.ts';
import type { Random } from '../support/history/random.ts';
import { coppice, quiet, removeLocks, type Told } from './coppice.ts';
import type { Ground } from './ground.ts';

export interface Attempt {
  readonly words: readonly string[];
  /** How many steps it has at most, about. */
  readonly steps: number;
  /** How many calls of git. */
  readonly calls: number;
}

export interface Tried {
  /** Null: it was killed. */
  readonly told: Told | null;
  /** It was not let do as it would. */
  readonly isCut: boolean;
}

interface Trouble {
  readonly name: string;
  readonly weight: number;
  /** @param meanwhile what is done while coppice is halted. */
  run(ground: Ground, attempt: Attempt, meanwhile: () => Promise<void>): Promise<Tried>;
}

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'none',
    weight: 30,
    async run(ground, { words }) {
      ground.log.push(`coppice ${words.join(' ')}`);
      return { told: await coppice(ground, words, ground.r.env), isCut: false };
    },
  },
  { name: 'kill', weight: 30, run: (ground, attempt) => struck(ground, attempt, 'kill') },
  {
    name: 'kill with all that it started',
    weight: 12,
    async run(ground, attempt) {
      const tried = await struck(ground, attempt, 'kill-all');
      if (tried.isCut) removeLocks(ground);
      return tried;
    },
  },
  {
    name: 'halt',
    weight: 20,
    async run(ground, attempt, meanwhile) {
      const { root } = ground;
      let isOver = false;
      const running = struck(ground, attempt, 'halt').finally(() => {
        isOver = true;
      });
      running.catch(() => undefined);
      try {
        while (!isOver && !existsSync(haltedMark(root))) await sleep(3);
        if (!isOver) await meanwhile();
      } finally {
        writeFileSync(goOnMark(root), '');
      }
      const tried = await running;
      rmSync(haltedMark(root), { force: true });
      rmSync(goOnMark(root));
      return tried;
    },
  },
  {
    name: 'a git that does wrong',
    weight: 20,
    async run(ground, { words, calls }) {
      const { random, r, root } = ground;
      const misdeed = random.pick(Object.keys(MISDEEDS) as Misdeed[]);
      const [call, bytes] = [placeIn(random, calls), random.pick([900, ...CUTS_OF_A_CONVERSATION])];
      ground.log.push(`coppice ${words.join(' ')} (git ${misdeed} at call ${call}, ${bytes} bytes)`);
      const told = await coppice(ground, words, misbehavingGit(root, r.env, misdeed, call, bytes));
      return { told, isCut: true };
    },
  },
  {
    name: 'a git that hangs until both are killed',
    weight: 6,
    async run(ground, { words, calls }) {
      const { random, r, root } = ground;
      const [call, signal] = [placeIn(random, calls), random.pick(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)];
      ground.log.push(`coppice ${words.join(' ')} (git hangs from call ${call} on, then ${signal})`);
      const hung = hungFolder(root);
      rmSync(hung, { recursive: true, force: true });
      mkdirSync(hung);
      let pid = 0;
      let isOver = false;
      const running = coppice(ground, words, hangingGitOnRecord(root, r.env, call), (started) => {
        pid = started;
      }).finally(() => {
        isOver = true;
      });
      running.catch(() => undefined);
      while (!isOver && readdirSync(hung).length === 0) await sleep(3);
      if (!isOver) {
        await sleep(20);
        process.kill(pid, signal);
        await sleep(20);
      }
      // What it may start before it ends hangs, too.
      while (!isOver) {
        endAll(hung);
        await sleep(5);
      }
      const told = await running;
      await quiet(ground, () => endAll(hung));
      return { told: told.code === null ? null : told, isCut: true };
    },
  },
];

/** Where nothing is to be done there are only a few: those more often than by chance. */
function placeIn(random: Random, count: number): number {
  return 1 + random.below(random.chance(25) ? Math.min(8, count) : count);
}

function endAll(hung: string): void {
  for (const name of readdirSync(hung)) {
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended.
    }
    rmSync(`${hung}/${name}`);
  }
}

async function struck(ground: Ground, { words, steps }: Attempt, deed: Deed): Promise<Tried> {
  const { random, r, root } = ground;
  const [at, when] = [placeIn(random, steps), random.pick(['before', 'after'] as const)];
  ground.log.push(`coppice ${words.join(' ')} (${deed} ${when} step ${at})`);
  const told = await coppice(ground, words, crashing(root, r.env, at, when, deed));
  if (told.code === null) await quiet(ground);
  return { told: told.code === null ? null : told, isCut: told.code === null };
}
