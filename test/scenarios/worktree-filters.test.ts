/**
 * Files that git does not store as they lie in the folder. No program of a filter may be started by a look, and what
 * such a program hides from status counts as an edit unless it is known by its bytes.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import type { Repository } from '../support/repository.ts';
import {
  type Build,
  codesIn,
  expectCodes,
  expectUnseen,
  gitAt,
  landMore,
  temporaryMerged,
  together,
  type Wanted,
} from '../support/worktree.ts';

const FILE = 'page.book';
const PLAIN = 'body\nresult: none\n';

/** Writes a file of the worktree anew and adds it, as its owner would: nothing is staged, and the index takes it as known. */
const writtenAndSeen =
  (text: string): Build =>
  (r, desk) => {
    writeFileSync(join(desk, FILE), text);
    // Written longer ago than the index: git does not look into it again.
    utimesSync(join(desk, FILE), 1_000_000, 1_000_000);
    gitAt(r, desk, 'add', FILE);
    expectUnseen(r, desk);
  };

/** A filter that leaves out what stands behind `result:`, as one for notebooks does. */
function forgetful(r: Repository, ...where: readonly string[]): void {
  r.git('config', ...where, 'filter.book.clean', "sed -e 's/^result: .*/result: none/'");
  r.git('config', ...where, 'filter.book.smudge', 'cat');
}

const RESULTS = 'body\nresult: of a week\n';

describe('a filter that drops results, named by a tracked .gitattributes', () => {
  together(
    {
      'nothing happened': { build: () => {} },
      'the same bytes, written again': { build: writtenAndSeen(PLAIN) },
      'results that only lie here': { build: writtenAndSeen(RESULTS), holds: ['hidden-edits'] },
      'an edit that git sees, too': {
        build: (_r, desk) => appendFileSync(join(desk, FILE), 'more\n'),
        holds: ['hidden-edits', 'modified'],
      },
      'the file is gone': { build: (_r, desk) => rmSync(join(desk, FILE)), holds: ['modified'] },
    },
    (r) => {
      forgetful(r);
      landMore(r, () => {
        r.write('.gitattributes', [`${FILE} filter=book`]);
        r.write(FILE, PLAIN);
      });
    },
  );
});

describe('a filter that drops results, named elsewhere', () => {
  const naming: Readonly<Record<string, (r: Repository, desk: string) => void>> = {
    'by info/attributes': (r) => r.write('.git/info/attributes', [`${FILE} filter=book`]),
    "by the account's file of attributes": (r) => {
      mkdirSync(join(r.places.home, '.config/git'), { recursive: true });
      writeFileSync(join(r.places.home, '.config/git/attributes'), `${FILE} filter=book\n`);
    },
    'by core.attributesFile': (r) => {
      writeFileSync(join(r.places.root, 'attributes'), `${FILE} filter=book\n`);
      r.git('config', 'core.attributesFile', join(r.places.root, 'attributes'));
    },
    'by a .gitattributes that is not tracked': (r, desk) => {
      r.write('.git/info/exclude', ['.gitattributes']);
      writeFileSync(join(desk, '.gitattributes'), `${FILE} filter=book\n`);
    },
  };

  it('by a driver that is no longer set', async () => {
    const r = temporaryMerged();
    forgetful(r);
    landMore(r, () => {
      r.write('.gitattributes', [`${FILE} filter=book`]);
      r.write(FILE, PLAIN);
    });
    const desk = r.worktree('desk', 'topic');
    writtenAndSeen(RESULTS)(r, desk);
    r.git('config', '--remove-section', 'filter.book');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['hidden-edits'] });
  });

  it.each(Object.entries(naming))('%s', async (_title, name) => {
    const r = temporaryMerged();
    forgetful(r);
    landMore(r, () => r.write(FILE, PLAIN));
    const desk = r.worktree('desk', 'topic');
    name(r, desk);
    writtenAndSeen(RESULTS)(r, desk);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['hidden-edits'] });
  });
});

describe('a filter set for one worktree alone', () => {
  /** Writes down that it was started. */
  function telling(r: Repository): { program: string; told: string } {
    const [program, told] = [join(r.places.root, 'filter'), join(r.places.root, 'told')];
    writeFileSync(program, `#!/bin/sh\n: > '${told}'\nsed -e 's/^result: .*/result: none/'\n`);
    chmodSync(program, 0o755);
    return { program, told };
  }

  async function judged(happens: Build, wanted: Wanted): Promise<void> {
    const r = temporaryMerged();
    const { program, told } = telling(r);
    landMore(r, () => {
      r.write('.gitattributes', [`${FILE} filter=book`]);
      r.write(FILE, PLAIN);
    });
    r.git('config', 'extensions.worktreeConfig', 'true');
    const desk = r.worktree('desk', 'topic');
    gitAt(r, desk, 'config', '--worktree', 'filter.book.clean', program);
    happens(r, desk);
    rmSync(told, { force: true });
    const codes = codesIn(await look(r), 'desk');
    expect(existsSync(told), 'the filter was started').toBe(false);
    expectCodes(codes, wanted);
  }

  it('hides nothing', () => judged(writtenAndSeen(RESULTS), { holds: ['hidden-edits'] }));

  it('is not started', () => judged((_r, desk) => utimesSync(join(desk, FILE), 1_000_000, 1_000_000), { holds: [] }));
});

