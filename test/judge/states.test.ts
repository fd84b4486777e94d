/** What became of a branch's files on the base and on the branch itself, one condition at a time. */
import { describe, expect, it } from 'vitest';
import type { Change, Entry } from '../../src/judge/merged/change.ts';
import { landedAt } from '../../src/judge/merged/landed.ts';
import { countLines, hasStep, isMostlyIn, showsState } from '../../src/judge/merged/likeness.ts';
import { deletesMoved, movedAlong, placesOf } from '../../src/judge/merged/moved.ts';
import { isWithin } from '../../src/judge/merged/parts.ts';
import { stalePaths } from '../../src/judge/merged/stale.ts';
import { answered, base, blob, branch, entry, lines, lost, type Told } from './ladder-samples.ts';

const OLD = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
const NEW = lines('a', 'b', 'work', 'd', 'e', 'f', 'g');
const EDITED = lines('a', 'b', 'c', 'd', 'e', 'f', 'other');
const BOTH = lines('a', 'b', 'work', 'd', 'e', 'f', 'other');
const edit = entry(1, OLD, NEW);

describe('files that the base moved', () => {
  const moves = [{ from: 1, to: 2, at: 1 }];
  const moved = { change: [entry(1, OLD, null), entry(2, null, OLD)] };
  const deletes = (change: Change, told: Told) => answered(deletesMoved(base([moved], told).history, change, 0, 1));

  it('are not deleted', () => {
    const deletion = [entry(1, OLD, null)];
    expect(deletes(deletion, { moves })).toBe(true);
    expect(deletes(deletion, {})).toBe(false);
    expect(deletes([...deletion, entry(2, null, OLD)], { moves })).toBe(false);
    expect(deletes([edit], { moves })).toBe(false);
    const come = (...blobs: readonly number[]) => ({ departures: [{ from: 1, at: 1, come: blobs }] });
    expect(deletes(deletion, come(blob(EDITED)))).toBe(true);
    expect(deletes(deletion, come(blob('z\n')))).toBe(false);
    expect(deletes(deletion, come(lost()))).toBe(true);
    expect(deletes([entry(1, lost(), null)], come(blob('z\n')))).toBe(true);
    expect(deletes([entry(1, lost(), null)], {})).toBe(false);
    expect(deletes([...deletion, entry(3, null, EDITED)], come(blob(EDITED)))).toBe(false);
  });

  it('are followed after the fork and up to the tip', () => {
    const { history } = base([moved], { moves });
    const places = (after: number, end: number) => placesOf(history, [edit], after, end).map(({ of }) => of.get(1));
    expect([places(0, 1), places(1, 1), places(0, 0)]).toEqual([[2], [], []]);
    expect(movedAlong(history, branch([[edit]]), 1)).toMatchObject([{ since: 1, whole: [{ path: 2 }] }]);
    const onBase = branch([[edit]], { relation: { kind: 'ancestor', at: 0, side: true } });
    expect(movedAlong(history, onBase, 1)).toEqual([]);
    const clash = [...moves, { from: 3, to: 2, at: 2 }];
    const both = placesOf(base([moved, moved], { moves: clash }).history, [edit, entry(3, 'x', 'y')], 0, 2);
    expect(both).toHaveLength(1);
  });
});

describe('what landed', () => {
  it('was there at once, after the fork and before the end', () => {
    const second = entry(2, 'x\n', 'y\n');
    const found = (fork: number, end: number, ...changes: readonly Change[]) =>
      landedAt(base(changes.map((change) => ({ change }))).history, [edit, second], fork, end);
    expect(found(0, 2, [edit], [second])).toBe(2);
    expect(found(1, 2, [edit], [second])).toBeNull();
    expect(found(0, 1, [edit], [second])).toBeNull();
    expect(found(0, 3, [edit], [entry(1, NEW, OLD)], [second])).toBeNull();
    expect(found(0, 1, [edit])).toBeNull();
    expect(landedAt(base([]).history, [], 0, 0)).toBeNull();
  });
});

