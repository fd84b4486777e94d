/** What the steps of the merge ladder rest on, one condition at a time. */
import { describe, expect, it } from 'vitest';
import { addsNothing } from '../../src/judge/merged/absorbed.ts';
import type { Change, Entry, Side } from '../../src/judge/merged/change.ts';
import { isAlike, nominate, settle } from '../../src/judge/merged/equal.ts';
import { lacksNewLine } from '../../src/judge/merged/lacks.ts';
import { findEqual, findRest, isKept } from '../../src/judge/merged/match.ts';
import { eachByItself, hasRunWithoutNetChange, inRuns } from '../../src/judge/merged/series.ts';
import {
  answered,
  base,
  blob,
  type Commit,
  entry,
  FILE,
  huge,
  LINK,
  lines,
  lost,
  PROGRAM,
  type Told,
} from './ladder-samples.ts';

const OLD = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
const NEW = lines('a', 'b', 'work', 'd', 'e', 'f', 'g');
const EDITED = lines('a', 'b', 'c', 'd', 'e', 'f', 'other');
const BOTH = lines('a', 'b', 'work', 'd', 'e', 'f', 'other');
const edit = entry(1, OLD, NEW);
const GONE: Side = { mode: 0, blob: 0 };
const at = (text: string | number, mode = FILE): Side => ({ mode, blob: typeof text === 'number' ? text : blob(text) });

const rangeOf = (commits: readonly Commit[], told: Told = {}) => {
  const { history, end } = base(commits, told);
  return { history, fork: 0, end, sides: true };
};

describe('what adds nothing', () => {
  const adds = (one: Entry, side: Side) => answered(addsNothing([{ entry: one, base: side }]));

  it('is there with its mode, by itself or among other edits', () => {
    expect(adds(edit, at(NEW))).toBe('equal');
    expect(adds(edit, at(BOTH))).toBe('equal');
    expect(adds(edit, at(OLD))).toBe('different');
    expect(adds(edit, at(EDITED))).toBe('different');
    expect(adds(edit, at(NEW, PROGRAM))).toBe('equal');
    expect(adds(edit, at(NEW, LINK))).toBe('different');
  });

  it('is absent where it was deleted, and there where it was made', () => {
    expect(adds(entry(1, OLD, null), GONE)).toBe('equal');
    expect(adds(entry(1, OLD, null), at(OLD))).toBe('different');
    expect(adds(entry(1, OLD, null), at(lost()))).toBe('different');
    expect(adds(entry(1, null, NEW), GONE)).toBe('different');
    expect(adds(entry(1, null, NEW), at(BOTH))).toBe('different');
    expect(adds(edit, GONE)).toBe('different');
  });

  it('has the mode that the change gave it', () => {
    const made = entry(1, OLD, OLD, [FILE, PROGRAM]);
    expect(adds(made, at(OLD))).toBe('different');
    expect(adds(made, at(EDITED, PROGRAM))).toBe('equal');
    const linked = entry(1, 'a', 'a', [FILE, LINK]);
    expect(adds(linked, at('b', LINK))).toBe('equal');
    const gone = lost();
    expect(adds(entry(1, gone, gone, [FILE, PROGRAM]), at(lost(), PROGRAM))).toBe('equal');
  });

  it('is not told without the contents, and never of links that differ', () => {
    expect(adds(entry(1, lost(), lost()), at(lost()))).toBe('unknown');
    expect(adds(entry(1, 'a', 'b', [LINK, LINK]), at('c', LINK))).toBe('different');
  });

  it('has the lines that the change brings', () => {
    expect(lacksNewLine('a\n', 'b\n', 'c\n')).toBe(true);
    expect(lacksNewLine('a\n', 'b\n', 'b\n')).toBe(false);
    expect(lacksNewLine('a\nx', 'a\ny', 'b\n')).toBe(false);
    expect(lacksNewLine('a\nb\nc\n', 'b\nc\nb\n', 'x\n')).toBe(false);
  });
});

