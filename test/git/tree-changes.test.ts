import { expect, it } from 'vitest';
import { readTreeChanges } from '../../src/git/read/tree-changes.ts';
import { gitFor } from '../../src/git/run.ts';
import { parseOid } from '../../src/judge/facts/names.ts';
import { countGit } from '../support/count-git.ts';
import { temporaryRepository } from '../support/repository.ts';

const MISSING = parseOid('1'.repeat(40));

it('compares very many pairs in two processes, and each pair once', async () => {
  const repo = temporaryRepository();
  const [before, after] = ['before', 'after'].map((name) => {
    repo.write('new.txt', `${name}\n`);
    repo.commit(name);
    return parseOid(repo.git('rev-parse', 'HEAD^{tree}'));
  });
  if (!before || !after || !MISSING) throw new Error('no trees');
  const pairs = Array.from({ length: 20_001 }, () => ({ before, after }));
  const counter = countGit(repo.places.root, repo.env);
  const begun: number[] = [];
  const entries: number[] = [];
  const reader = { begin: (index: number) => begun.push(index), entry: (index: number) => entries.push(index) };
  expect(await readTreeChanges(gitFor(repo.work, counter.env), pairs, reader)).toEqual(new Map());
  expect(begun).toEqual(pairs.map((_, index) => index));
  expect(entries).toEqual(begun);
  expect(counter.calls()).toHaveLength(2);

  for (const index of [0, 10_000, 10_001, 20_000]) pairs[index] = { before, after: MISSING };
  const unread = await readTreeChanges(gitFor(repo.work, counter.env), pairs, { begin: () => {}, entry: () => {} });
  expect([...unread.keys()]).toEqual([0, 10_000, 10_001, 20_000]);
});
