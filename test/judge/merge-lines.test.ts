/** Single cases of line differences and of merges by lines; three-way.test.ts has the many. */
import { describe, expect, it } from 'vitest';
import { diffLines, diffLinesLate } from '../../src/judge/merged/diff.ts';
import { mergeGives } from '../../src/judge/merged/three-way.ts';
import { lines } from './ladder-samples.ts';

const of = (...list: readonly number[]) => Uint32Array.from(list);

describe('line differences', () => {
  it('are none between equal files', () => {
    expect(diffLines(of(1, 2), of(1, 2))).toEqual([]);
    expect(diffLinesLate(of(), of())).toEqual([]);
  });

  it('are one where all is new, however much', () => {
    const much = of(...Array.from({ length: 5000 }, (_, at) => at));
    expect(diffLines(of(), much)).toEqual([{ aStart: 0, aEnd: 0, bStart: 0, bEnd: 5000 }]);
    expect(diffLines(much, of())).toEqual([{ aStart: 0, aEnd: 5000, bStart: 0, bEnd: 0 }]);
  });

  it('are not told of files that differ in too much', () => {
    const [a, b] = [0, 5000].map((from) => of(...Array.from({ length: 5000 }, (_, at) => from + at)));
    expect(diffLinesLate(a as Uint32Array, b as Uint32Array)).toBeNull();
    const text = (from: number) => lines(...Array.from({ length: 5000 }, (_, at) => from + at));
    expect(mergeGives(text(0), text(5000), `${text(0)}z\n`, text(5000))).toBe(false);
  });
});

describe('a merge', () => {
  const base = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  const edited = (...edits: readonly (readonly [number, string])[]) => {
    const list = [...base];
    for (const [line, text] of edits) list[line - 1] = text;
    return lines(...list);
  };

  it('of what only one side changed is that side, whatever the bytes', () => {
    expect(mergeGives('\0a', '\0b', '\0a', '\0b')).toBe(true);
    expect(mergeGives('\0a', '\0a', '\0b', '\0b')).toBe(true);
    expect(mergeGives('\0a', '\0b', '\0b', '\0b')).toBe(true);
    expect(mergeGives('\0a', '\0b', '\0a', '\0a')).toBe(false);
    expect(mergeGives('\0a', '\0a', '\0b', '\0a')).toBe(false);
    expect(mergeGives('\0\na\nb\nc\n', '\0\nx\nb\nc\n', '\0\na\nb\ny\n', '\0\nx\nb\ny\n')).toBe(false);
  });

  it('is compared to its ends', () => {
    const [ours, theirs] = [edited([40, 'x'], [55, 'y']), edited([47, 'z'])];
    const merged = edited([40, 'x'], [47, 'z'], [55, 'y']);
    expect(mergeGives(lines(...base), ours, theirs, merged)).toBe(true);
    expect(mergeGives(lines(...base), ours, theirs, merged.replace('line 1\n', 'line x\n'))).toBe(false);
    expect(mergeGives(lines(...base), ours, theirs, merged.replace('line 60\n', 'line 6x\n'))).toBe(false);
    expect(mergeGives(lines(...base), ours, theirs, merged.replace('line 48\n', 'other\n'))).toBe(false);
    expect(mergeGives(lines(...base), ours, theirs, '')).toBe(false);
  });

  it('takes one change of both sides once, and no two that differ', () => {
    const text = (...list: readonly string[]) => lines(...list);
    const [old, one] = [text('a', 'b', 'c', 'd', 'e'), text('x', 'b', 'c', 'd', 'y')];
    expect(mergeGives(old, one, text('x', 'b', 'z', 'd', 'e'), text('x', 'b', 'z', 'd', 'y'))).toBe(true);
    expect(mergeGives(old, one, text('w', 'b', 'z', 'd', 'e'), text('x', 'b', 'z', 'd', 'y'))).toBe(false);
    expect(mergeGives(old, one, text('x', 'v', 'b', 'z', 'd', 'e'), text('x', 'b', 'z', 'd', 'y'))).toBe(false);
    expect(mergeGives(old, text('a', 'c', 'd', 'y'), text('a', 'x', 'c', 'd', 'z'), text('a', 'c', 'd', 'y'))).toBe(
      false,
    );
  });

  it('is none where changes touch', () => {
    expect(mergeGives(lines('a', 'b', 'c'), lines('x', 'b', 'c'), lines('a', 'y', 'c'), lines('x', 'y', 'c'))).toBe(
      false,
    );
    expect(mergeGives(lines('a', 'b'), lines('a', 'x', 'b'), lines('a', 'y', 'b'), lines('a', 'x', 'y', 'b'))).toBe(
      false,
    );
    expect(mergeGives(lines('a', 'b'), lines('b'), lines('a', 'y', 'b'), lines('y', 'b'))).toBe(false);
  });

  it('stands where a replacement stands, however its lines repeat', () => {
    const [old, ours, theirs] = [lines('a', 'a'), lines('b', 'a', 'a'), lines('a', 'c', 'c')];
    expect(mergeGives(old, ours, theirs, lines('b', 'a', 'c', 'c'))).toBe(true);
  });

  it('that other alignments do not give is none where every way is asked for', () => {
    const [old, ours, theirs] = [lines('b', 'c', 'c'), lines('c', 'c'), lines('b', 'c')];
    expect(mergeGives(old, ours, theirs, lines('c'), true)).toBe(false);
    expect(mergeGives(old, ours, theirs, lines('c'), false)).toBe(true);
  });

  it('is none where a twin may be meant', () => {
    const [old, ours] = [lines('a', 'a', 'b'), lines('a', 'b')];
    expect(mergeGives(old, ours, lines('x', 'a', 'b'), lines('x', 'b'))).toBe(false);
    const block = (...list: readonly string[]) => lines(...list.flatMap((name) => ['{', name, '}']));
    const grown = block('a', 'b', 'c');
    expect(mergeGives(block('a', 'b'), grown, block('a', 'b', 'd'), block('a', 'b', 'c', 'd'), true)).toBe(false);
  });
});
