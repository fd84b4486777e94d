/** Whether a change was taken back later, one condition at a time. */
import { describe, expect, it } from 'vitest';
import type { Change, Entry } from '../../src/judge/merged/change.ts';
import { placesOf } from '../../src/judge/merged/moved.ts';
import { type Question, takenBack, takenBackByPath } from '../../src/judge/merged/taken-back.ts';
import { answered, base, type Commit, entry, lines, lost, oid, type Told } from './ladder-samples.ts';

const OLD = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
const NEW = lines('a', 'b', 'work', 'd', 'e', 'f', 'g');
const OTHER = lines('quite', 'another', 'text');
const edit = [entry(1, OLD, NEW)];
const second = [entry(2, 'x\n', 'y\n')];
const both = [...edit, ...second];

/** The first commit made the change; what came after it is asked about. */
function questionOf(change: Change, later: readonly Commit[], more: Partial<Question> = {}, told: Told = {}): Question {
  const { history, end } = base([{ change }, ...later], told);
  return {
    history,
    changes: [change],
    places: placesOf(history, change, 1, end),
    amongOthers: true,
    after: 0,
    end,
    sideOf: ({ path, before, beforeMode }: Entry) => history.sideAt(path, 0, end) ?? { mode: beforeMode, blob: before },
    ...more,
  };
}

const asked = (...args: Parameters<typeof questionOf>) => answered(takenBack(questionOf(...args)));
const then = (...changes: readonly Change[]) => changes.map((change) => ({ change }));
const by = (name: string) => ({ kind: 'yes', step: { commit: oid(name) } });
const ATONCE = { kind: 'yes', step: null };
const SINGLE = { amongOthers: false };

describe('a change', () => {
  it('stands while the base has it, by itself or among other edits', () => {
    const more = lines('a', 'b', 'work', 'd', 'e', 'f', 'more');
    for (const part of [{}, SINGLE]) {
      expect(asked(edit, [], part).kind).toBe('standing');
      expect(asked(edit, then([entry(1, NEW, OLD)], edit), part).kind).toBe('standing');
    }
    expect(asked(edit, then([entry(1, NEW, more)])).kind).toBe('standing');
    expect(asked(edit, then([entry(1, NEW, OLD)], [entry(1, OLD, more)]), SINGLE).kind).toBe('standing');
    expect(asked(edit, then([entry(1, NEW, OTHER)]))).toEqual({ kind: 'no' });
  });

  it('was taken back by a commit, or is back at the tip', () => {
    expect(asked(edit, then([entry(1, NEW, OLD)]))).toEqual(ATONCE);
    expect(asked(edit, then([entry(1, NEW, OLD)], [entry(1, OLD, OTHER)]))).toMatchObject(by('c2'));
    expect(asked(edit, then([entry(1, NEW, OLD)], [entry(1, OLD, OTHER)]), SINGLE)).toMatchObject(by('c2'));
  });

  it('was taken back last, or made last', () => {
    const again = then([entry(1, NEW, OLD)], edit, [entry(1, NEW, OTHER)]);
    expect(asked(edit, again)).toEqual({ kind: 'standing', again: 2 });
    expect(asked(edit, [...again.slice(0, 2), ...then([entry(1, NEW, OLD)], [entry(1, OLD, OTHER)])])).toMatchObject(
      by('c4'),
    );
  });

  it('is not made again by what a merge brought in and did not keep', () => {
    const side = { change: edit, firstParent: false };
    const later = [...then([entry(1, NEW, OLD)]), side, ...then([entry(2, OLD, NEW)], [entry(1, OLD, OTHER)])];
    expect(asked(edit, later)).toMatchObject(by('c2'));
  });

  it('counts only as far as the tip, and after the commit that made it', () => {
    const later = then([entry(1, NEW, OLD)], [entry(1, OLD, OTHER)]);
    expect(asked(edit, later, { after: 1 })).toEqual({ kind: 'no' });
    expect(asked(edit, later, { end: 1 })).toEqual({ kind: 'no' });
  });

  it('may be taken back as the base made it', () => {
    const made = [entry(1, OTHER, lines('quite', 'another', 'text', 'work'))];
    const back = then([entry(1, NEW, OTHER)]);
    expect(asked(edit, back, { changes: [edit, made] })).toEqual(ATONCE);
    expect(asked(edit, back, { changes: [edit, []] })).toEqual({ kind: 'no' });
  });

  it('that nothing shows to be anything stands', () => {
    expect(asked(edit, [], { changes: [] })).toEqual({ kind: 'standing', again: null });
  });

  it('is not told without the contents, unless one of the two is', () => {
    const [one, two, three] = [lost(), lost(), lost()];
    const unread = [entry(1, one, two)];
    const later = then([entry(1, lost(), three)]);
    expect(asked(unread, later).kind).toBe('unknown');
    const made = [entry(1, three, two)];
    expect(asked(unread, later, { changes: [unread, made] })).toEqual(ATONCE);
    expect(asked(unread, later, { changes: [made, unread] })).toEqual(ATONCE);
  });

  it('may be undone along with other edits, which tells of all of it alone', () => {
    const edited = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'and', 'more');
    const undone = then([entry(1, NEW, edited)]);
    expect(asked(edit, undone)).toEqual(ATONCE);
    expect(asked(edit, undone, SINGLE)).toEqual({ kind: 'no' });
  });
});

