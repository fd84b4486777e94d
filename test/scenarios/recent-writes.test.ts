/** Worktrees that were written to a while ago, or just now: what counts as a write, and for how long. */
import {
  appendFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SweepDocument } from '../../src/contract/sweep.ts';
import { runCli, sweepOf } from '../support/cli.ts';
import { ALPHA, type Repository } from '../support/repository.ts';
import { type Build, codesIn, expectCodes, gitAt, newMerged, rowOf, temporaryDesk } from '../support/worktree.ts';

const RECENT = ['recent-write'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** As if nobody had touched it for so long. */
function rest(r: Repository, desk: string, time = 30 * DAY): void {
  const then = new Date(Date.now() - time);
  const still = (path: string) => {
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) still(join(path, name));
    lutimesSync(path, then, then);
  };
  still(desk);
  moveHead(r, desk, time);
}

/** As if its HEAD had last been moved so long ago. */
function moveHead(r: Repository, desk: string, ago: number): void {
  const log = r.path(`.git/worktrees/${basename(desk)}/logs/HEAD`);
  const seconds = Math.floor((Date.now() - ago) / 1000);
  writeFileSync(log, readFileSync(log, 'utf8').replace(/> \d+ /g, `> ${seconds} `));
}

function touch(path: string, ago: number): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, '');
  const then = new Date(Date.now() - ago);
  utimesSync(path, then, then);
}

async function lookWith(r: Repository, ...args: readonly string[]): Promise<SweepDocument> {
  const words = ['sweep', '--json', '--no-fetch', '--offline', ...args];
  return sweepOf(await runCli(words, { cwd: r.work, env: r.env }));
}

