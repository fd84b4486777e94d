import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by a fifth of what is in use at a time. By default it may double, which a machine full of agents
 * has no room for when there is much to hold; collecting garbage more often costs some time.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

/**
 * Node 20 takes a function for hot after a few of its loops, and then spends as much of the processor on optimizing code
 * as the code itself takes, beside git. A program that ends after a second does better with only the hottest loops
 * optimized. Newer versions weigh this themselves, and do not know the flag.
 *
 * @param engine the version of V8.
 */
export function optimizeLess(engine: string): void {
  if (engine.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');
}
