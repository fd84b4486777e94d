/** Worktrees that somebody has taken away by half, or whose two halves do not name each other any more. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Repository } from '../support/repository.ts';
import { gitAt } from '../support/worktree.ts';
import { field, type States } from './field.ts';

const admin = (r: Repository, desk: string, file = '') => join(r.path('.git/worktrees'), basename(desk), file);

/** Work that only the worktree has. */
function work(r: Repository, desk: string): void {
  writeFileSync(join(desk, 'staged.txt'), `${desk}\n`);
  gitAt(r, desk, 'add', 'staged.txt');
  writeFileSync(join(desk, 'new.txt'), `${desk}\n`);
}

/** Each of both with and without such work in it. */
function bothWays(states: States): States {
  const pairs = Object.entries(states).flatMap(([title, [fate, build]]) => [
    [title, [fate, build]] as const,
    [
      `${title}, with work in it`,
      [
        fate,
        (r: Repository, desk: string) => {
          work(r, desk);
          return build(r, desk);
        },
      ],
    ] as const,
  ]);
  return Object.fromEntries(pairs) as States;
}

field(
  'halves',
  bothWays({
    'its folder is gone': ['stays', (_r, desk) => rmSync(desk, { recursive: true })],
    'its folder is elsewhere': ['stays', (_r, desk) => renameSync(desk, `${desk}-elsewhere`)],
    'its folder is elsewhere, and an empty one in its place': [
      'stays',
      (_r, desk) => {
        renameSync(desk, `${desk}-elsewhere`);
        mkdirSync(desk);
      },
    ],
    'its folder is a link to where it is now': [
      'maybe',
      (_r, desk) => {
        renameSync(desk, `${desk}-elsewhere`);
        symlinkSync(`${desk}-elsewhere`, desk);
      },
    ],
    'its folder is a clone': [
      'stays',
      (r, desk) => {
        renameSync(desk, `${desk}-elsewhere`);
        r.git('clone', '--quiet', r.origin, desk);
        gitAt(r, desk, 'commit', '--quiet', '--allow-empty', '--message=only in the clone');
      },
    ],
    'its folder is a copy of it, with more': [
      'stays',
      (_r, desk) => {
        renameSync(desk, `${desk}-elsewhere`);
        cpSync(`${desk}-elsewhere`, desk, { recursive: true });
        writeFileSync(join(desk, 'only-in-the-copy'), 'x');
      },
    ],
    'half of its files are gone': [
      'stays',
      (_r, desk) => {
        rmSync(join(desk, 'wood'), { recursive: true });
        rmSync(join(desk, 'package.json'));
      },
    ],
    'its .git file is gone': ['stays', (_r, desk) => rmSync(join(desk, '.git'))],
    'its .git file is empty': ['stays', (_r, desk) => writeFileSync(join(desk, '.git'), '')],
    'its .git file names another one': [
      'stays',
      (r, desk) => writeFileSync(join(desk, '.git'), `gitdir: ${admin(r, join(desk, '../desk-0'))}\n`),
    ],
    'its gitdir names a path of another system': [
      'stays',
      // Of several that name one path git's own collection drops all but one.
      (r, desk) => writeFileSync(admin(r, desk, 'gitdir'), `C:/Users/somebody/${basename(desk)}/.git\n`),
    ],
  }),
);

field(
  'git directories that are damaged',
  {
    ...bothWays({
      'no entry': ['branch goes', (r, desk) => rmSync(admin(r, desk), { recursive: true })],
      'no gitdir': ['stays', (r, desk) => rmSync(admin(r, desk, 'gitdir'))],
      'no HEAD': ['branch goes', (r, desk) => rmSync(admin(r, desk, 'HEAD'))],
      'no commondir': ['stays', (r, desk) => rmSync(admin(r, desk, 'commondir'))],
      'no index': ['stays', (r, desk) => rmSync(admin(r, desk, 'index'))],
      'an index of nothing': ['stays', (r, desk) => gitAt(r, desk, 'read-tree', '--empty')],
      'an index that is cut off': ['stays', (r, desk) => writeFileSync(admin(r, desk, 'index'), 'DIRC')],
      'a lock of the index': ['stays', (r, desk) => writeFileSync(admin(r, desk, 'index.lock'), '')],
      'a HEAD that names nothing': [
        'maybe',
        (r, desk) => writeFileSync(admin(r, desk, 'HEAD'), 'ref: refs/heads/nowhere\n'),
      ],
      'a HEAD that is cut off': ['branch goes', (r, desk) => writeFileSync(admin(r, desk, 'HEAD'), 'ref: refs/hea')],
    }),
    'its gitdir says only .git': [
      'stays',
      (r, desk) => {
        work(r, desk);
        writeFileSync(admin(r, desk, 'gitdir'), '.git\n');
      },
    ],
    'a folder below the main worktree that has lost its .git': [
      'maybe',
      (r, desk) => {
        // git in it would speak of the main worktree, which has work of its own.
        const below = r.path(`below-${basename(desk)}`);
        gitAt(r, r.work, 'worktree', 'move', desk, below);
        writeFileSync(join(below, 'new.txt'), 'new\n');
        rmSync(join(below, '.git'));
        if (!existsSync(r.path('mine.txt'))) writeFileSync(r.path('mine.txt'), 'mine\n');
      },
    ],
  },
  { forgets: false },
);
