/** Work in a worktree that no commit has, in the forms that people leave it in, and under any name. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { run } from '../support/processes.ts';
import { ALPHA } from '../support/repository.ts';
import { type Build, type Cases, gitAt, landMore, together } from '../support/worktree.ts';

const edit =
  (file: string): Build =>
  (_r, desk) =>
    appendFileSync(join(desk, file), 'x\n');
const add =
  (...parts: readonly string[]): Build =>
  (_r, desk) => {
    const path = join(desk, ...parts);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'x');
  };

describe('tracked files', () => {
  const cases: Cases = {
    'nothing at all': { build: () => {} },
    'an edit': { build: edit(ALPHA), holds: ['modified'] },
    'an edit of the same size, with the time set back': {
      build: (r, desk) => {
        const path = join(desk, ALPHA);
        const { atime, mtime } = statSync(path);
        writeFileSync(path, r.read(ALPHA).replace('one', 'two'));
        utimesSync(path, atime, mtime);
      },
      holds: ['modified'],
    },
    'only the time is another': {
      build: (_r, desk) => utimesSync(join(desk, ALPHA), 1_000_000, 1_000_000),
    },
    'a staged edit': {
      build: (r, desk) => {
        edit(ALPHA)(r, desk);
        gitAt(r, desk, 'add', ALPHA);
      },
      holds: ['staged'],
    },
    'a staged edit that the folder no longer has': {
      build: (r, desk) => {
        edit(ALPHA)(r, desk);
        gitAt(r, desk, 'add', ALPHA);
        writeFileSync(join(desk, ALPHA), r.gitWith({ cwd: desk }, 'show', `HEAD:${ALPHA}`));
      },
      holds: ['staged', 'modified'],
    },
    'a staged new file that is gone from the folder': {
      build: (r, desk) => {
        add('new')(r, desk);
        gitAt(r, desk, 'add', 'new');
        rmSync(join(desk, 'new'));
      },
      holds: ['staged', 'modified'],
    },
    'a file that is no longer tracked': {
      build: (r, desk) => gitAt(r, desk, 'rm', '--quiet', '--cached', ALPHA),
      holds: ['staged', 'untracked'],
    },
    'a staged new name': { build: (r, desk) => gitAt(r, desk, 'mv', ALPHA, 'moved.txt'), holds: ['staged'] },
    'a new name that is not staged': {
      build: (_r, desk) => renameSync(join(desk, ALPHA), join(desk, 'moved.txt')),
      holds: ['modified', 'untracked'],
    },
    'a mode': { build: (_r, desk) => chmodSync(join(desk, ALPHA), 0o755), holds: ['modified'] },
    'a staged mode': {
      build: (r, desk) => gitAt(r, desk, 'update-index', '--chmod=+x', ALPHA),
      holds: ['staged', 'modified'],
    },
    'a link instead of a file': {
      build: (_r, desk) => {
        rmSync(join(desk, ALPHA));
        symlinkSync('beta.txt', join(desk, ALPHA));
      },
      holds: ['modified'],
    },
    'a folder instead of a file': {
      build: (r, desk) => {
        rmSync(join(desk, ALPHA));
        add(ALPHA, 'inner')(r, desk);
      },
      holds: ['modified', 'untracked'],
    },
    'a file instead of a folder': {
      build: (_r, desk) => {
        rmSync(join(desk, 'wood'), { recursive: true });
        writeFileSync(join(desk, 'wood'), 'x');
      },
      holds: ['modified', 'untracked'],
    },
    'a link instead of a folder, to one that holds the same': {
      build: (r, desk) => {
        rmSync(join(desk, 'wood'), { recursive: true });
        symlinkSync(r.path('wood'), join(desk, 'wood'));
      },
      holds: ['modified', 'untracked'],
    },
    'a pipe instead of a file': {
      build: (r, desk) => {
        rmSync(join(desk, ALPHA));
        run('/usr/bin/mkfifo', [join(desk, ALPHA)], { cwd: desk, env: r.env });
      },
      holds: ['modified'],
    },
    'conflicts of a merge': {
      build: (r, desk) => r.tryGit({ cwd: desk }, 'merge', '-q', 'other'),
      holds: ['conflicted', 'operation-in-progress'],
    },
    'conflicts that nothing in progress goes with': {
      build: (r, desk) => {
        const stages = ['HEAD~1', 'HEAD', 'other'].map(
          (commit, at) => `100644 ${gitAt(r, desk, 'rev-parse', `${commit}:${ALPHA}`)} ${at + 1}\t${ALPHA}\n`,
        );
        const none = `0 ${'0'.repeat(40)}\t${ALPHA}\n`;
        r.gitWith({ cwd: desk, input: none + stages.join('') }, 'update-index', '--index-info');
      },
      holds: ['conflicted'],
    },
  };
  together(cases, (r) => {
    r.branch('other', 'topic~1');
    r.change(ALPHA, 10, 'two');
    r.toMain();
  });
});

describe('untracked files', () => {
  const holds = ['untracked'];
  together({
    'one without a byte': { build: (_r, desk) => writeFileSync(join(desk, 'new'), ''), holds },
    'one deep in new folders': { build: add('a', 'b', 'c', 'd'), holds },
    'one beside tracked ones': { build: add('wood', 'new.txt'), holds },
    'one beside what tools make again': {
      build: (r, desk) => {
        add('node_modules', 'a', 'index.js')(r, desk);
        add('new')(r, desk);
      },
      holds,
      noted: ['rebuildable'],
    },
    'a link to nowhere': { build: (_r, desk) => symlinkSync('nowhere', join(desk, 'link')), holds },
    'one whose ignoring is not committed': {
      build: (r, desk) => {
        appendFileSync(join(desk, '.gitignore'), 'notes\n');
        add('notes')(r, desk);
      },
      holds: ['modified'],
      noted: ['archived'],
    },
    'one that is taken out of what is ignored': {
      build: (r, desk) => {
        mkdirSync(join(desk, 'sub'));
        writeFileSync(join(desk, 'sub', '.gitignore'), '!keep.log\n');
        add('sub', 'keep.log')(r, desk);
      },
      holds,
    },
    'an empty folder is none': { build: (_r, desk) => mkdirSync(join(desk, 'empty', 'inner'), { recursive: true }) },
  });
});

describe('odd names', () => {
  const NAMES: Readonly<Record<string, Buffer>> = {
    'a blank at both ends': Buffer.from(' a name '),
    'a line feed': Buffer.from('a\nb'),
    'a tab and a quote': Buffer.from('a\t"b\\'),
    'a letter beyond ASCII': Buffer.from('hölzchen.txt'),
    'what is no UTF-8': Buffer.from([0x61, 0xff, 0xfe, 0x62]),
    'the look of an option': Buffer.from('--force'),
    'the look of a pattern': Buffer.from('*'),
    'the look of a status line': Buffer.from('? x'),
  };
  const at = (folder: string, name: Buffer) => Buffer.concat([Buffer.from(`${folder}/`), name]);
  const cases = (kind: string, holds: readonly string[], build: (name: Buffer) => Build): Cases =>
    Object.fromEntries(
      Object.entries(NAMES).map(([title, name]) => [`${kind}, with ${title}`, { holds, build: build(name) }]),
    );
  together(
    {
      ...cases('untracked', ['untracked'], (name) => (_r, desk) => writeFileSync(at(desk, name), 'x')),
      ...cases('ignored, and too large', ['ignored-precious'], (name) => (_r, desk) => {
        mkdirSync(join(desk, 'scratch'));
        writeFileSync(at(join(desk, 'scratch'), name), Buffer.alloc(17 * 1024 * 1024));
      }),
      ...cases(
        'tracked and edited',
        ['modified'],
        (name) => (_r, desk) => appendFileSync(at(`${desk}/odd`, name), 'x'),
      ),
      ...cases('tracked, edited and hidden', ['hidden-edits'], (name) => (r, desk) => {
        // No argument holds bytes that are no UTF-8.
        const input = Buffer.concat([Buffer.from('odd/'), name, Buffer.from([0])]);
        r.gitWith({ cwd: desk, input }, 'update-index', '--skip-worktree', '-z', '--stdin');
        appendFileSync(at(`${desk}/odd`, name), 'x');
      }),
      'all of them tracked and as they were': { build: () => {} },
    },
    (r) =>
      landMore(r, () => {
        mkdirSync(r.path('odd'));
        for (const name of Object.values(NAMES)) writeFileSync(at(r.path('odd'), name), 'x\n');
      }),
  );
});
