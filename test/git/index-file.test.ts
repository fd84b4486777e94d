/** What is read of an index file is what git lists of it, or git is asked. */
import { readFileSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIndex } from '../../src/git/parse/index-file.ts';
import { parseTracked } from '../../src/git/parse/tracked.ts';
import { ALPHA, BETA, GAMMA, type Repository, temporaryRepository } from '../support/repository.ts';

const index = (r: Repository) => readFileSync(r.path('.git/index'));
const listed = (r: Repository) => parseTracked(r.gitWith({}, 'ls-files', '-v', '-s', '-z'));
const plain = (files: ReturnType<typeof parseIndex>) =>
  files?.map(({ path, mode, oid, tag }) => ({ path, mode, oid, tag }));

const STATES: Readonly<Record<string, (r: Repository) => void>> = {
  'as cloned': () => undefined,
  'with flags': (r) => {
    r.git('update-index', '--assume-unchanged', BETA, GAMMA);
  },
  'with a file that is only meant to be added': (r) => {
    r.write('meant', 'text');
    r.git('add', '-N', 'meant');
  },
  'with conflicts': (r) => {
    r.branch('topic');
    r.change(ALPHA, 5, 'one');
    r.toMain();
    r.change(ALPHA, 5, 'two');
    r.tryGit({}, 'merge', 'topic');
  },
  'with links, modes and long, odd and many names': (r) => {
    symlinkSync('nowhere', r.path('link'));
    r.write(`long/${Array.from({ length: 20 }, () => 'x'.repeat(180)).join('/')}`, 'text');
    for (let at = 0; at < 40; at++) r.write(`n/${'a'.repeat(at + 1)}`, String(at));
    r.write('two\nlines', 'text');
    r.git('add', '-A');
  },
  empty: (r) => r.git('read-tree', '--empty'),
};

describe('an index in plain form', () => {
  it.each(Object.entries(STATES))('is read as git lists it: %s', (_title, make) => {
    const r = temporaryRepository();
    make(r);
    expect(plain(parseIndex(index(r), 'sha1'))).toEqual(listed(r));
  });
});

describe('an index in another form', () => {
  it.each<[string, (r: Repository) => void]>([
    ['version 4', (r) => void r.git('update-index', '--index-version', '4')],
    ['with a skipped file', (r) => void r.git('update-index', '--skip-worktree', ALPHA)],
    ['split', (r) => void r.git('update-index', '--split-index')],
    [
      'sparse',
      (r) => {
        r.git('sparse-checkout', 'init', '--cone', '--sparse-index');
        r.git('sparse-checkout', 'set', 'other');
      },
    ],
  ])('is left to git: %s', (_title, make) => {
    const r = temporaryRepository();
    make(r);
    expect(parseIndex(index(r), 'sha1')).toBeNull();
  });

  it('and so is one of another hash, none, and one with any byte changed or cut off', () => {
    const r = temporaryRepository();
    const bytes = index(r);
    expect(parseIndex(bytes, 'sha256')).toBeNull();
    expect(parseIndex(Buffer.alloc(0), 'sha1')).toBeNull();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = Buffer.from(bytes);
        other[at] = ((other[at] as number) + by) % 256;
        expect(parseIndex(other, 'sha1')).toBeNull();
        expect(parseIndex(bytes.subarray(0, at), 'sha1')).toBeNull();
      }),
    );
  });
});
