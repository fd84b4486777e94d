/**
 * Work in a worktree that git's own status does not show: because of a flag, a setting, a filter, or a program that
 * tells git what changed. Each test first makes sure that git sees nothing, where it is to see nothing.
 */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { alone, type Build, type Cases, expectUnseen, gitAt, together } from '../support/worktree.ts';

const HIDDEN = ['hidden-edits'];

/** Sets a flag on alpha, lets something happen, and makes sure that git does not see it. */
const behind =
  (flag: string, happens: Build): Build =>
  (r, desk) => {
    gitAt(r, desk, 'update-index', flag, ALPHA);
    happens(r, desk);
    expectUnseen(r, desk);
  };

const edited: Build = (_r, desk) => appendFileSync(join(desk, ALPHA), 'x\n');

describe.each(['--assume-unchanged', '--skip-worktree'])('behind %s', (flag) => {
  together({
    'nothing happened': { build: behind(flag, () => {}) },
    'an edit': { build: behind(flag, edited), holds: HIDDEN },
    'an edit, with the other flag too': {
      build: (r, desk) => {
        behind('--assume-unchanged', () => {})(r, desk);
        behind('--skip-worktree', edited)(r, desk);
      },
      holds: HIDDEN,
    },
    'an edit of the same size and time': {
      build: behind(flag, (r, desk) => {
        const { atime, mtime } = statSync(join(desk, ALPHA));
        writeFileSync(join(desk, ALPHA), r.read(ALPHA).replace('one', 'two'));
        utimesSync(join(desk, ALPHA), atime, mtime);
      }),
      holds: HIDDEN,
    },
    'all of it cut off': { build: behind(flag, (_r, desk) => writeFileSync(join(desk, ALPHA), '')), holds: HIDDEN },
    'a mode': { build: behind(flag, (_r, desk) => chmodSync(join(desk, ALPHA), 0o755)), holds: HIDDEN },
    'a link instead': {
      build: behind(flag, (_r, desk) => {
        rmSync(join(desk, ALPHA));
        symlinkSync('beta.txt', join(desk, ALPHA));
      }),
      holds: HIDDEN,
    },
    'a link to the same bytes': {
      build: behind(flag, (r, desk) => {
        rmSync(join(desk, ALPHA));
        symlinkSync(r.path(ALPHA), join(desk, ALPHA));
      }),
      holds: HIDDEN,
    },
    'a deletion: there is nothing to lose': { build: behind(flag, (_r, desk) => rmSync(join(desk, ALPHA))) },
    'the same bytes, written again': {
      build: behind(flag, (r, desk) => {
        rmSync(join(desk, ALPHA));
        writeFileSync(join(desk, ALPHA), r.read(ALPHA));
      }),
    },
    'an edit of another file': {
      build: (r, desk) => {
        gitAt(r, desk, 'update-index', flag, ALPHA);
        appendFileSync(join(desk, BETA), 'x\n');
      },
      holds: ['modified'],
    },
    'an edit that was staged before': {
      build: (r, desk) => {
        edited(r, desk);
        gitAt(r, desk, 'add', ALPHA);
        gitAt(r, desk, 'update-index', flag, ALPHA);
        edited(r, desk);
      },
      holds: ['staged', 'hidden-edits'],
    },
  });
});

/** What settings must not hide, each in a worktree of its own. */
const DIRT: Cases = {
  'nothing at all': { build: () => {} },
  'an edit': { build: edited, holds: ['modified'] },
  'an edit of the same size and time': {
    build: (r, desk) => {
      const { atime, mtime } = statSync(join(desk, ALPHA));
      writeFileSync(join(desk, ALPHA), r.read(ALPHA).replace('one', 'two'));
      utimesSync(join(desk, ALPHA), atime, mtime);
    },
    holds: ['modified'],
  },
  'a mode': { build: (_r, desk) => chmodSync(join(desk, ALPHA), 0o755), holds: ['modified'] },
  'a new file': { build: (_r, desk) => writeFileSync(join(desk, 'wood', 'new'), 'x'), holds: ['untracked'] },
  'a new file in a new folder': {
    build: (_r, desk) => {
      mkdirSync(join(desk, 'new'));
      writeFileSync(join(desk, 'new', 'file'), 'x');
    },
    holds: ['untracked'],
  },
  'a new file that differs from a tracked one only in case': {
    build: (_r, desk) => writeFileSync(join(desk, 'wood', 'ALPHA.txt'), 'x'),
    holds: ['untracked'],
  },
  'a new folder that differs from a tracked one only in case': {
    build: (_r, desk) => {
      mkdirSync(join(desk, 'WOOD'));
      writeFileSync(join(desk, 'WOOD', 'alpha.txt'), 'x');
    },
    holds: ['untracked'],
  },
};

type Settings = Readonly<Record<string, string>>;

