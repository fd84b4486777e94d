/** Where a branch leaves the base, and what its reflog tells, on graphs made by hand. */
import { describe, expect, it } from 'vitest';
import type { Oid } from '../../src/judge/facts/names.ts';
import { earlierMerges, forkOf, lastWork } from '../../src/judge/graph/fork.ts';
import { type Commit, Graph, type Reach } from '../../src/judge/graph/graph.ts';
import { type ReflogEntry, readStory } from '../../src/judge/graph/reflog.ts';
import { revertedBy, Sayings } from '../../src/judge/graph/reverts.ts';
import { oid } from './ladder-samples.ts';

/**
 * `m0` to `m4` are the base's line; m2 merged `s1` and `s2`, m4 merged `s3`, which went on from s2. What is not on the
 * base is listed after it: parents, and the tree where it is not the commit's own.
 */
function graphOf(more: Readonly<Record<string, readonly [string, string?]>> = {}): Graph {
  const graph = new Graph();
  const base = { m0: '', m1: 'm0', s1: 'm0', s2: 's1', m2: 'm1 s2', m3: 'm2', s3: 's2', m4: 'm3 s3' };
  const add = (name: string, parents: string, tree: string, onBase: boolean) =>
    graph.add(
      { oid: oid(name), tree: oid(tree), parents: parents.split(' ').filter(Boolean).map(oid), time: 0 },
      onBase,
    );
  for (const [name, parents] of Object.entries(base)) add(name, parents, name, true);
  for (const [name, [parents, tree = name]] of Object.entries(more)) add(name, parents, tree, false);
  graph.setLine(['m0', 'm1', 'm2', 'm3', 'm4'].map(oid));
  return graph;
}

const at = (graph: Graph, name: string) => graph.get(oid(name)) as Commit;
const NONE: ReadonlySet<Oid> = new Set();
const forkAt = (graph: Graph, tip: string, end = 4, shallow = NONE) => forkOf(graph, at(graph, tip), end, shallow);
const names = (commits: readonly Commit[] | undefined) => commits?.map((commit) => commit.oid.replace(/0+$/, ''));

describe('a fork', () => {
  it('is where the branch leaves the line, or what a merge brought to it', () => {
    const graph = graphOf({ b1: ['m1'], b2: ['b1'], c1: ['s2'] });
    expect(forkAt(graph, 'b2')).toMatchObject({ relation: { kind: 'forked', at: 1, exact: true } });
    expect(names(forkAt(graph, 'b2')?.all)).toEqual(['b1', 'b2']);
    expect(forkAt(graph, 'b2')?.below).toBe(at(graph, 'm1'));
    expect(forkAt(graph, 'c1')?.relation).toEqual({ kind: 'forked', at: 0, exact: false });
  });

  it('is none for what is on the base, as far as the base is asked about', () => {
    const graph = graphOf();
    expect(forkAt(graph, 'm1')?.relation).toEqual({ kind: 'ancestor', at: 1, side: false });
    expect(forkAt(graph, 's2')?.relation).toEqual({ kind: 'ancestor', at: 2, side: true });
    expect(forkAt(graph, 's3', 3)?.relation.kind).toBe('forked');
    expect(forkAt(graph, 'm4', 3)?.relation.kind).toBe('forked');
  });

  it('is not told where the history is not in view', () => {
    expect(forkAt(graphOf({ b1: ['gone'] }), 'b1')).toBeNull();
    const graph = new Graph();
    graph.add({ oid: oid('o1'), tree: oid('o1'), parents: [oid('gone')], time: 0 }, true);
    graph.add({ oid: oid('o2'), tree: oid('o2'), parents: [oid('gone')], time: 0 }, true);
    graph.add({ oid: oid('b1'), tree: oid('b1'), parents: [oid('o1'), oid('o2')], time: 0 }, false);
    expect(forkAt(graph, 'o1')).toBeNull();
    expect(forkAt(graph, 'b1')).toBeNull();
  });

  it('is cut where a shallow clone ends', () => {
    const graph = graphOf({ b1: ['m1'], b2: ['b1'] });
    expect(forkAt(graph, 'b2', 4, new Set([oid('b1')]))?.relation).toEqual({ kind: 'cut' });
  });

  it('takes the newest of what the branch merged of the base', () => {
    const graph = graphOf({
      b1: ['m1'],
      b2: ['b1 m3'],
      c1: ['m0'],
      c2: ['c1 s2'],
      c3: ['c2 m1'],
      d1: ['s3'],
      d2: ['d1 s2'],
    });
    expect(names(forkAt(graph, 'b2')?.mergeBases)).toEqual(['m3']);
    expect(forkAt(graph, 'c3')?.relation).toEqual({ kind: 'entangled' });
    expect(names(forkAt(graph, 'c3')?.mergeBases)?.sort()).toEqual(['m1', 's2']);
    expect(names(forkAt(graph, 'd2')?.mergeBases)).toEqual(['s3']);
  });

  it('is none without a common commit, or with too many of them', () => {
    expect(forkAt(graphOf({ b1: [''] }), 'b1')?.relation).toEqual({ kind: 'unrelated' });
    const sides = Array.from({ length: 9 }, (_, index) => `t${index}`);
    const graph = new Graph();
    const add = (name: string, parents: readonly string[], onBase: boolean) =>
      graph.add({ oid: oid(name), tree: oid(name), parents: parents.map(oid), time: 0 }, onBase);
    add('m0', [], true);
    for (const side of sides) add(side, ['m0'], true);
    add('m1', ['m0', ...sides], true);
    add('b1', sides, false);
    add('b2', sides.slice(1), false);
    graph.setLine([oid('m0'), oid('m1')]);
    expect(forkAt(graph, 'b1')?.relation).toEqual({ kind: 'unrelated' });
    expect(forkAt(graph, 'b2')?.relation).toEqual({ kind: 'entangled' });
  });
});

