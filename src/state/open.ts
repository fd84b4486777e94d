/** The state of repositories, for the verbs that ask for it. */
import { randomBytes } from 'node:crypto';
import { loadSettings } from '../config/load.ts';
import { describeProcess } from '../system/self.ts';
import type { StateWorld } from './world.ts';

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | null;
  readonly platform: string;
  readonly account: number | null;
  /** Our own process and the one that started us. */
  readonly pid: number;
  readonly parent: number;
  now(): number;
}

/** @throws UserError of the user's settings file */
export function openState({ pid, parent, ...machine }: Machine): StateWorld {
  // A repository has no say in how long its lock is waited for.
  const { settings } = loadSettings({ ...machine, repositoryTop: null });
  return {
    env: machine.env,
    account: machine.account,
    lockWait: settings['lock.wait'],
    self: describeProcess(pid),
    caller: describeProcess(parent),
    now: () => machine.now(),
    random: randomBytes,
  };
}
