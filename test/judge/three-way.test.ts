import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, diffLinesLate, type Hunk } from '../../src/judge/merged/diff.ts';
import { mergeApart } from '../../src/judge/merged/places.ts';
import { mergeGives } from '../../src/judge/merged/three-way.ts';

/** Each of many merges is asked of git; COPPICE_TEST_RUNS asks for the long form. */
const SHORTER = process.env['COPPICE_TEST_RUNS'] === undefined ? 2.5 : 1;

function apply(a: Uint32Array, b: Uint32Array, hunks: readonly Hunk[]): number[] {
  const out: number[] = [];
  let at = 0;
  for (const hunk of hunks) {
    expect(hunk.aStart).toBeGreaterThanOrEqual(at);
    while (at < hunk.aStart) out.push(a[at++] as number);
    out.push(...b.slice(hunk.bStart, hunk.bEnd));
    at = hunk.aEnd;
  }
  while (at < a.length) out.push(a[at++] as number);
  return out;
}

const words = fc.array(fc.nat({ max: 5 }), { maxLength: 40 }).map((list) => Uint32Array.from(list));

describe('line differences', () => {
  it('turn one file into the other, early and late, and never touch one another', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        for (const diff of [diffLines, diffLinesLate]) {
          const hunks = diff(a, b);
          if (hunks === null) throw new Error('small files are always compared');
          expect(apply(a, b, hunks)).toEqual([...b]);
          for (let i = 1; i < hunks.length; i++) {
            expect(
              (hunks[i] as Hunk).aStart > (hunks[i - 1] as Hunk).aEnd ||
                (hunks[i] as Hunk).bStart > (hunks[i - 1] as Hunk).bEnd,
            ).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are the fewest edits', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const edits = (diffLines(a, b) ?? []).reduce((sum, h) => sum + h.aEnd - h.aStart + h.bEnd - h.bStart, 0);
        expect(edits).toBe(a.length + b.length - 2 * longestCommon(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('gives up on files that differ in too much', () => {
    const a = Uint32Array.from({ length: 5000 }, (_, i) => i);
    const b = Uint32Array.from({ length: 5000 }, (_, i) => i + 5000);
    expect(diffLines(a, b)).toBeNull();
  });
});

function longestCommon(a: Uint32Array, b: Uint32Array): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (let i = 0; i < a.length; i++) {
    const next = [0];
    for (let j = 0; j < b.length; j++) {
      next.push(a[i] === b[j] ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number));
    }
    row = next;
  }
  return row[b.length] as number;
}

const lines = (...list: readonly (string | number)[]) => list.map((line) => `${line}\n`).join('');

function mergeByGit(folder: string, base: string, ours: string, theirs: string): { status: number; text: string } {
  for (const [name, text] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, name), text);
  const git = spawnSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], { cwd: folder, encoding: 'utf8' });
  return { status: git.status ?? -1, text: git.stdout };
}

