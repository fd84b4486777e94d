/**
 * Where every fixture starts: three files of forty lines, two commits on main, a bare origin beside. Building that
 * takes a dozen git processes; each test process builds it once and copies it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Clock } from './clock.ts';
import { gitEnvironment, placesIn, realGit } from './environment.ts';
import { makeFolder, removeFolder } from './folders.ts';
import { run } from './processes.ts';

export interface Start {
  /** The name of the first branch. */
  readonly main?: string;
  readonly objectFormat?: 'sha1' | 'sha256';
}

/** The files every fixture has, forty lines each. */
export const ALPHA = 'wood/alpha.txt';
export const BETA = 'wood/beta.txt';
export const GAMMA = 'wood/gamma.txt';

/** Stands for the path of the origin in the configuration of the clone. */
export const ORIGIN_HERE = '/the/path/of/origin.git';

interface Point {
  readonly folder: string;
  readonly now: number;
}

const points = new Map<string, Point>();

afterAll(() => {
  for (const { folder } of points.values()) removeFolder(folder);
  points.clear();
});

/** A folder to copy: `work`, `origin.git` and nothing else. */
export function startingPoint(start: Start): Point {
  const key = JSON.stringify([start.main, start.objectFormat]);
  let point = points.get(key);
  if (point === undefined) {
    point = build(start);
    points.set(key, point);
  }
  return point;
}

function build({ main = 'main', objectFormat = 'sha1' }: Start): Point {
  const folder = makeFolder();
  const places = placesIn(folder);
  const clock = new Clock();
  const git = (cwd: string, ...args: readonly string[]) => {
    const { code, stderr } = run(realGit, args, { cwd, env: { ...gitEnvironment(places), ...clock.variables } });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  const init = ['init', '--quiet', '--template=', `--initial-branch=${main}`, `--object-format=${objectFormat}`];
  git(folder, ...init, '--bare', 'origin.git');
  git(folder, ...init, 'work');
  const work = join(folder, 'work');
  // The copy puts the real place in, which is not known yet.
  git(work, 'remote', 'add', 'origin', ORIGIN_HERE);
  for (const setting of ['gc.auto=0', 'maintenance.auto=false', 'user.name=Ash Hazel', 'user.email=ash@example.org']) {
    const [name, value] = setting.split('=') as [string, string];
    git(work, 'config', name, value);
  }
  mkdirSync(join(work, 'wood'));
  for (const file of [ALPHA, BETA, GAMMA]) writeFileSync(join(work, file), numbered(file, 40));
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message=start');
  clock.advance();
  writeFileSync(join(work, GAMMA), `${numbered(GAMMA, 40)}the last line\n`);
  git(work, 'commit', '--quiet', '--all', '--message=second');
  // The home folder is each test's own.
  rmSync(places.home, { recursive: true });
  return { folder, now: clock.now };
}

function numbered(file: string, count: number): string {
  const word = file.replace(/^.*\/|\..*$/g, '');
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}