const SETTINGS: Readonly<Record<string, Settings>> = {
  'modes count for nothing': { 'core.fileMode': 'false' },
  'times and links count for little': {
    'core.checkStat': 'minimal',
    'core.trustctime': 'false',
    'core.symlinks': 'false',
  },
  'what git writes counts as unchanged': { 'core.ignoreStat': 'true' },
  'letters count without case': { 'core.ignoreCase': 'true' },
  'status shows little': { 'status.showUntrackedFiles': 'no', 'diff.ignoreSubmodules': 'all', 'status.short': 'true' },
  'the index has another form': { 'feature.manyFiles': 'true', 'core.splitIndex': 'true', 'index.version': '4' },
};

describe.each(Object.entries(SETTINGS))('settings by which %s', (_title, settings) => {
  // Git flags what it writes then, so that an edit is one that it hides.
  const isFlagged = settings['core.ignoreStat'] !== undefined;
  const cases = Object.entries(DIRT).map(([title, one]) => [
    title,
    isFlagged && one.holds?.includes('modified') ? { ...one, holds: HIDDEN } : one,
  ]);
  together(Object.fromEntries(cases), (r) => {
    for (const [name, value] of Object.entries(settings)) r.git('config', name, value);
  });
});

describe('what git remembers of a worktree', () => {
  /** A program that git asks what changed, and that always says: nothing. */
  function lyingMonitor(r: Repository): void {
    const program = join(r.places.root, 'monitor');
    writeFileSync(program, "#!/bin/sh\nprintf 'token\\0'\n");
    chmodSync(program, 0o755);
    r.git('config', 'core.fsmonitor', program);
    r.git('config', 'core.fsmonitorHookVersion', '2');
  }

  const told = (happens: Build): Build => {
    return (r, desk) => {
      lyingMonitor(r);
      // The first look fills in what the monitor is asked about later.
      for (let times = 0; times < 2; times++) gitAt(r, desk, 'status');
      gitAt(r, desk, 'update-index', '--fsmonitor');
      happens(r, desk);
    };
  };

  alone('a monitor that denies an edit', {
    build: told((r, desk) => {
      edited(r, desk);
      expectUnseen(r, desk);
    }),
    holds: ['modified'],
  });

  alone('a monitor that denies a new file', {
    build: told((r, desk) => {
      gitAt(r, desk, 'update-index', '--untracked-cache');
      gitAt(r, desk, 'status');
      writeFileSync(join(desk, 'wood', 'new'), 'x');
    }),
    holds: ['untracked'],
  });

  alone('files marked valid for a monitor that is gone', {
    build: told((r, desk) => {
      gitAt(r, desk, 'update-index', '--fsmonitor-valid', ALPHA);
      edited(r, desk);
      r.git('config', '--unset', 'core.fsmonitor');
    }),
    holds: ['modified'],
  });

  alone('names in a folder whose time was set back', {
    build: (r, desk) => {
      for (const [name, value] of ['core.untrackedCache true', 'core.trustctime false', 'core.checkStat minimal'].map(
        (setting) => setting.split(' ') as [string, string],
      ))
        r.git('config', name, value);
      const wood = join(desk, 'wood');
      utimesSync(wood, 1_000_000, 1_000_000);
      gitAt(r, desk, 'update-index', '--untracked-cache');
      for (let times = 0; times < 2; times++) gitAt(r, desk, 'status');
      writeFileSync(join(wood, 'new'), 'x');
      utimesSync(wood, 1_000_000, 1_000_000);
    },
    holds: ['untracked'],
  });
});

describe('a sparse checkout', () => {
  const only = (r: Repository, desk: string, ...more: readonly string[]) =>
    gitAt(r, desk, 'sparse-checkout', 'set', ...more, 'other');

  alone('as it is', { build: (r, desk) => only(r, desk) });

  alone('with an index that names folders only', { build: (r, desk) => only(r, desk, '--cone', '--sparse-index') });

  alone('with a file outside of it that was edited', {
    build: (r, desk) => {
      only(r, desk);
      mkdirSync(join(desk, 'wood'));
      writeFileSync(join(desk, ALPHA), 'x\n');
    },
    holds: ['modified'],
  });

  alone('with a file outside of it that was edited, and git expects such files', {
    build: (r, desk) => {
      only(r, desk);
      r.git('config', 'sparse.expectFilesOutsideOfPatterns', 'true');
      mkdirSync(join(desk, 'wood'));
      writeFileSync(join(desk, ALPHA), 'x\n');
      expectUnseen(r, desk);
    },
    holds: ['modified'],
  });

  alone('with an index that names folders only, and a file outside of it that was edited', {
    build: (r, desk) => {
      only(r, desk, '--cone', '--sparse-index');
      mkdirSync(join(desk, 'wood'));
      writeFileSync(join(desk, ALPHA), 'x\n');
    },
    holds: ['modified'],
  });

  alone('with a new file outside of it', {
    build: (r, desk) => {
      only(r, desk, '--cone', '--sparse-index');
      mkdirSync(join(desk, 'wood'));
      writeFileSync(join(desk, 'wood', 'new'), 'x\n');
    },
    holds: ['untracked'],
  });
});
