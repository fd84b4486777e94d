import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { explainDocument, sweepDocument } from '../../src/render/document.ts';
import { HOLD_CODES, NOTED_CODES, SPENT_CODES } from '../../src/judge/evidence.ts';
import { renderError } from '../../src/render/error.ts';
import { renderExplain } from '../../src/render/explain.ts';
import { startProgress } from '../../src/render/progress.ts';
import { createStyle, hasColor } from '../../src/render/style.ts';
import { renderSweep } from '../../src/render/table.ts';
import { textWidth } from '../../src/render/width.ts';
import { meaningOf } from '../../src/render/words.ts';
import { branchRow, HOME, HOSTILE, hostileSweep, keptRow, outputTo, sweepOf, worktreeRow } from './samples.ts';

const UNSAFE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;
const plain = createStyle(outputTo([]), {});

function table(sweep = sweepOf([]), options: { all?: boolean; columns?: number } = {}): string {
  const output = outputTo([], options.columns === undefined ? null : { columns: options.columns });
  return renderSweep(sweepDocument(sweep, HOME), {
    style: plain,
    output,
    all: options.all ?? false,
    blind: sweep.blind,
  });
}

describe('the table', () => {
  const sweep = sweepOf(
    [
      worktreeRow('@', `${HOME}/src/app`),
      branchRow('feature/login'),
      branchRow('fix/typo'),
      keptRow('wip'),
      keptRow('idea'),
      keptRow('x', 'checked-out'),
    ],
    {
      doubts: [{ code: 'remote-unverified', text: `could not read ${HOME}/x` }],
    },
  );

  test('doubts, what goes by name, what stays by count, what to do next', () => {
    expect(table(sweep)).toMatchInlineSnapshot(`
      "! remote-unverified: could not read ~/x
      ~/src/app: judged by origin/main at cccccccccccc, read from the remote just now

      Would be deleted: 2 branches
        branch  feature/login  squashed into origin/main as 1a2b3c4
        branch  fix/typo       squashed into origin/main as 1a2b3c4

      Kept: 1 worktree and 3 branches
        2 branches  unmerged        holds work that is not proven to be on the base
        1 worktree  process-inside  a process is in it
        1 branch    checked-out     a worktree uses it

      2 of 6 would go. Nothing was changed.
        coppice sweep --apply  put aside; it can be undone
        coppice explain NAME   why one of them goes or stays
        coppice sweep --all    every kept one by name
      "
    `);
  });

  test('--all names what stays', () => {
    expect(table(sweep, { all: true })).toMatchInlineSnapshot(`
      "! remote-unverified: could not read ~/x
      ~/src/app: judged by origin/main at cccccccccccc, read from the remote just now

      Would be deleted: 2 branches
        branch  feature/login  squashed into origin/main as 1a2b3c4
        branch  fix/typo       squashed into origin/main as 1a2b3c4

      Kept: 1 worktree and 3 branches
        worktree  feature/x  process 7 (vim) works in it
        branch    wip        2 of 3 commits were not found on origin/main
        branch    idea       2 of 3 commits were not found on origin/main
        branch    x          used by ~/app.worktrees/x

      2 of 6 would go. Nothing was changed.
        coppice sweep --apply  put aside; it can be undone
        coppice explain NAME   why one of them goes or stays
      "
    `);
  });

  test('without anything that goes', () => {
    expect(
      table(sweepOf([], { base: null, fetch: { status: 'failed', at: null, detail: 'fatal: no\nmore' } })),
    ).toMatchInlineSnapshot(`
      "~/src/app: no base to judge by, as last fetched

      There is nothing of these kinds.
      "
    `);
  });

  test('blind, it does not say that nothing would go', () => {
    const text = table(sweepOf([keptRow('x')], { base: null, blind: true }));
    expect(text).toContain('It cannot be told what would go.');
    expect(text).not.toContain('Nothing would go');
  });

  test('hostile names stay on their line', () => {
    const text = table(hostileSweep(), { all: true });
    expect(text).not.toMatch(UNSAFE);
    // One line a row and a doubt, the heading, two sections, the footer.
    expect(text.split('\n')).toHaveLength(Object.keys(HOSTILE).length * 3 + 1 + 1 + 2 * 2 + 1 + 3 + 1);
    expect(text).toContain('bad-\\xff\\xc3(');
  });

  test.each([56, 80, 200])('fits a terminal of %i columns', (columns) => {
    const lines = table(hostileSweep(), { all: true, columns }).split('\n').slice(2);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('a pipe gets whole names', () => expect(table(hostileSweep(), { all: true })).toContain(`kept/${HOSTILE.long}`));

  test('names only verbs and flags of this version', () => {
    expect([...table(sweep).matchAll(/coppice .*?(?= {2})/g)].map(String)).toEqual([
      'coppice sweep --apply',
      'coppice explain NAME',
      'coppice sweep --all',
    ]);
  });

  test('every code has a meaning', () => {
    for (const code of [...SPENT_CODES, ...HOLD_CODES, ...NOTED_CODES]) expect(meaningOf(code)).not.toBe(code);
    expect(meaningOf('constructor')).toBe('constructor');
  });
});

describe('explain', () => {
  test('the whole evidence, each with its check', () => {
    const rows = [branchRow('feature/login'), worktreeRow('x', `${HOME}/wt/x`)];
    expect(renderExplain(explainDocument(sweepOf(rows), rows, HOME), plain)).toMatchInlineSnapshot(`
      "~/src/app: judged by origin/main at cccccccccccc, read from the remote just now

      branch feature/login
        Would be deleted: squashed into origin/main as 1a2b3c4
        id          branch:refs/heads/feature/login
        head        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        last commit 2026-11-30T12:00:00Z
        Evidence
          squash-merged speaks for removal (proven, from git)
            squashed into origin/main as 1a2b3c4
            check: git show aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa

      worktree feature/x
        Kept: process 7 (vim) works in it
        id          worktree:x
        path        ~/wt/x
        head        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        branch      refs/heads/feature/x
        Evidence
          process-inside keeps it (proven, from processes)
            process 7 (vim) works in it
      "
    `);
  });

  test('hostile names are shown as escapes', () => {
    const sweep = hostileSweep();
    expect(renderExplain(explainDocument(sweep, sweep.rows, HOME), plain)).not.toMatch(UNSAFE);
  });
});

describe('colour', () => {
  const terminal = outputTo([], { columns: 80 });
  const pipe = outputTo([]);
  test.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [pipe, { FORCE_COLOR: '1' }, true],
    [pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
  ])('%#: %o %o', (output, env, expected) => expect(hasColor(output, env)).toBe(expected));

  test('emphasis is only added around text that is already safe', () => {
    const style = createStyle(pipe, { FORCE_COLOR: '1' });
    const text = renderError({ text: 'no \x1b[31m', hint: null }, style);
    expect(text).toBe('\x1b[31mcoppice:\x1b[39m no \\x1b[31m\n');
  });
});

test('an error of several lines keeps them', () => {
  expect(renderError({ text: 'git said\nfatal: \x07no\n', hint: 'try\nagain' }, plain)).toBe(
    'coppice: git said\n  fatal: \\x07no\n  try\n  again\n',
  );
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('says nothing to who need not wait', () => {
    const parts: string[] = [];
    const progress = startProgress(outputTo(parts, { columns: 80 }), {});
    progress.report('reading');
    vi.advanceTimersByTime(499);
    progress.end();
    vi.advanceTimersByTime(5000);
    expect(parts).toEqual([]);
  });

  test('one line, sanitised and cut, cleared at the end', () => {
    const parts: string[] = [];
    const progress = startProgress(outputTo(parts, { columns: 20 }), {});
    progress.report('reading \x1b[2J and much more than fits');
    vi.advanceTimersByTime(700);
    progress.end();
    expect(parts).toEqual(['\r\x1b[Kreading \\x1b[2J an…', '\r\x1b[K']);
  });

  test.each([
    [outputTo([]), {}],
    [outputTo([], { columns: 80 }), { TERM: 'dumb' }],
  ])('%#: nothing where no line can be cleared', (output, env) => {
    const written = vi.spyOn(output, 'write');
    const progress = startProgress(output, env);
    progress.report('reading');
    vi.advanceTimersByTime(5000);
    progress.end();
    expect(written).not.toHaveBeenCalled();
  });
});