describe('a change that equals a commit', () => {
  const told = (change: Change, step: Change) => answered(nominate(change, [step]))[0];
  const equals = (change: Change, step: Change) => {
    const nomination = told(change, step);
    return nomination === undefined ? undefined : answered(settle(nomination));
  };

  it('ends the same, or is its replay', () => {
    expect(told([edit], [edit])).toBe('equal');
    expect(told([edit], [entry(1, EDITED, NEW)])).toBe('equal');
    expect(equals([edit], [entry(1, EDITED, BOTH)])).toBe('equal');
    expect(equals([edit], [entry(1, EDITED, lines('a', 'b', 'wrok', 'd', 'e', 'f', 'other'))])).toBe('different');
    expect(told([edit], [entry(1, OLD, BOTH)])).toBe('different');
    expect(told([edit], [entry(1, EDITED, lines('quite', 'another', 'size'))])).toBe('different');
    expect(told([entry(1, null, NEW)], [entry(1, null, NEW)])).toBe('equal');
    expect(told([entry(1, OLD, null)], [entry(1, OLD, null)])).toBe('equal');
  });

  it('makes the same step of modes', () => {
    expect(told([entry(1, OLD, NEW, [FILE, PROGRAM])], [edit])).toBe('different');
    expect(told([edit], [entry(1, OLD, NEW, [PROGRAM, PROGRAM])])).toBe('equal');
    expect(told([edit], [entry(1, OLD, NEW, [LINK, LINK])])).toBe('different');
    const links = (before: string, after: string) => [entry(1, before, after, [LINK, LINK])];
    expect(told(links('a', 'b'), links('c', 'd'))).toBe('different');
  });

  it('pairs what went and what came', () => {
    const moved = (before: string, after: string) => [entry(1, before, null), entry(2, null, after)];
    expect(equals(moved(OLD, OLD), moved(EDITED, EDITED))).toBe('equal');
    expect(equals(moved(OLD, NEW), moved(EDITED, BOTH))).toBe('equal');
    expect(equals(moved(OLD, NEW), moved(EDITED, EDITED))).toBe('different');
    expect(told([entry(1, OLD, null)], [entry(1, EDITED, null)])).toBe('different');
    expect(told([entry(1, null, NEW)], [entry(1, null, BOTH)])).toBe('different');
    const two = (...texts: readonly string[]) => [
      entry(1, texts[0] as string, null),
      entry(2, texts[1] as string, null),
      entry(3, null, texts[2] as string),
      entry(4, null, texts[3] as string),
    ];
    expect(told(two('a\n', 'b\n', 'c\n', 'd\n'), two('e\n', 'f\n', 'g\n', 'h\n'))).toBe('different');
    expect(equals(two(OLD, 'x\n', 'x\n', OLD), two(EDITED, 'y\n', 'y\n', EDITED))).toBe('equal');
  });

  it('is not told without the contents', () => {
    expect(told([entry(1, lost(), lost())], [entry(1, lost(), lost())])).toBe('unknown');
    expect(equals([entry(1, huge('a'), huge('b'))], [entry(1, huge('c'), huge('d'))])).toBe('unknown');
    const many = Array.from({ length: 3 }, () => [entry(1, huge('c'), huge('d'))]);
    expect(answered(nominate([entry(1, huge('a'), huge('b'))], many))).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is like one that brings and takes the same lines elsewhere', () => {
    const like = (change: Change, step: Change) => answered(isAlike(change, step));
    expect(like([edit], [edit])).toBe('equal');
    expect(like([edit], [entry(1, lines('c', 'z'), lines('z', 'work'))])).toBe('equal');
    expect(like([edit], [entry(1, EDITED, lines('a', 'b', 'wrok', 'd', 'e', 'f', 'other'))])).toBe('different');
    expect(like([edit], [entry(1, OLD, BOTH)])).toBe('different');
    const [one, two] = [lines('a', 'b', 'c'), lines('b', 'a', 'c')];
    expect(like([entry(1, one, two)], [entry(1, lines('x', 'y', 'z'), lines('y', 'x', 'z'))])).toBe('different');
    expect(like([entry(1, huge('a'), huge('b'))], [entry(1, huge('c'), huge('d'))])).toBe('unknown');
  });
});