describe('a worktree at rest for a month', () => {
  const CASES: Readonly<Record<string, readonly [build: Build, holds: readonly string[], last?: string]>> = {
    'and nothing since': [() => {}, []],
    'whose tracked file was written': [(_r, desk) => touch(join(desk, ALPHA), HOUR), RECENT, ALPHA],
    'whose deep file was written, and no folder': [
      (_r, desk) => {
        touch(join(desk, 'scratch', 'a', 'b', 'note'), HOUR);
        const long = new Date(Date.now() - 30 * DAY);
        for (const folder of ['scratch/a/b', 'scratch/a', 'scratch', '.']) utimesSync(join(desk, folder), long, long);
      },
      RECENT,
      'scratch/a/b/note',
    ],
    'whose ignored file was written': [(_r, desk) => touch(join(desk, 'a.log'), HOUR), RECENT, 'a.log'],
    'whose ignored file that the main checkout has, too, was written': [
      (r, desk) => {
        r.write('.env', 'x');
        writeFileSync(join(desk, '.env'), 'x');
      },
      RECENT,
      '.env',
    ],
    'whose file has a time yet to come': [(_r, desk) => touch(join(desk, ALPHA), -DAY), RECENT, ALPHA],
    'whose HEAD was moved': [(r, desk) => moveHead(r, desk, HOUR), RECENT],
    'whose HEAD was moved at a time yet to come': [(r, desk) => moveHead(r, desk, -HOUR), RECENT],
    'of which just less than a day has passed': [(_r, desk) => touch(join(desk, ALPHA), DAY - HOUR / 2), RECENT],
    'of which a day has passed': [(_r, desk) => touch(join(desk, ALPHA), DAY + HOUR / 2), []],
    'whose folders were changed': [
      (_r, desk) => {
        for (const folder of ['.', 'wood']) utimesSync(join(desk, folder), new Date(), new Date());
      },
      [],
    ],
    'in which something came and went': [
      (r, desk) => {
        touch(join(desk, 'wood', 'x'), 0);
        gitAt(r, desk, 'clean', '-q', '-f');
      },
      [],
    ],
    'whose dependencies were put in': [(_r, desk) => touch(join(desk, 'node_modules', 'a', 'index.js'), 0), []],
    'in which a tool left its output': [(_r, desk) => touch(join(desk, '__pycache__', 'a.cpython-311.pyc'), 0), []],
    'whose index was written by a look': [
      (r, desk) => {
        const index = r.path(`.git/worktrees/${basename(desk)}/index`);
        const long = new Date(Date.now() - 30 * DAY);
        utimesSync(index, long, long);
        gitAt(r, desk, 'status');
        if (statSync(index).mtimeMs < Date.now() - HOUR) throw new Error('git status did not write the index');
      },
      [],
    ],
    'whose git directory was written to': [
      (r, desk) => writeFileSync(r.path(`.git/worktrees/${basename(desk)}/COMMIT_EDITMSG`), 'x'),
      [],
    ],
  };

  let r: Repository;
  let sweep: SweepDocument;
  const faults = new Map<string, unknown>();
  const names = new Map(Object.keys(CASES).map((title, at) => [title, `desk-${at}`]));

  beforeAll(async () => {
    r = newMerged();
    for (const [title, [build]] of Object.entries(CASES)) {
      const name = names.get(title) as string;
      const desk = r.worktree(name, 'topic', '-b', name.replace('-', '/'));
      rest(r, desk);
      try {
        build(r, desk);
      } catch (fault) {
        faults.set(title, fault);
      }
    }
    sweep = await lookWith(r);
  });
  afterAll(() => r?.remove());

  it.each(Object.entries(CASES))('%s', (title, [, holds, last]) => {
    if (faults.has(title)) throw faults.get(title);
    const admin = names.get(title) as string;
    expectCodes(codesIn(sweep, admin), { holds });
    if (last !== undefined) expect(rowOf(sweep, admin).reason.text).toContain(`${last} was written`);
    for (const one of rowOf(sweep, admin).evidence) if (one.effect === 'holds') expect(one.grade).toBe('hint');
  });

  it('stays as long as it is asked for', async () => {
    const holding = async (...args: readonly string[]) => {
      const found = await lookWith(r, ...args);
      return [...names].flatMap(([title, admin]) => (codesIn(found, admin).holds.length > 0 ? [title] : []));
    };
    const byDefault = Object.entries(CASES).flatMap(([title, [, holds]]) => (holds.length > 0 ? [title] : []));
    expect(await holding('--idle', '0s')).toEqual([]);
    expect(await holding('--idle', '2h')).toEqual(byDefault.filter((title) => !title.includes('less than a day')));
    expect(await holding('--idle', '30m')).toEqual(
      byDefault.filter((title) => /yet to come|main checkout/.test(title)),
    );
    expect((await holding('--idle', '7d')).sort()).toEqual([...byDefault, 'of which a day has passed'].sort());
  });
});

it('a worktree that was just made is kept for that, and the settings say how long', async () => {
  const { r } = temporaryDesk();
  const settings = (text: string) => {
    const folder = join(r.env['HOME'] as string, '.config', 'coppice');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.toml'), text);
  };
  expectCodes(codesIn(await lookWith(r), 'desk'), { holds: RECENT });
  settings('idle = "off"\n');
  expectCodes(codesIn(await lookWith(r), 'desk'), {});
  // A repository may only ask for more.
  r.write('coppice.toml', ['idle = "2h"']);
  expectCodes(codesIn(await lookWith(r), 'desk'), { holds: RECENT });
});

it('a write in a submodule is one in the worktree', async () => {
  const { r, desk } = temporaryDesk();
  gitAt(r, desk, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', r.origin, 'sub');
  rest(r, desk);
  expect(codesIn(await lookWith(r), 'desk').holds).toEqual(['staged']);
  touch(join(desk, 'sub', ALPHA), HOUR);
  const sweep = await lookWith(r);
  expect(codesIn(sweep, 'desk').holds).toEqual(['staged', 'recent-write']);
  const text = rowOf(sweep, 'desk').evidence.find(({ code }) => code === 'recent-write')?.text;
  expect(text).toBe(`sub/${ALPHA} was written 60 min ago`);
});
