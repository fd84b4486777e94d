/** The surroundings of what is done under the lifecycle lock. */
import type { Git } from '../git/run.ts';
import type { AbsPath } from '../judge/facts/names.ts';
import type { StateFolder } from '../state/place.ts';
import type { StateWorld } from '../state/world.ts';
import type { World } from '../survey/world.ts';

export type ActWorld = StateWorld & World;

export interface Acting {
  readonly world: ActWorld;
  /** Proof that the lock is had: nobody else gives one. */
  readonly folder: StateFolder;
  readonly commonDir: AbsPath;
  readonly git: Git;
}