describe('likeness', () => {
  const [before, after] = [countLines('a\nb\n'), countLines('a\nc\n')];

  it('tells a step by all of its lines', () => {
    const has = (text: string) => hasStep(before, after, countLines(text));
    expect([has('c\nx\n'), has('x\n'), has('b\nc\n'), has('b\n')]).toEqual([true, false, false, false]);
    expect(hasStep(before, before, before)).toBe(false);
    expect(hasStep(countLines('}\n'), countLines('{\n'), countLines('{\n'))).toBe(false);
    expect(hasStep(before, countLines('a\na\nc\n'), countLines('a\nc\n'))).toBe(false);
  });

  it('tells a state by what only it had, or had not', () => {
    const shows = (state: string, text: string) => showsState(before, countLines(state), after, countLines(text));
    expect(shows('a\nmid\n', 'mid\n')).toBe(true);
    expect(shows('a\nmid\n', 'a\nc\n')).toBe(false);
    expect(shows('c\n', 'c\n')).toBe(true);
    expect(shows('c\n', 'a\nc\n')).toBe(false);
    expect(shows('a\nb\nc\n', 'a\nb\n')).toBe(false);
    expect(shows('a\nmid\ntoo\n', 'mid\n')).toBe(false);
  });

  it('tells that most of a text is in another', () => {
    expect(isMostlyIn(countLines('a\nb\nc\nd\n'), countLines('a\nb\n'))).toBe(true);
    expect(isMostlyIn(countLines('a\nb\nc\n'), countLines('a\n'))).toBe(false);
    expect(isMostlyIn(countLines(''), countLines('a\n'))).toBe(false);
  });
});

describe('a part of a branch', () => {
  const within = (part: Entry, ...work: readonly Change[]) => answered(isWithin([part], branch(work)));

  it('is in it when the branch has it in the end', () => {
    expect(within(edit, [edit])).toBe('equal');
    expect(within(edit, [edit], [entry(1, NEW, BOTH)])).toBe('equal');
    expect(within(entry(2, 'x\n', 'y\n'), [edit])).toBe('different');
    expect(within(edit, [edit], [entry(1, NEW, OLD)])).toBe('different');
    const beside = lines('a', 'b', 'work', 'new', 'e', 'f', 'g');
    expect(within(edit, [edit], [entry(1, NEW, beside)])).toBe('equal');
    expect(within(edit, [edit], [entry(1, NEW, EDITED)])).toBe('different');
  });

  it('is not told without the contents', () => {
    const [one, two, three] = [lost(), lost(), lost()];
    expect(within(entry(1, one, two), [entry(1, one, two)], [entry(1, two, three)])).toBe('unknown');
    expect(within(entry(1, one, two), [entry(1, one, two)], [entry(1, two, null)])).toBe('different');
    expect(within(entry(1, null, two), [entry(1, null, two)], [entry(1, two, three)])).toBe('different');
    // That the lines lack is told; that nothing has them is not.
    expect(within(entry(1, one, two), [entry(1, one, two)], [entry(1, two, one)])).toBe('equal');
  });
});

describe('an earlier state', () => {
  const MID = lines('a', 'b', 'half', 'd', 'e', 'f', 'g');
  const work = [[entry(1, OLD, MID)], [entry(1, MID, NEW)]];
  const stale = (texts: readonly (string | number)[], now: string | number) => {
    const changes = texts.slice(1).map((text, index) => [entry(1, texts[index] as string, text)]);
    return answered(stalePaths(base([{ change: [entry(1, OLD, now)] }]).history, branch(changes), 1));
  };
  const found = { paths: [1], unknown: false };
  const none = { paths: [], unknown: false };

  it('is told by its contents, or by what only it has', () => {
    expect(stale([OLD, MID, NEW], MID)).toEqual(found);
    expect(stale([OLD, MID, NEW], lines('a', 'b', 'half', 'd', 'e', 'f', 'other'))).toEqual(found);
    expect(stale([OLD, MID, NEW], NEW)).toEqual(none);
    expect(stale([OLD, MID, NEW], BOTH)).toEqual(none);
    expect(stale([OLD, NEW], EDITED)).toEqual(none);
    expect(answered(stalePaths(base([]).history, branch(work), 0))).toEqual(none);
  });

  it('is not told without the contents, except where ids tell', () => {
    const [one, two, three, four] = [lost(), lost(), lost(), lost()];
    expect(stale([one, two, three], four)).toEqual({ paths: [], unknown: true });
    expect(stale([one, two, three], three)).toEqual(none);
    expect(stale([one, two, three], two)).toEqual(found);
    expect(stale([one, two, one, two], four)).toEqual(none);
  });
});