describe('the last work of a branch', () => {
  it('lies below merges that only take the base', () => {
    const graph = graphOf({
      b1: ['m1'],
      b2: ['b1 m2', 'm2'],
      b3: ['b2 m3', 'm3'],
      c2: ['b1 m2'],
      d1: ['m1'],
      d2: ['b1 d1', 'd1'],
    });
    const lastOf = (name: string) => names([lastWork(graph, at(graph, name), 4)])?.[0];
    expect(lastOf('b3')).toBe('b1');
    expect(lastOf('c2')).toBe('c2');
    expect(lastOf('d2')).toBe('d2');
    expect(lastOf('m2')).toBe('m2');
  });

  it('was on the base where merges brought it, the newest first', () => {
    const graph = graphOf({ b1: ['s3'] });
    expect(names(earlierMerges(graph, at(graph, 's3')))).toEqual(['s3', 's2']);
    expect(earlierMerges(graph, at(graph, 'm3'))).toEqual([]);
    expect(earlierMerges(graph, at(graph, 'b1'))).toEqual([]);
  });
});

describe('a reach', () => {
  const reach = (graph: Graph, name: string) => graph.reach(at(graph, name)) as Reach;

  it('is null where it leaves what is in view', () => {
    const graph = graphOf({ b1: ['gone'] });
    expect(graph.reach(at(graph, 'b1'))).toBeNull();
  });

  it('counts what one has beyond another', () => {
    const graph = graphOf({ b1: ['m3'], b2: ['b1 s3'], c1: ['m1'] });
    const beyond = (a: string, b: string) => graph.countBeyond(reach(graph, a), reach(graph, b));
    expect(beyond('b2', 'b1')).toBe(2);
    expect(beyond('b1', 'c1')).toBe(5);
    expect(beyond('c1', 'b1')).toBe(1);
    expect(beyond('m4', 'b2')).toBe(1);
    expect(beyond('m1', 's2')).toBe(1);
  });

  it('is not counted across what is not in view', () => {
    const graph = new Graph();
    const add = (name: string, ...parents: string[]) =>
      graph.add({ oid: oid(name), tree: oid(name), parents: parents.map(oid), time: 0 }, true);
    add('m0');
    add('m1', 'm0', 'gone');
    add('m2', 'm1');
    graph.setLine(['m0', 'm1', 'm2'].map(oid));
    expect(graph.countBeyond(reach(graph, 'm2'), reach(graph, 'm0'))).toBeNull();
    expect(graph.countBeyond(reach(graph, 'm2'), reach(graph, 'm1'))).toBe(1);
  });

  it('needs every commit of the line', () => {
    expect(() => new Graph().setLine([oid('m0')])).toThrow('was not read');
  });

  it('gives what merges brought in, parents first', () => {
    const graph = graphOf();
    expect(names(graph.broughtIn(0, 4))).toEqual(['s1', 's2', 's3']);
    expect(names(graph.broughtIn(2, 4))).toEqual(['s3']);
  });
});

