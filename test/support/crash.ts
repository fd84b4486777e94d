/**
 * A coppice that is killed or halted at one of its steps: before or after it asks the system for a change, or starts a
 * program.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

/** What changes something on the disk, and the start of every git. */
const STEPS = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'linkSync',
  'symlinkSync',
  'copyFileSync',
  'unlinkSync',
  'mkdirSync',
  'rmdirSync',
  'rmSync',
  'chmodSync',
  'fchmodSync',
  'ftruncateSync',
  'utimesSync',
];

/** What happens at the step: it alone is killed, all of its process group is, or it waits until it may go on. */
export type Deed = 'kill' | 'kill-all' | 'halt';

const DEEDS: Readonly<Record<Deed, string>> = {
  kill: "process.kill(process.pid, 'SIGKILL')",
  'kill-all': "process.kill(-process.pid, 'SIGKILL')",
  halt: `own.write(halted, '');
    while (!own.exists(goOn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)`,
};

/**
 * @param at the number of the step, from 1; null: none, they are only counted.
 * @param root where files may lie that belong to neither repository nor coppice.
 */
export function crashing(
  root: string,
  env: Environment,
  at: number | null,
  when: 'before' | 'after',
  deed: Deed = 'kill',
): Environment {
  const program = join(root, 'crash.cjs');
  writeFileSync(
    program,
    `const fs = require('node:fs');
const child = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');
const own = { write: fs.writeFileSync, exists: fs.existsSync };
const halted = ${JSON.stringify(haltedMark(root))};
const goOn = ${JSON.stringify(goOnMark(root))};
const taken = [];
const strike = () => {
  ${DEEDS[deed]};
};
const step = (name, real, self, args, counts) => {
  if (!counts) return real.apply(self, args);
  taken.push([name, args.map(String).join(' ').split('\\n')[0]]);
  const isNow = taken.length === ${at};
  if (isNow && ${when === 'before'}) strike();
  const result = real.apply(self, args);
  if (isNow && ${when === 'after'}) strike();
  return result;
};
for (const name of ${JSON.stringify(STEPS)}) {
  const real = fs[name];
  fs[name] = function (...args) {
    const counts = name !== 'openSync' || (typeof args[1] === 'string' ? args[1] !== 'r' : (args[1] & 3) !== 0);
    return step(name, real, this, args, counts);
  };
}
const spawn = child.spawn;
child.spawn = function (...args) {
  return step('spawn', spawn, this, args, true);
};
syncBuiltinESMExports();
process.on('exit', () => own.write(${JSON.stringify(join(root, 'steps'))}, JSON.stringify(taken)));
`,
  );
  return { ...env, NODE_OPTIONS: `--require ${program}` };
}

/** There while coppice waits. */
export function haltedMark(root: string): string {
  return join(root, 'halted');
}

/** It goes on when this is there. */
export function goOnMark(root: string): string {
  return join(root, 'go-on');
}

/** How many there were in the last run that came to its end. */
export function stepsTaken(root: string): number {
  return stepsOn(root).length;
}

/** What each of them was, and what it was done with; `spawn` is the start of a program. */
export function stepsOn(root: string): (readonly [name: string, told: string])[] {
  return JSON.parse(readFileSync(join(root, 'steps'), 'utf8')) as [string, string][];
}

export function stepNames(root: string): string[] {
  return stepsOn(root).map(([name]) => name);
}
