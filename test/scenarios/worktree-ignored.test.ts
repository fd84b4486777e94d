/**
 * Ignored files of a worktree, which plain git takes away without a word: what a tool makes again may go, a copy may
 * go, a little of anything else is kept as notes, and more of it holds the worktree.
 */
import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { look } from '../support/cli.ts';
import {
  type Build,
  type Case,
  codesIn,
  expectCodes,
  landMore,
  temporaryDesk,
  together,
  type Wanted,
} from '../support/worktree.ts';

const REBUILDABLE: Wanted = { noted: ['rebuildable'], notNoted: ['archived', 'duplicate'] };
const ARCHIVED: Wanted = { noted: ['archived'], notNoted: ['rebuildable', 'duplicate'] };
const DUPLICATE: Wanted = { noted: ['duplicate'], notNoted: ['rebuildable', 'archived'] };
const TOO_MUCH: Wanted = { holds: ['ignored-precious'], notNoted: ['archived'] };

const SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55\n# made by a tool\n';
const MEBI = 1024 * 1024;

/** Puts files into the worktree: by name, what is in them. */
const put =
  (files: Readonly<Record<string, string>>): Build =>
  (_r, desk) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(desk, name)), { recursive: true });
      writeFileSync(join(desk, name), text);
    }
  };
const files = (found: Readonly<Record<string, string>>, wanted: Wanted): Case => ({ build: put(found), ...wanted });

/** A file that is only large by its size. */
const large =
  (name: string, size: number): Build =>
  (r, desk) => {
    put({ [name]: '' })(r, desk);
    truncateSync(join(desk, name), size);
  };

/** Sets the time of a file, in seconds. */
const dated = (desk: string, name: string, time: number) => utimesSync(join(desk, name), time, time);

describe('what tools make again', () => {
  together(
    {
      'node_modules beside a lock file': files({ 'node_modules/a/index.js': 'x' }, REBUILDABLE),
      'node_modules of a part, below the lock file': files({ 'parts/a/node_modules/b/index.js': 'x' }, REBUILDABLE),
      'dist beside a manifest': files({ 'dist/app.js': 'x', 'dist/deep/er/app.css': 'x' }, REBUILDABLE),
      'target beside a manifest': files({ 'crate/target/debug/app': 'x' }, REBUILDABLE),
      'a virtual environment': files({ '.venv/pyvenv.cfg': 'home = /usr/bin\n', '.venv/lib/a.py': 'x' }, REBUILDABLE),
      'a virtual environment by another name': files({ 'scratch/pyvenv.cfg': 'home = /usr/bin\n' }, REBUILDABLE),
      'compiled Python files': files({ 'wood/__pycache__/a.cpython-311.pyc': 'x' }, REBUILDABLE),
      'a compiled file on its own': files({ 'wood/a.pyc': 'x' }, REBUILDABLE),
      "a tool's cache file": files({ '.eslintcache': 'x' }, REBUILDABLE),
      'an empty folder': { build: (_r, desk) => mkdirSync(join(desk, 'scratch')), ...REBUILDABLE },
      'folders with nothing but folders': {
        build: (_r, desk) => mkdirSync(join(desk, 'scratch/a/b'), { recursive: true }),
        ...REBUILDABLE,
      },
      'a tagged cache folder, nothing newer than its tag': {
        build: (r, desk) => {
          put({ 'target/CACHEDIR.TAG': SIGNATURE, 'target/debug/app': 'x' })(r, desk);
          dated(desk, 'target/debug/app', 1_000_000);
          dated(desk, 'target/CACHEDIR.TAG', 1_000_001);
        },
        ...REBUILDABLE,
      },
      'all of it large': {
        build: (r, desk) => {
          large('node_modules/a.bin', 30 * MEBI)(r, desk);
          large('dist/a.bin', 30 * MEBI)(r, desk);
        },
        ...REBUILDABLE,
      },
      'an environment that ignores itself, as tools write it today': {
        build: (r, desk) => {
          put({ 'env/.gitignore': '*\n', 'env/pyvenv.cfg': 'home = /usr/bin\n' })(r, desk);
          large('env/lib/a.so', 17 * MEBI)(r, desk);
        },
        ...REBUILDABLE,
      },
    },
    (r) =>
      landMore(r, () => {
        r.append('.gitignore', '*.pyc\n.eslintcache\n');
        r.write('crate/Cargo.toml', ['[package]']);
        r.write('crate/src/lib.rs', []);
      }),
  );
});

