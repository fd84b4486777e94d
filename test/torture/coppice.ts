/** Runs the built coppice on a round's ground, as it is or with something in its way. */
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, entry, parseDocument } from '../support/cli.ts';
import type { Environment } from '../support/environment.ts';
import { runAlongside } from '../support/processes.ts';
import type { Ground } from './ground.ts';

export interface Told {
  readonly code: number | null;
  /** Null: it was killed. */
  readonly json: Document | null;
  readonly stderr: string;
}

/** In milliseconds: nothing here takes as long, but a git that says nothing. */
const PATIENCE = 150_000;
const CODES = [0, 1, 2, 3];
/** That it is wrong usage depends on what an id means. */
const ODD = ['--as', '--to', '--detach'];

/** @throws when it ends with a code that is not documented, or prints anything but one valid document. */
export async function coppice(
  ground: Ground,
  words: readonly string[],
  env: Environment,
  onStart: (pid: number) => void = () => undefined,
): Promise<Told> {
  const args = [entry, ...words, '--json'];
  const options = { cwd: ground.r.work, env, timeout: PATIENCE, isApart: true, onStart };
  const began = Date.now();
  const { code, signal, stdout, stderr } = await runAlongside(process.execPath, args, options);
  const seconds = Math.round((Date.now() - began) / 1000);
  if (seconds > 4) ground.log.push(`  coppice ${words.join(' ')} took ${seconds} s`);
  if (signal !== null) return { code: null, json: null, stderr };
  if (code === null || !(CODES.includes(code) || (code === 64 && words.some((word) => ODD.includes(word)))))
    throw new Error(`coppice ${words.join(' ')} ended with ${code}: ${stderr}`);
  return { code, json: parseDocument(stdout.toString('utf8'), stderr), stderr };
}

/** Whatever coppice had started ends by itself, when coppice was not let end it: until then nothing is looked at. */
export async function quiet(ground: Ground, hurry: () => void = () => undefined): Promise<void> {
  // Elsewhere nobody tells who works in a folder: what was told to end has time to do so.
  if (!existsSync('/proc/self/cwd')) await sleep(500);
  for (let tries = 0; tries < 3000; tries += 1) {
    hurry();
    if (pidsIn(ground.root).every((pid) => isGuest(ground, pid))) return;
    await sleep(5);
  }
  throw new Error('something that coppice started does not end');
}

/** Processes that work in the folder; none where that cannot be told. */
function pidsIn(root: string): number[] {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`) && stateOf(pid) !== 'Z';
      } catch {
        return false;
      }
    });
}

/** It, or what it has started. */
function isGuest({ guests }: Ground, pid: number): boolean {
  try {
    const group = Number(/\) \w \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);
    return guests.has(group);
  } catch {
    return true;
  }
}

function stateOf(pid: number): string {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
}

/** Takes away git's lock files, as people do when git tells them to; coppice's own are its own affair. */
export function removeLocks(ground: Ground): void {
  const visit = (folder: string) => {
    for (const found of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, found.name);
      if (found.isDirectory()) {
        if (found.name !== 'coppice' && found.name !== 'objects') visit(path);
      } else if (found.name.endsWith('.lock') && path !== ground.r.path('.git/config.lock')) {
        ground.log.push(`rm ${path.slice(ground.root.length + 1)}`);
        rmSync(path);
      }
    }
  };
  visit(ground.r.path('.git'));
}