describe('files that were moved', () => {
  const move = [entry(1, OLD, null), entry(2, null, OLD)];

  it('are back where they were, edited or not', () => {
    expect(asked(move, then([entry(1, null, OTHER), entry(2, OLD, null)]))).toEqual(ATONCE);
    expect(asked(move, then([entry(1, null, OTHER)]))).toEqual({ kind: 'no' });
    expect(asked(move, then([entry(2, OLD, null)]))).toEqual({ kind: 'no' });
  });

  it('and moved by the base since are looked for there', () => {
    const moves = [{ from: 1, to: 5, at: 2 }];
    const away = [entry(1, NEW, null), entry(5, null, NEW)];
    const told = { moves };
    expect(asked(edit, then(away), {}, told).kind).toBe('standing');
    expect(asked(edit, then(away, [entry(5, NEW, OLD)], [entry(5, OLD, OTHER)]), {}, told)).toMatchObject(by('c3'));
    const made = [entry(1, null, NEW)];
    expect(asked(made, then(away, [entry(5, NEW, OTHER)]), {}, told)).toEqual({ kind: 'no' });
    expect(asked(made, then([entry(1, NEW, null)], [entry(1, null, OTHER)]))).toMatchObject(by('c2'));
  });

  it('are not told to be taken back by what is not known of a later place', () => {
    const moves = [{ from: 1, to: 5, at: 3 }];
    const later = then([entry(1, NEW, OLD)], [entry(1, OLD, null), entry(5, null, OLD)], [entry(5, lost(), lost())]);
    expect(asked(edit, later, {}, { moves })).toMatchObject(by('c2'));
  });
});

describe('a change of several paths', () => {
  const asks = (later: readonly Commit[]) => answered(takenBackByPath(questionOf(both, later)));
  const backs = [[entry(1, NEW, OLD)], [entry(2, 'y\n', 'x\n')]];

  it('was taken back when each of them was', () => {
    expect(asks(then(...backs))).toEqual(ATONCE);
    expect(asks(then(backs[0] as Change))).toEqual({ kind: 'no' });
    expect(asks(then(...backs, [entry(1, OLD, OTHER)]))).toEqual(ATONCE);
    expect(asks(then([entry(1, NEW, OTHER)], backs[1] as Change))).toEqual({ kind: 'no' });
    expect(asks(then(backs[0] as Change, [entry(2, 'y\n', 'z\n')]))).toEqual({ kind: 'no' });
  });
});