describe('a reflog', () => {
  const told = (graph: Graph, tip: string, ...moves: readonly (readonly [string | null, string | null, string])[]) => {
    const entries = moves.map(
      ([before, after, message]): ReflogEntry => ({
        before: before === null ? null : oid(before),
        after: after === null ? null : oid(after),
        time: 0,
        message,
      }),
    );
    return readStory(graph, at(graph, tip), entries);
  };
  const graph = graphOf({ b1: ['m1'], b2: ['b1'], b3: ['m1'], twin: ['m1', 'b2'] });

  it('tells what a reset left behind, and what an amend replaced', () => {
    expect(told(graph, 'b1', ['b2', 'b1', 'reset: moving to HEAD~'])).toMatchObject({
      dropped: [oid('b2')],
      replaced: [],
    });
    expect(told(graph, 'b3', ['b1', 'b3', 'commit (amend): a'])).toMatchObject({ dropped: [], replaced: [oid('b1')] });
    expect(told(graph, 'twin', ['b2', 'b3', 'reset: moving to x'], ['b3', 'twin', 'commit: b'])).toMatchObject({
      dropped: [oid('b3')],
      replaced: [oid('b2')],
    });
  });

  it('tells nothing of what the branch, the base or the next commit has', () => {
    expect(told(graph, 'b2', ['b1', 'b2', 'commit: b'])).toMatchObject({ dropped: [], replaced: [] });
    expect(told(graph, 'b1', ['m4', 'b1', 'reset: moving to b1'])).toMatchObject({ dropped: [], replaced: [] });
    expect(
      told(graph, 'b3', [null, 'b1', 'branch: Created'], ['b1', 'b2', 'commit: b'], ['b2', 'b3', 'reset: x']),
    ).toMatchObject({
      dropped: [oid('b2')],
    });
  });

  it('tells of moves that nobody wrote down', () => {
    expect(told(graph, 'b3', [null, 'b1', 'commit: a'])).toMatchObject({ dropped: [oid('b1')] });
    expect(told(graph, 'b3', [null, 'b1', 'commit: a'], ['b3', 'b3', 'x'])).toMatchObject({ dropped: [oid('b1')] });
  });

  it('tells whether a commit was made on the branch that is on the base', () => {
    expect(told(graph, 'm3', [null, 'm1', 'branch: Created from x'])).toMatchObject({
      ownOnBase: false,
      ownOnLine: null,
    });
    expect(told(graph, 'm3', ['m1', 'm3', 'commit: a'])).toMatchObject({ ownOnBase: true, ownOnLine: 3 });
    expect(told(graph, 's2', ['s1', 's2', 'commit: a'])).toMatchObject({ ownOnBase: true, ownOnLine: null });
  });

  it('is not told where the history is not in view', () => {
    const cut = graphOf({ b1: ['m1'], x1: ['gone'], x2: ['gone'] });
    expect(told(cut, 'x1')).toBeNull();
    expect(told(cut, 'b1', ['x1', 'x2', 'reset: x'], ['x2', 'b1', 'reset: x'])).toBeNull();
    expect(told(cut, 'b1', ['x1', 'b1', 'reset: x'])).toBeNull();
  });
});

describe('what commits say of one another', () => {
  const said = (...commits: readonly (readonly [string, string, string?])[]) => {
    const sayings = new Sayings();
    for (const [name, subject, body = ''] of commits.toReversed()) sayings.hear(oid(name), subject, body);
    return revertedBy(sayings.all.toReversed());
  };

  it('is heard by the id, and by the subject', () => {
    expect(said(['a', 'one'], ['b', 'x', `This reverts commit ${oid('a')}.`]).get(oid('a'))).toBe(oid('b'));
    expect(said(['a', 'one'], ['b', 'Revert "one"']).get(oid('a'))).toBe(oid('b'));
    expect(said(['a', 'one (#1)'], ['b', 'Revert "one" (#2)']).get(oid('a'))).toBe(oid('b'));
    expect(said(['a', 'one'], ['c', 'one'], ['b', 'Revert "one"', `This reverts commit ${oid('a')}.`])).toEqual(
      new Map([[oid('a'), oid('b')]]),
    );
    expect(said(['a', 'one'], ['b', 'two'])).toEqual(new Map());
  });

  it('is kept only where it matters', () => {
    const sayings = new Sayings();
    for (const subject of ['Revert "two"', 'two (#1)', 'one']) sayings.hear(oid('a'), subject, '');
    expect(sayings.all.map(({ subject }) => subject)).toEqual(['Revert "two"', 'two (#1)']);
  });
});