describe('what only looks like it', () => {
  together(
    {
      'node_modules without a lock file': files({ 'node_modules/a/index.js': 'x' }, ARCHIVED),
      'a lock file that lies in node_modules itself': files({ 'node_modules/yarn.lock': 'x' }, ARCHIVED),
      'node_modules as a file': files({ node_modules: 'x' }, ARCHIVED),
      'dist without a manifest beside it': files({ 'wood/dist/app.js': 'x' }, ARCHIVED),
      'target without a manifest beside it': files({ 'target/notes.txt': 'x' }, ARCHIVED),
      'a manifest that lies in target itself': files({ 'target/Cargo.toml': 'x' }, ARCHIVED),
      'an environment without its file': files({ '.venv/lib/a.py': 'x' }, ARCHIVED),
      'an environment whose file is empty': files({ '.venv/pyvenv.cfg': '', '.venv/a.py': 'x' }, ARCHIVED),
      'an environment that was made around work': {
        ...files({ 'scratch/pyvenv.cfg': 'home = /usr/bin\n', 'scratch/lib/a.py': 'x', 'scratch/thesis.txt': 'x' }, {}),
        noted: ['archived'],
      },
      'an environment whose file is a link': {
        build: (r, desk) => {
          put({ '.venv/a.py': 'x', '.env-cfg': 'home = /usr/bin\n' })(r, desk);
          symlinkSync('../.env-cfg', join(desk, '.venv/pyvenv.cfg'));
        },
        ...ARCHIVED,
      },
      'a source among compiled files': {
        ...files({ 'wood/__pycache__/a.pyc': 'x', 'wood/__pycache__/a.py': 'x' }, {}),
        noted: ['rebuildable', 'archived'],
      },
      'a tag without the signature': files({ 'target/CACHEDIR.TAG': 'Signature: none\n', 'target/a': 'x' }, ARCHIVED),
      'a tag whose signature is cut': files({ 'target/CACHEDIR.TAG': SIGNATURE.slice(0, 30) }, ARCHIVED),
      'a tag that is a link': {
        build: (r, desk) => {
          put({ 'target/a': 'x', '.env-tag': SIGNATURE })(r, desk);
          symlinkSync('../.env-tag', join(desk, 'target/CACHEDIR.TAG'));
          dated(desk, 'target/a', 1_000_000);
        },
        ...ARCHIVED,
      },
      'a tag, and a file that is newer': {
        build: (r, desk) => {
          put({ 'target/CACHEDIR.TAG': SIGNATURE, 'target/deep/notes.txt': 'x' })(r, desk);
          dated(desk, 'target/CACHEDIR.TAG', 1_000_000);
        },
        ...ARCHIVED,
      },
      'a cache file that is a link': {
        build: (r, desk) => {
          put({ '.env-cache': 'x' })(r, desk);
          symlinkSync('.env-cache', join(desk, '.eslintcache'));
        },
        ...ARCHIVED,
      },
      'a backup and a swap file of an editor': files({ '.env~': 'x', '.env.swp': 'x' }, ARCHIVED),
      'secrets, keys and databases': files(
        { '.envrc': 'x', '.env.local': 'x', 'scratch/id_ed25519': 'x', 'scratch/local.sqlite': 'x' },
        ARCHIVED,
      ),
      'a pipe': {
        build: (r, desk) => {
          mkdirSync(join(desk, 'scratch'));
          r.gitWith({ cwd: desk }, '-c', 'alias.pipe=!mkfifo scratch/pipe scratch/pyvenv.cfg', 'pipe');
        },
        ...ARCHIVED,
      },
    },
    (r) =>
      landMore(r, () => {
        r.append('.gitignore', '.eslintcache\n');
        r.delete('package-lock.json');
      }),
  );
});

