import type { Self } from '../system/self.ts';
import type { LockWorld } from './lifecycle-lock.ts';

/** The machine, as far as state has to do with it. */
export interface StateWorld extends LockWorld {
  /** The caller's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user id of this account; null where there is no such thing. */
  readonly account: number | null;
  /** The program that started coppice. */
  readonly caller: Self;
  random(bytes: number): Buffer;
}
