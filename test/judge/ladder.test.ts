/** Each refusal of the merge ladder, with a branch that would be merged without it. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/judge/merged/change.ts';
import type { BranchChange } from '../../src/judge/merged/branch.ts';
import { type BaseState, climb, stillMerged } from '../../src/judge/merged/ladder.ts';
import { answered, base, branch, entry, lines, lost, oid, type Told } from './ladder-samples.ts';

const judged = (state: BaseState, change: BranchChange) => answered(climb(state, change));

const OLD = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
const NEW = lines('a', 'b', 'work', 'd', 'e', 'f', 'g');
const HALF = lines('a', 'b', 'half', 'd', 'e', 'f', 'g');
const EDITED = lines('a', 'b', 'c', 'd', 'e', 'f', 'other');
const BOTH = lines('a', 'b', 'work', 'd', 'e', 'f', 'other');

const edit = [entry(1, OLD, NEW)];
const second = [entry(2, 'x\n', 'y\n')];
const topic = branch([edit]);
const squashed = { change: edit };
const unproven = { proof: null, veto: null };
const takenBack = (by: string | null) => ({ veto: { code: 'reverted-later', by: by === null ? null : oid(by) } });

describe('the ladder', () => {
  it('proves what landed, what was squashed, what was rebased, and what adds nothing', () => {
    expect(judged(base([squashed]), topic)).toMatchObject({
      proof: { code: 'landed', commits: [oid('e1')] },
      veto: null,
    });
    const moved = [{ change: [entry(1, OLD, EDITED)] }, { change: [entry(1, EDITED, BOTH)] }];
    expect(judged(base(moved), topic)).toMatchObject({ proof: { code: 'squash-merged', commits: [oid('c2')] } });
    expect(judged(base([{ change: [entry(1, OLD, BOTH)], others: 1 }]), topic).proof?.code).toBe('absorbed');
    const two = branch([edit, second]);
    expect(judged(base([...moved, { change: second }]), two)).toMatchObject({
      proof: { code: 'rebase-merged', commits: [oid('c2'), oid('c3')] },
    });
  });

  it.each([
    ['shallow', { kind: 'cut' }],
    [null, { kind: 'unrelated' }],
    [null, { kind: 'ancestor', at: 1, side: false }],
  ] as const)('refuses with %s what is %o', (code, relation) => {
    const { proof, veto } = judged(base([squashed]), branch([edit], { relation }));
    expect([proof, veto?.code ?? null]).toEqual([null, code]);
  });

  it('refuses what changes nothing in the end', () => {
    const change = branch([edit, [entry(1, NEW, OLD)]]);
    expect(judged(base([squashed]), change)).toMatchObject({ proof: null, veto: { code: 'net-zero' } });
  });

  it('proves what has several merge bases by the end alone', () => {
    const relation = { kind: 'entangled' } as const;
    const state = base([squashed]);
    expect(judged(state, branch([edit], { relation, againstBase: [] })).proof?.code).toBe('landed');
    expect(judged(state, branch([edit], { relation, againstBase: null }))).toMatchObject({ proof: null, blind: true });
    const unread = branch([edit], { relation, againstBase: [], work: null });
    expect(judged(state, unread)).toMatchObject({ proof: null, blind: true });
    const lacking = branch([edit], { relation, againstBase: [entry(1, OLD, NEW)] });
    expect(judged(state, lacking)).toMatchObject({ ...unproven, missing: [1] });
  });

  it('follows files that the base moved', () => {
    const moves = [{ from: 1, to: 9, at: 1 }];
    const along = [{ change: [entry(1, OLD, null), entry(9, null, OLD)] }, { change: [entry(9, OLD, NEW)] }];
    expect(judged(base(along, { moves }), topic)).toMatchObject({ proof: { code: 'squash-merged' }, veto: null });
    expect(judged(base(along), topic)).toMatchObject({ ...unproven, missing: [1] });
  });

  it('does not take a file for deleted that the base moved', () => {
    const deletion = branch([[entry(1, OLD, null)]]);
    const state = (moves: Told['moves'] = []) =>
      base([{ change: [entry(1, OLD, null), entry(9, null, OLD)], others: 1 }], { moves });
    expect(judged(state(), deletion).proof?.code).toBe('landed');
    expect(judged(state([{ from: 1, to: 9, at: 1 }]), deletion).proof).toBeNull();
  });

  it('proves by commits only what is known commit by commit', () => {
    const replays = base([
      { change: [entry(1, OLD, EDITED)] },
      { change: [entry(1, EDITED, BOTH)] },
      { change: second },
    ]);
    const proofOf = (more: Partial<BranchChange>) => judged(replays, branch([edit, second], more)).proof?.code;
    expect(proofOf({})).toBe('rebase-merged');
    expect(proofOf({ pieces: null })).toBe('absorbed');
  });

  it('refuses a series in which commits leave nothing', () => {
    const replays = [{ change: [entry(1, OLD, EDITED)] }, { change: [entry(1, EDITED, BOTH)] }, { change: second }];
    const [half, rest] = [[entry(1, OLD, HALF)], [entry(1, HALF, NEW)]];
    const [there, back] = [[entry(3, 'x\n', 'y\n')], [entry(3, 'y\n', 'x\n')]];
    expect(judged(base(replays), branch([half, rest, second])).proof?.code).toBe('series-merged');
    const veto = { code: 'net-zero' };
    expect(judged(base(replays), branch([half, there, back, rest, second]))).toMatchObject({ proof: null, veto });
  });

  it('looks at the end where the history in view does not tell', () => {
    const relation = { kind: 'forked', at: 0, exact: false } as const;
    const judgedBy = (againstBase: Change) =>
      judged(base([{ change: second }]), branch([edit], { relation, againstBase }));
    expect(judgedBy([]).proof?.code).toBe('absorbed');
    expect(judgedBy([entry(1, BOTH, NEW)]).proof?.code).toBe('absorbed');
    expect(judgedBy([entry(1, EDITED, NEW)])).toMatchObject({ ...unproven, missing: [1] });
  });

  it('names what is not there', () => {
    const state = base([{ change: second }]);
    expect(judged(state, branch([[...edit, ...second]]))).toMatchObject({ ...unproven, missing: [1], blind: false });
  });

  it('refuses an earlier state of the branch', () => {
    const corrected = branch([[...edit, ...second], [entry(2, 'y\n', 'x\n')]]);
    const early = base([squashed, { change: second }]);
    expect(judged(early, corrected)).toMatchObject({ ...unproven, missing: [2] });
    expect(judged(base([squashed]), corrected).proof?.code).toBe('landed');
    const unread = branch([edit], { work: null });
    expect(judged(base([squashed]), unread)).toMatchObject({ proof: null, blind: true });
  });

  it('says what is missing, and not what is early, where nothing is proven', () => {
    const corrected = branch([[...edit, ...second], [entry(2, 'y\n', 'x\n')]]);
    expect(judged(base([{ change: second }]), corrected)).toMatchObject({ ...unproven, missing: [1] });
  });

  it('keeps the reason of what was taken back where it is early, too', () => {
    const corrected = branch([[...edit, ...second], [entry(2, 'y\n', 'x\n')]]);
    const state = base([squashed, { change: [entry(1, NEW, OLD)] }, { change: second }]);
    expect(judged(state, corrected)).toMatchObject(takenBack(null));
  });
});

describe('what was taken back', () => {
  const later = lines('a', 'b', 'c', 'd', 'e', 'f', 'more');

  it('as a whole is not merged', () => {
    expect(judged(base([squashed, { change: [entry(1, NEW, OLD)] }]), topic)).toMatchObject(takenBack(null));
    const gone = [squashed, { change: [entry(1, NEW, OLD)] }, { change: [entry(1, OLD, later)] }];
    expect(judged(base(gone), topic)).toMatchObject(takenBack('c2'));
  });

  it('and made again is merged', () => {
    const again = [squashed, { change: [entry(1, NEW, OLD)] }, squashed];
    expect(judged(base(again), topic)).toMatchObject({ proof: { code: 'landed' }, veto: null });
    const more = [...again, { change: [entry(1, NEW, later)] }];
    expect(judged(base(more), topic)).toMatchObject({ proof: { commits: [oid('c3')] }, veto: null });
  });

  it('each path by a commit of its own is not merged', () => {
    const state = base([
      { change: [...edit, ...second] },
      { change: [entry(1, NEW, OLD)] },
      { change: [entry(2, 'y\n', 'x\n')] },
      { change: [entry(1, OLD, later), entry(2, 'x\n', 'z\n')] },
    ]);
    expect(judged(state, branch([[...edit, ...second]]))).toMatchObject({ veto: { code: 'reverted-later' } });
  });

  it('is not told where contents are missing', () => {
    const [one, two] = [lost(), lost()];
    const change = branch([[entry(1, one, two)]]);
    const state = base([
      { change: [entry(1, one, two)] },
      { change: [entry(1, two, lost())] },
      { change: [entry(1, lost(), lost())] },
    ]);
    expect(judged(state, change)).toMatchObject({ blind: true });
  });

  it('in one commit of several is not merged', () => {
    const state = base([
      { change: [...edit, ...second] },
      { change: [entry(1, NEW, OLD)] },
      { change: [entry(1, OLD, later)] },
    ]);
    expect(judged(state, branch([edit, second]))).toMatchObject(takenBack('c2'));
    expect(judged(state, branch([[...edit, ...second]])).veto).toBeNull();
  });

  it('in one of the commits that were rebased is not merged', () => {
    const state = base([
      { change: [entry(1, OLD, EDITED)] },
      { change: [entry(1, EDITED, BOTH)] },
      { change: second },
      { change: [entry(1, BOTH, EDITED)] },
      { change: [entry(1, EDITED, later)] },
    ]);
    expect(judged(state, branch([edit, second]))).toMatchObject(takenBack('c4'));
  });

  it('may be told by words alone, unless the base has it now', () => {
    const reverted = new Map([[oid('e1'), oid('c2')]]);
    const gone = [squashed, { change: [entry(1, NEW, lines('quite', 'another', 'file'))] }];
    expect(judged(base(gone), topic)).toMatchObject({ proof: { code: 'landed' }, veto: null });
    expect(judged(base(gone, { reverted }), topic)).toMatchObject({ ...takenBack('c2'), proof: { code: 'landed' } });
    expect(judged(base([squashed], { reverted }), topic).veto).toBeNull();
    const own = new Map([[oid('b1'), oid('c2')]]);
    expect(judged(base(gone, { reverted: own }), topic)).toMatchObject(takenBack('c2'));
  });

  it('by a revert that came with the branch is part of it', () => {
    const relation = { kind: 'ancestor', at: 1, side: true } as const;
    const brought = new Set([oid('s1'), oid('s2')]);
    const side = branch([edit], { relation, brought, own: [], work: [], pieces: null });
    const gone = [squashed, { change: [entry(1, NEW, lines('quite', 'another', 'file'))] }];
    const told = (by: string) => base(gone, { reverted: new Map([[oid('s1'), oid(by)]]) });
    const proof = { code: 'ancestor', commits: [oid('e1')] } as const;
    expect(answered(stillMerged(told('s2'), proof, side, 1)).veto).toBeNull();
    expect(answered(stillMerged(told('c2'), proof, side, 1))).toMatchObject(takenBack('c2'));
  });

  it('from all of the commits that were rebased, along with other edits, is not merged', () => {
    const numbers = (...list: readonly (string | number)[]) => lines(...list, 'e', 'f', 'g', 'h', 'i', 'j');
    const two = [entry(2, numbers(1, 2), numbers('one', 2))];
    const rebased = [
      { change: [entry(1, OLD, EDITED)] },
      { change: [entry(1, EDITED, BOTH)] },
      { change: [entry(2, numbers(1, 2), numbers('one', 2))] },
    ];
    const change = branch([edit, two]);
    const edited = (text: string) => `${text}and more\n`;
    const undone = { change: [entry(1, BOTH, edited(EDITED)), entry(2, numbers('one', 2), edited(numbers(1, 2)))] };
    expect(judged(base(rebased), change)).toMatchObject({ proof: { code: 'rebase-merged' }, veto: null });
    expect(judged(base([...rebased, undone]), change)).toMatchObject({ ...takenBack(null) });
    const unread = { change: [entry(1, BOTH, lost())] };
    expect(judged(base([...rebased, unread, { change: [entry(1, lost(), lost())] }]), change).blind).toBe(true);
  });
});