describe('copies of what the main checkout has', () => {
  together(
    {
      'the same bytes': files({ '.env.same': 'SECRET=1\n' }, DUPLICATE),
      'the same bytes, deep in an ignored folder': files({ 'scratch/deep/er/notes': 'notes\n' }, DUPLICATE),
      'nothing in either': files({ '.env.empty': '' }, DUPLICATE),
      'one other byte': files({ '.env.same': 'SECRET=2\n' }, ARCHIVED),
      'one byte more': files({ '.env.same': 'SECRET=1\n\n' }, ARCHIVED),
      'the same bytes by another name': files({ '.env.other': 'SECRET=1\n' }, ARCHIVED),
      'the same file by a hard link': {
        build: (r, desk) => linkSync(r.path('.env.same'), join(desk, '.env.same')),
        ...ARCHIVED,
      },
      'a link to the file there': {
        build: (r, desk) => symlinkSync(r.path('.env.same'), join(desk, '.env.same')),
        ...ARCHIVED,
      },
      'a file, and there a link to the same bytes': files({ '.env.link': 'SECRET=1\n' }, ARCHIVED),
      'a file, and there a link back to it': {
        build: (r, desk) => {
          put({ '.env.back': 'SECRET=1\n' })(r, desk);
          symlinkSync(join(desk, '.env.back'), r.path('.env.back'));
        },
        ...ARCHIVED,
      },
      'a file below what is a link there': files({ 'scratch/linked/notes': 'notes\n' }, ARCHIVED),
      'a link, and there the same link': {
        build: (_r, desk) => symlinkSync('.env.same', join(desk, '.env.link')),
        ...ARCHIVED,
      },
      'a copy and one of its own': {
        ...files({ '.env.same': 'SECRET=1\n', '.env.own': 'x' }, {}),
        noted: ['duplicate', 'archived'],
      },
      'a copy that is large': { build: large('scratch/large', 20 * MEBI), ...DUPLICATE },
      'a copy too large to be compared': { build: large('scratch/huge', 65 * MEBI), ...TOO_MUCH },
    },
    (r) => {
      r.write('.env.same', 'SECRET=1\n');
      r.write('.env.empty', '');
      r.write('scratch/deep/er/notes', 'notes\n');
      symlinkSync('.env.same', r.path('.env.link'));
      symlinkSync('deep/er', r.path('scratch/linked'));
      large('scratch/large', 20 * MEBI)(r, r.work);
      large('scratch/huge', 65 * MEBI)(r, r.work);
    },
  );
});

describe('how much is too much', () => {
  const many =
    (count: number): Build =>
    (_r, desk) => {
      mkdirSync(join(desk, 'scratch'));
      for (let at = 0; at < count; at++) writeFileSync(join(desk, 'scratch', `${at}`), '');
    };
  together({
    'just as much as may be': { build: large('scratch/a', 16 * MEBI), ...ARCHIVED },
    'one byte more': { build: large('scratch/a', 16 * MEBI + 1), ...TOO_MUCH },
    'several that are too much together': {
      build: (r, desk) => {
        large('scratch/a', 9 * MEBI)(r, desk);
        large('.env.large', 9 * MEBI)(r, desk);
      },
      ...TOO_MUCH,
    },
    'a thousand files': { build: many(1000), ...ARCHIVED },
    'one file more': { build: many(1001), ...TOO_MUCH },
    'much of its own beside what tools make again': {
      build: (r, desk) => {
        put({ 'node_modules/a/index.js': 'x' })(r, desk);
        large('scratch/a', 17 * MEBI)(r, desk);
      },
      ...TOO_MUCH,
      noted: ['rebuildable'],
    },
  });
});

describe('an ignored folder in which something is tracked', () => {
  together(
    {
      'with nothing else': { build: () => {}, notNoted: ['archived', 'rebuildable'] },
      'with a note': files({ 'scratch/note': 'x' }, ARCHIVED),
      'with something large': { build: large('scratch/deep/large', 17 * MEBI), ...TOO_MUCH },
      'with an edit': { build: put({ 'scratch/kept': 'edited' }), holds: ['modified'] },
      'with a repository': {
        build: (r, desk) => r.git('init', '-q', '--bare', join(desk, 'scratch/store')),
        holds: ['nested-repository'],
      },
      'with what a tool makes again': files({ 'scratch/.venv/pyvenv.cfg': 'home = /usr/bin\n' }, REBUILDABLE),
    },
    (r) =>
      landMore(r, () => {
        r.write('scratch/kept', 'kept\n');
        r.git('add', '--force', 'scratch/kept');
      }),
  );
});

describe('settings', () => {
  const judged = async (text: string, build: Build, wanted: Wanted) => {
    const { r, desk } = temporaryDesk();
    mkdirSync(join(r.places.home, '.config/coppice'), { recursive: true });
    writeFileSync(join(r.places.home, '.config/coppice/config.toml'), text);
    build(r, desk);
    expectCodes(codesIn(await look(r), 'desk'), wanted);
  };
  const note = put({ 'scratch/note': 'x' });

  it('that hold everything precious', () => judged('[ignored]\nprecious = "hold"\n', note, TOO_MUCH));
  it('that hold everything precious, of which there is none', () =>
    judged('[ignored]\nprecious = "hold"\n', put({ 'dist/app.js': 'x' }), REBUILDABLE));
  it('that allow less', () => judged('[ignored]\narchiveUpTo = 0\n', note, TOO_MUCH));
  it('that name more as made again', () => judged('[ignored]\nrebuildable = ["scratch"]\n', note, REBUILDABLE));
});
