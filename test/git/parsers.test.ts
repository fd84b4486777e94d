/** Parsers against what real git prints, in pieces of any size. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommit } from '../../src/git/parse/commits.ts';
import { parseConfig } from '../../src/git/parse/config.ts';
import { parseLsRemote } from '../../src/git/parse/ls-remote.ts';
import { RawDiffParser, type RawEntry } from '../../src/git/parse/raw-diff.ts';
import { parseReflog } from '../../src/git/parse/reflog.ts';
import { parseRefs, REF_FORMAT } from '../../src/git/parse/refs.ts';
import { parseStatus } from '../../src/git/parse/status.ts';
import { parseWorktreeList } from '../../src/git/parse/worktree-list.ts';
import { parseAbsPath, parseOid, parseRefName } from '../../src/judge/facts/names.ts';
import { ALPHA, type Repository, temporaryRepository } from '../support/repository.ts';

const ID = 'a'.repeat(40);
const ZERO = '0'.repeat(40);

function print(repository: Repository, ...args: readonly string[]): Buffer {
  return execFileSync('git', [...args], { cwd: repository.work, env: repository.env });
}

describe('names', () => {
  it('takes only whole ids, refs and absolute paths', () => {
    expect([ID, 'b'.repeat(64)].map(parseOid)).not.toContain(null);
    for (const text of ['', 'A'.repeat(40), 'a'.repeat(39), `${ID} `, 'g'.repeat(40)])
      expect(parseOid(text)).toBeNull();
    expect(parseRefName('refs/heads/-x')).not.toBeNull();
    for (const text of [
      'main',
      'refs/heads/',
      'refs/heads/a..b',
      'refs/heads/a b',
      'refs/heads/a\nb',
      'refs/heads/a:b',
      'refs/heads/@{x',
    ]) {
      expect(parseRefName(text)).toBeNull();
    }
    expect(parseAbsPath('/a\nb')).not.toBeNull();
    expect([parseAbsPath('a'), parseAbsPath('/a\0b')]).toEqual([null, null]);
  });
});

describe('status', () => {
  it('reads every kind of entry, with names of any kind', () => {
    const repository = temporaryRepository();
    writeFileSync(repository.path('.gitignore'), 'hidden*\n');
    repository.write('old name.txt', ['1', '2', '3', '4', '5']);
    repository.commit('start');
    repository.branch('other');
    repository.change(ALPHA, 1, 'theirs');
    repository.toMain();
    repository.change(ALPHA, 1, 'ours');
    expect(repository.tryGit({}, 'merge', 'other').code).toBe(1);
    repository.git('mv', 'old name.txt', 'new "name"\n.txt');
    repository.write('un tracked\t.txt', ['x']);
    repository.write('hidden one', ['x']);
    const entries = parseStatus(
      print(repository, 'status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignored=matching', '--branch'),
    );
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'unmerged', path: ALPHA, states: 'UU' }),
        expect.objectContaining({ kind: 'changed', path: 'new "name"\n.txt', from: 'old name.txt', states: 'R.' }),
        { kind: 'untracked', path: 'un tracked\t.txt' },
        { kind: 'ignored', path: 'hidden one' },
      ]),
    );
    expect(entries).toHaveLength(4);
  });

  it.each(['1 M. N...\0', 'x\0', '? \0', '2 R. N... 100644 100644 100644 a b R100 x\0', '? a'])(
    'refuses %j',
    (text) => {
      expect(parseStatus(Buffer.from(text))).toBeNull();
    },
  );
});

describe('worktree list', () => {
  it('reads locks with their reason, detached heads and what is gone', () => {
    const repository = temporaryRepository();
    repository.git('branch', 'one');
    repository.git('branch', 'three');
    repository.worktree('one\nline', 'one');
    repository.worktree('two', 'HEAD', '--detach');
    repository.git('worktree', 'lock', '--reason', 'busy\nvery', repository.worktree('three', 'three'));
    const list = parseWorktreeList(print(repository, 'worktree', 'list', '--porcelain', '-z'));
    expect(list?.map((one) => [one.branch, one.locked])).toEqual(
      expect.arrayContaining([
        ['refs/heads/main', null],
        ['refs/heads/one', null],
        [null, null],
        ['refs/heads/three', 'busy\nvery'],
      ]),
    );
    expect(list?.some((one) => one.path.endsWith('one\nline'))).toBe(true);
  });

  it.each(['worktree /a\0HEAD x\0', 'HEAD a\0\0', 'worktree a\0\0'])('refuses %j', (text) => {
    expect(parseWorktreeList(Buffer.from(text))).toBeNull();
  });
});

describe('refs', () => {
  it('reads symbolic refs and upstreams that are gone', () => {
    const repository = temporaryRepository();
    repository.publish();
    repository.branch('topic');
    repository.gone('topic');
    repository.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/topic');
    const refs = parseRefs(print(repository, 'for-each-ref', `--format=${REF_FORMAT}`));
    expect(refs?.find((ref) => ref.name === 'refs/heads/alias')?.symbolic).toBe('refs/heads/topic');
    expect(refs?.find((ref) => ref.name === 'refs/heads/topic')?.upstream).toBe('refs/remotes/origin/topic');
  });

  it.each([`refs/heads/a\0${ID}\0\0\0x\n`, `main\0${ID}\0\0\n`, 'refs/heads/a\0x\0\0\n'])('refuses %j', (text) => {
    expect(parseRefs(Buffer.from(text))).toBeNull();
  });
});

describe('raw differences', () => {
  it('are the same in pieces of any size', () => {
    const repository = temporaryRepository();
    const before = repository.id('HEAD^{tree}');
    mkdirSync(join(repository.work, 'deep'));
    for (const name of ['a b', 'c\nd', 'e:f', ':g', 'ü']) writeFileSync(repository.path(`deep/${name}`), name);
    symlinkSync('nowhere', repository.path('link'));
    repository.commit('more');
    const pair = `${before} ${repository.id('HEAD^{tree}')}\n`;
    const output = execFileSync('git', ['diff-tree', '--stdin', '-r', '--raw', '-z'], {
      cwd: repository.work,
      env: repository.env,
      input: pair + pair,
    });
    const whole = read([output]);
    expect(whole.entries.map((entry) => Buffer.from(entry.path, 'latin1').toString())).toEqual(
      expect.arrayContaining(['deep/a b', 'deep/c\nd', 'deep/e:f', 'deep/:g', 'deep/ü', 'link']),
    );
    expect(whole.pairs).toBe(2);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: output.length }), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), output.length];
        expect(read(places.slice(1).map((end, at) => output.subarray(places[at], end)))).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it.each([`:100644 100644 x y M\0a\0`, `:100644 100644 ${ID} ${ID} R100\0a\0`])('refuses %j', (text) => {
    expect(read([Buffer.from(text)]).sound).toBe(false);
  });

  function read(chunks: readonly Buffer[]) {
    const entries: RawEntry[] = [];
    let pairs = 0;
    const parser = new RawDiffParser({
      pair: () => pairs++,
      entry: (entry) => entries.push(entry),
      echo: () => undefined,
    });
    const sound = chunks.every((chunk) => parser.push(chunk));
    return { entries, pairs, sound, complete: parser.isComplete() };
  }
});

describe('reflog', () => {
  it('reads what git wrote', () => {
    const repository = temporaryRepository();
    repository.branch('topic');
    const made = repository.change(ALPHA, 1, 'one');
    const entries = parseReflog(readFileSync(repository.path('.git/logs/refs/heads/topic')));
    expect(entries?.at(0)?.before).toBeNull();
    expect(entries?.at(-1)).toMatchObject({ after: made, message: expect.stringMatching(/^commit: /) });
  });

  it('is not fooled by a message that looks like an entry, or by none', () => {
    const text = `${ZERO} ${ID} Ada <a@b> 1 +0000\tx ${ID} Eve <e@f> 2 +0000\n${ID} ${ID} Ada <> 3 -0130\n`;
    expect(parseReflog(Buffer.from(text))).toEqual([
      { before: null, after: ID, time: 1, message: `x ${ID} Eve <e@f> 2 +0000` },
      { before: ID, after: ID, time: 3, message: '' },
    ]);
  });

  it.each([`${ID} ${ID} Ada <a@b> 1 +0000\tx`, `${ID} Ada <a@b> 1 +0000\tx\n`, 'x\n'])('refuses %j', (text) => {
    expect(parseReflog(Buffer.from(text))).toBeNull();
  });
});

describe('other listings', () => {
  it('reads commits, with and without a message', () => {
    const head = { oid: ID, tree: ID, time: 12 };
    const plain = { ...head, parents: [ID, ID], boundary: false, subject: '', body: '' };
    expect(parseCommit(`>${ID} ${ID} 12 ${ID} ${ID}`)).toEqual(plain);
    expect(parseCommit(`\n-${ID} ${ID} 12 \nA subject\nand\n\na body\n`)).toEqual({
      ...head,
      parents: [],
      boundary: true,
      subject: 'A subject',
      body: 'and\n\na body\n',
    });
    for (const line of ['', `>${ID} ${ID} x `, `>${ID} ${ID} 12 y`, `${ID} ${ID} 12 `]) {
      expect(parseCommit(line)).toBeNull();
    }
  });

  it('reads what a remote says', () => {
    const read = parseLsRemote(Buffer.from(`ref: refs/heads/wood\tHEAD\n${ID}\tHEAD\n${ID}\trefs/heads/wood\n`));
    expect(read).toEqual({ heads: new Map([['refs/heads/wood', ID]]), defaultBranch: 'refs/heads/wood' });
    expect(parseLsRemote(Buffer.from('nonsense\n'))).toBeNull();
  });

  it('reads settings with several values, line feeds and none', () => {
    expect(parseConfig(Buffer.from('a.b\nx\0a.b\ny\nz\0c.d\0'))).toEqual(
      new Map([
        ['a.b', ['x', 'y\nz']],
        ['c.d', ['true']],
      ]),
    );
  });
});