describe('the commits of the base', () => {
  it('are all looked at where sizes are not to be had', () => {
    const steps = Array.from({ length: 10 }, (_, index) => ({ change: [entry(1, `${index}\n`, `${index + 1}\n`)] }));
    const { history } = base([...steps, { change: [entry(1, lost(), lost())] }]);
    const found = (change: Change) => answered(history.candidates(change));
    expect(found([edit])).toEqual([10]);
    expect(found([entry(1, 'x\n', 'y\n')])).toHaveLength(10);
    expect(found([entry(1, lost(), lost())])).toHaveLength(11);
    expect(found([entry(1, null, NEW)])).toHaveLength(11);
    expect(found([entry(2, OLD, NEW)])).toEqual([]);
    expect(answered(history.candidatesAmong([entry(2, OLD, NEW)]))).toEqual([]);
    expect(history.touchingAll([])).toEqual([]);
  });

  it('count by themselves, or as the rest of what came before', () => {
    const second = entry(2, 'x\n', 'y\n');
    const replay = [entry(1, EDITED, BOTH)];
    const found = (commits: readonly Commit[], change: Change) => answered(findRest(rangeOf(commits), change)).index;
    expect(found([{ change: [second] }, { change: replay }], [edit, second])).toBe(1);
    expect(found([{ change: [second] }, { change: replay, others: 1 }], [edit, second])).toBeNull();
    expect(found([{ change: [second] }, { change: replay, firstParent: false }], [edit, second])).toBeNull();
    expect(found([{ change: replay }, { change: [second] }], [edit, second])).toBeNull();
    expect(found([{ change: replay }], [edit, second])).toBeNull();
    const again = entry(2, 'y\n', 'z\n');
    expect(found([{ change: [second] }, { change: [again] }, { change: replay }], [edit, second])).toBeNull();
    expect(
      answered(findRest({ ...rangeOf([{ change: [second] }, { change: replay }]), end: 1 }, [edit, second])).index,
    ).toBeNull();
  });

  it('count only in range, and after what was matched before', () => {
    const commits = [{ change: [edit] }, { change: [entry(1, NEW, OLD)] }, { change: [edit] }];
    const found = (more: object, after = -1) =>
      answered(findEqual({ ...rangeOf(commits), ...more }, [edit], after)).index;
    expect([found({}), found({}, 0), found({ fork: 1 }), found({ end: 0 })]).toEqual([0, 2, 2, null]);
    const side = rangeOf([
      { change: [edit], firstParent: false },
      { change: [edit], others: 1 },
    ]);
    expect(answered(findEqual(side, [edit], -1)).index).toBe(0);
    expect(answered(findEqual({ ...side, sides: false }, [edit], -1)).index).toBeNull();
  });

  it('count when a merge brought them only as far as it kept them', () => {
    const kept = (change: Change, ...commits: readonly (Change | [Change])[]) =>
      answered(
        isKept(
          base(
            commits.map((one, index) => ({
              change: one as Change,
              firstParent: index === commits.length - 1,
            })),
          ).history,
          0,
          change,
        ),
      );
    expect(kept([edit], [edit], [edit])).toBe(true);
    expect(kept([edit], [edit], [entry(1, OLD, BOTH)])).toBe(true);
    expect(kept([edit], [edit], [entry(1, OLD, EDITED)])).toBe(false);
    expect(kept([edit], [edit], [entry(2, OLD, NEW)])).toBe(false);
    expect(kept([entry(2, OLD, NEW)], [edit], [edit, entry(2, OLD, NEW)])).toBe(false);
    expect(kept([edit], [edit], [entry(1, NEW, BOTH)], [entry(1, OLD, BOTH)])).toBe(true);
    const rewritten = lines('a', 'b', 'better work', 'd', 'e', 'f', 'g');
    expect(kept([edit], [edit], [entry(1, NEW, rewritten)], [entry(1, OLD, rewritten)])).toBe(true);
    expect(kept([edit], [edit], [entry(1, NEW, EDITED)], [entry(1, OLD, EDITED)])).toBe(false);
    expect(kept([entry(2, 'x\n', 'y\n')], [edit])).toBe(true);
  });
});

describe('a series', () => {
  const second = entry(2, 'x\n', 'y\n');

  it('is told commit by commit, or in runs', () => {
    const range = rangeOf([{ change: [edit] }, { change: [second] }]);
    expect(answered(eachByItself(range, [[edit], [second]])).runs).toHaveLength(2);
    expect(answered(eachByItself(range, [[second], [edit]])).runs).toBeNull();
    expect(answered(eachByItself(range, [[edit], []])).runs).toBeNull();
    const steps = [[entry(1, OLD, EDITED)], [entry(1, EDITED, NEW)], [], [second]];
    expect(answered(inRuns(range, steps)).runs?.map(({ index }) => index)).toEqual([0, 1]);
    expect(answered(inRuns(range, [[second], [edit]])).runs).toBeNull();
    const missing = rangeOf([{ change: [entry(1, lost(), lost())] }]);
    expect(answered(eachByItself(missing, [[edit]]))).toEqual({ runs: null, unknown: true });
    expect(answered(inRuns(missing, [[edit]]))).toEqual({ runs: null, unknown: true });
  });

  it('of too many commits is not looked for', () => {
    const pieces = Array.from({ length: 101 }, (_, index) => [entry(index, 'x\n', 'y\n')]);
    const range = rangeOf([{ change: pieces.flat() }]);
    expect(answered(inRuns(range, pieces.slice(1))).runs).toBeNull();
    expect(answered(inRuns(rangeOf([{ change: pieces.flat().slice(1) }]), pieces.slice(1))).runs).toHaveLength(1);
    expect(answered(inRuns(range, pieces)).runs).toBeNull();
  });

  it('may hold commits that leave nothing', () => {
    const there = [entry(2, 'x\n', 'y\n')];
    const back = [entry(2, 'y\n', 'x\n')];
    expect(hasRunWithoutNetChange([there, back, [edit]])).toBe(true);
    expect(hasRunWithoutNetChange([[edit], there])).toBe(false);
    expect(hasRunWithoutNetChange([[], []])).toBe(false);
  });
});
