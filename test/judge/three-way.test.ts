import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, diffLinesLate, type Hunk } from '../../src/judge/merged/diff.ts';
import { mergeGives } from '../../src/judge/merged/three-way.ts';

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

describe('three-way merge', () => {
  const lines = (...list: readonly (string | number)[]) => list.map((line) => `${line}\n`).join('');

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
          writeFileSync(join(folder, 'base'), lines(...base));
          writeFileSync(join(folder, 'ours'), ours);
          writeFileSync(join(folder, 'theirs'), theirs);
          const git = spawnSync('git', ['merge-file', '-p', 'ours', 'base', 'theirs'], {
            cwd: folder,
            encoding: 'utf8',
          });
          if (git.status !== 0) return;
          clean++;
          if (mergeGives(lines(...base), ours, theirs, git.stdout)) confirmed++;
          expect(mergeGives(lines(...base), ours, theirs, `${git.stdout}r\n`)).toBe(false);
          if (git.stdout !== ours) expect(mergeGives(lines(...base), ours, theirs, ours)).toBe(false);
        }),
        { numRuns: 400 },
      );
      expect(clean).toBeGreaterThan(50);
      expect(confirmed / clean).toBeGreaterThan(0.9);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