describe('changes at two places', () => {
  it.each([
    ['one line between them', lines(1, 2, 3, 4), lines('a', 2, 3, 4), lines(1, 2, 'b', 4), lines('a', 2, 'b', 4)],
    ['no last line feed', 'a\nb\nc', 'x\nb\nc', 'a\nb\nc\n', 'x\nb\nc\n'],
    ['a line at the head', lines(1, 2), lines('a1', 1, 2), lines(1, 2, 3), lines('a1', 1, 2, 3)],
    ['a line that ends as the next', 'b\nc\n', 'xb\nb\nc\n', 'b\nc\nd\n', 'xb\nb\nc\nd\n'],
  ])('are both taken: %s', (_, base, ours, theirs, merged) => {
    expect(mergeApart(base, ours, theirs)).toBe(merged);
    expect(mergeApart(base, theirs, ours)).toBe(merged);
  });

  it.each([
    ['touching', lines(1, 2, 3), lines(1, 'a', 3), lines(1, 2, 'b')],
    ['around one another', lines(1, 2, 3, 4, 5), lines('a', 2, 3, 4, 'b'), lines(1, 2, 'c', 4, 5)],
    ['an added line that may as well be the one between', lines(1, 2, 3), lines(1, 2, 2, 3), lines('b', 2, 3)],
    [
      'a block whose twin the other changed',
      lines('a', 't', 'e', 'z'),
      lines('a', 't', 'e', 'b', 't', 'e', 'z'),
      lines('a', 'u', 'e', 'z'),
    ],
  ])('are left to a closer look: %s', (_, base, ours, theirs) => {
    expect(mergeApart(base, ours, theirs)).toBeNull();
    expect(mergeApart(base, theirs, ours)).toBeNull();
  });

  it('come out as git merges them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coppice-places-'));
    try {
      let apart = 0;
      const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e', '\n', 'f\n', 'g\n'), { maxLength: 12 });
      const edit = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 2 }), fc.constantFrom('', 'a\n', 'b', 'p\n', 'a\nb\n'));
      fc.assert(
        fc.property(text, edit, edit, (list, one, two) => {
          const change = ([at, remove, added]: typeof one) => {
            const copy: string[] = [...list];
            copy.splice(Math.min(at, copy.length), remove, added);
            return copy.join('');
          };
          const [base, ours, theirs] = [list.join(''), change(one), change(two)];
          if (ours === base || theirs === base) return;
          const merged = mergeApart(base, ours, theirs);
          if (merged === null) return;
          apart++;
          expect(mergeByGit(folder, base, ours, theirs)).toEqual({ status: 0, text: merged });
        }),
        { numRuns: 1500 / SHORTER },
      );
      expect(apart).toBeGreaterThan(100 / SHORTER);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('three-way merge', () => {
  it('applies a change to a file that moved on elsewhere', () => {
    const [base, ours, theirs] = [lines(1, 2, 3, 4, 5), lines(0, 1, 2, 3, 4, 5), lines(1, 2, 3, 4, 'x')];
    expect(mergeGives(base, ours, theirs, lines(0, 1, 2, 3, 4, 'x'))).toBe(true);
    expect(mergeGives(base, ours, theirs, lines(0, 1, 2, 3, 4, 'y'))).toBe(false);
    expect(mergeGives(base, ours, theirs, lines(0, 1, 2, 3, 4))).toBe(false);
    expect(mergeGives(base, ours, theirs, '')).toBe(false);
  });

  it('is no merge when changes touch', () => {
    for (const result of [lines(1, 'a', 'b'), lines(1, 'a', 3), lines(1, 2, 'b')]) {
      expect(mergeGives(lines(1, 2, 3), lines(1, 'a', 3), lines(1, 2, 'b'), result)).toBe(false);
    }
  });

  it('takes the same change once', () => {
    expect(mergeGives(lines(1, 2, 3), lines(1, 'a', 3), lines(1, 'a', 3), lines(1, 'a', 3))).toBe(true);
    expect(mergeGives(lines(1, 2, 3), lines(0, 1, 'a', 3), lines(1, 'a', 3), lines(0, 1, 'a', 3))).toBe(true);
  });

  it('is no merge when repeated blocks could be meant either way', () => {
    const block = ['{', 'x', '}'];
    const other = ['{', 'y', '}'];
    const base = lines(...block, ...block, ...block);
    for (const result of [lines(...block, ...other), lines(...other, ...block)]) {
      expect(mergeGives(base, lines(...block, ...block), lines(...block, ...other, ...block), result)).toBe(false);
    }
  });

  it('does not move a change to the twin of its place', () => {
    const base = lines('[dev]', 'host', 'time 10', '[prod]', 'time 60');
    const ours = lines('[dev]', 'host', 'time 10', '[staging]', 'host', 'time 10', '[prod]', 'time 60');
    const theirs = lines('[dev]', 'host', 'time 30', '[prod]', 'time 60');
    const moved = lines('[dev]', 'host', 'time 10', '[staging]', 'host', 'time 30', '[prod]', 'time 60');
    expect(mergeGives(base, ours, theirs, moved)).toBe(false);
  });

  it('takes one of equal lines away below a line that the other replaced', () => {
    const [base, ours, theirs] = [lines(1, '', '', 'end'), lines('a', '', '', 'end'), lines(1, '', 'end')];
    expect(mergeGives(base, ours, theirs, lines('a', '', 'end'))).toBe(true);
    expect(mergeGives(base, ours, theirs, ours)).toBe(false);
  });

  it.each([
    [
      'put in between equal lines of which one goes',
      lines(1, 2, 2, 2, 3),
      lines(1, 2, 'a', 2, 2, 3),
      lines(1, 2, 2, 3),
    ],
    ['two put in where one could be on either side', lines(1, 2, 3), lines(1, 2, 2, 3), lines(1, 'a', 2, 3)],
    ['a line that goes, and its twin replaced', lines(1, 2, 2, 3), lines(1, 2, 3), lines(1, 'a', 2, 3)],
  ])('is no merge when it is unclear which place is meant: %s', (_, base, ours, theirs) => {
    for (const result of [lines(1, 'a', 2, 2, 3), lines(1, 2, 'a', 2, 3), lines(1, 'a', 2, 3), lines(1, 'a', 3)]) {
      expect(mergeGives(base, ours, theirs, result)).toBe(false);
      expect(mergeGives(base, theirs, ours, result)).toBe(false);
    }
  });

  it('is no merge of binary contents', () => {
    expect(mergeGives('a\0\nb\nc\n', 'x\0\nb\nc\n', 'a\0\nb\nd\n', 'x\0\nb\nd\n')).toBe(false);
  });

  it('minds the last line feed', () => {
    expect(mergeGives('a\nb\nc', 'x\nb\nc', 'a\nb\nc\n', 'x\nb\nc\n')).toBe(true);
    expect(mergeGives('a\nb\nc', 'x\nb\nc', 'a\nb\nc\n', 'x\nb\nc')).toBe(false);
  });

  it('confirms what git merges cleanly and nothing else, where git does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coppice-merge-'));
    try {
      let clean = 0;
      let confirmed = 0;
      const file = fc.array(fc.constantFrom('{', '}', 'a', 'b', 'c', ''), { minLength: 1, maxLength: 70 });
      const edit = fc.array(fc.tuple(fc.nat({ max: 70 }), fc.nat({ max: 2 }), fc.constantFrom('p', 'q', '}')), {
        maxLength: 2,
      });
      fc.assert(
        fc.property(file, edit, edit, (base, one, two) => {
          const change = (edits: typeof one) => {
            const copy: string[] = [...base];
            for (const [at, remove, text] of edits) copy.splice(Math.min(at, copy.length), remove, text);
            return lines(...copy);
          };
          const [ours, theirs] = [change(one), change(two)];
          const git = mergeByGit(folder, lines(...base), ours, theirs);
          if (git.status !== 0) return;
          clean++;
          if (mergeGives(lines(...base), ours, theirs, git.text)) confirmed++;
          expect(mergeGives(lines(...base), ours, theirs, `${git.text}r\n`)).toBe(false);
          if (git.text !== ours) expect(mergeGives(lines(...base), ours, theirs, ours)).toBe(false);
        }),
        { numRuns: 400 / SHORTER },
      );
      expect(clean).toBeGreaterThan(50 / SHORTER);
      expect(confirmed / clean).toBeGreaterThan(0.9);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