describe('filters are not started', () => {
  it.each(['clean', 'smudge', 'process'])('as %s', async (kind) => {
    const r = temporaryMerged();
    const told = join(r.places.root, 'told');
    landMore(r, () => {
      r.write('.gitattributes', [`${FILE} filter=book`]);
      r.write(FILE, PLAIN);
    });
    const desk = r.worktree('desk', 'topic');
    r.git('config', `filter.book.${kind}`, `touch '${told}'; cat`);
    r.git('config', 'filter.book.required', 'true');
    utimesSync(join(desk, FILE), 1_000_000, 1_000_000);
    const codes = codesIn(await look(r), 'desk');
    expect(existsSync(told)).toBe(false);
    expectCodes(codes, { holds: [] });
  });
});

describe('large files that git stores as pointers', () => {
  const BYTES = 'the large bytes\n';
  const [OTHER, BYTES_ALONE] = ['other.book', 'bytes that are nowhere else\n'];
  const idOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex');
  const pointer = (bytes: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${idOf(bytes)}\nsize ${bytes.length}\n`;
  together(
    {
      'as pointers': { build: () => {} },
      'as the bytes that they point to': { build: (_r, desk) => writeFileSync(join(desk, FILE), BYTES) },
      'as the bytes, which git has looked at': { build: writtenAndSeen(BYTES) },
      'as the bytes, flagged': {
        build: (r, desk) => {
          writtenAndSeen(BYTES)(r, desk);
          gitAt(r, desk, 'update-index', '--skip-worktree', FILE);
        },
      },
      'as bytes that the store has no copy of': {
        build: (r, desk) => {
          writeFileSync(join(desk, OTHER), BYTES_ALONE);
          utimesSync(join(desk, OTHER), 1_000_000, 1_000_000);
          gitAt(r, desk, 'add', OTHER);
        },
        holds: ['hidden-edits'],
      },
      'as other bytes of the same size': {
        build: (_r, desk) => writeFileSync(join(desk, FILE), BYTES.replace('large', 'other')),
        holds: ['hidden-edits', 'modified'],
      },
      'as another pointer': {
        build: (_r, desk) => writeFileSync(join(desk, FILE), pointer('other')),
        holds: ['hidden-edits', 'modified'],
      },
      'as the bytes, with another mode': {
        build: (_r, desk) => {
          writeFileSync(join(desk, FILE), BYTES);
          chmodSync(join(desk, FILE), 0o755);
        },
        holds: ['hidden-edits', 'modified'],
      },
    },
    (r) => {
      const program = join(r.places.root, 'large');
      writeFileSync(
        program,
        `#!/bin/sh\nhash=$(tee '${program}.tmp' | sha256sum | cut -c1-64)\n` +
          `head -c 7 '${program}.tmp' | grep -q '^version' && exec cat '${program}.tmp'\n` +
          `printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$hash" "$(wc -c < '${program}.tmp')"\n`,
      );
      chmodSync(program, 0o755);
      const id = idOf(BYTES);
      r.write(`.git/lfs/objects/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`, BYTES);
      r.git('config', 'filter.lfs.clean', program);
      r.git('config', 'filter.lfs.smudge', 'cat');
      landMore(r, () => {
        r.write('.gitattributes', [`*.book filter=lfs`]);
        r.write(FILE, pointer(BYTES));
        r.write(OTHER, pointer(BYTES_ALONE));
      });
    },
  );
});

describe('line ends that git converts', () => {
  const TEXT = 'one\ntwo\n';
  const RETURNS = 'one\r\ntwo\r\n';
  together(
    {
      'as checked out': { build: () => {} },
      'written again': { build: (_r, desk) => writeFileSync(join(desk, 'a.txt'), RETURNS) },
      'with a word changed': {
        build: (_r, desk) => writeFileSync(join(desk, 'a.txt'), RETURNS.replace('two', 'six')),
        holds: ['modified'],
      },
      'flagged, as checked out': {
        build: (r, desk) => gitAt(r, desk, 'update-index', '--skip-worktree', 'a.txt'),
        holds: [],
      },
      'flagged, with a word changed': {
        build: (r, desk) => {
          gitAt(r, desk, 'update-index', '--skip-worktree', 'a.txt');
          writeFileSync(join(desk, 'a.txt'), RETURNS.replace('two', 'six'));
        },
        holds: ['hidden-edits'],
      },
      'returns where none belong': {
        build: (_r, desk) => writeFileSync(join(desk, 'raw.bin'), RETURNS),
        holds: ['modified'],
      },
    },
    (r) =>
      landMore(r, () => {
        r.write('.gitattributes', ['*.txt text eol=crlf', 'raw.bin -text']);
        r.write('a.txt', TEXT);
        r.write('raw.bin', TEXT);
      }),
  );
});

describe('what is ignored by a file that is not tracked', () => {
  const ignoring: Readonly<Record<string, (r: Repository) => void>> = {
    'info/exclude': (r) => r.write('.git/info/exclude', ['*.note']),
    'core.excludesFile': (r) => {
      writeFileSync(join(r.places.root, 'ignore'), '*.note\n');
      r.git('config', 'core.excludesFile', join(r.places.root, 'ignore'));
    },
    "the account's file of names to ignore": (r) => {
      mkdirSync(join(r.places.home, '.config/git'), { recursive: true });
      writeFileSync(join(r.places.home, '.config/git/ignore'), '*.note\n');
    },
  };
  describe.each(Object.entries(ignoring))('%s', (_title, ignore) => {
    const put =
      (size: number): Build =>
      (r, desk) => {
        writeFileSync(join(desk, 'a.note'), Buffer.alloc(size));
        expectUnseen(r, desk);
      };
    together(
      {
        'a small file': { build: put(1), noted: ['archived'] },
        'a large file': { build: put(17 * 1024 * 1024), holds: ['ignored-precious'] },
      },
      ignore,
    );
  });
});
