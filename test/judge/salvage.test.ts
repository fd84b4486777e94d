/** Of which worktrees that stay a copy of the changes is to be made. */
import { describe, expect, it } from 'vitest';
import { absent, type Fact, known, unknown } from '../../src/judge/facts/fact.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { Salvage, WorktreeFacts } from '../../src/judge/facts/worktree.ts';
import { judge } from '../../src/judge/judge.ts';
import { permitSave, permitUnpack } from '../../src/judge/permit.ts';
import type { AbsPath } from '../../src/judge/facts/names.ts';
import { contents, desk, emptySurvey, lease, NOW, run, some, TIP } from './samples.ts';

const SAVED: Salvage = { digest: 'd'.repeat(64), files: 1, bytes: 5, earlier: null };
const dirty: WorktreeFacts = { ...desk, contents: known({ ...contents, unstaged: some }), salvage: known(SAVED) };

function rowOf(worktree: Partial<WorktreeFacts>, more: Partial<Survey> = {}) {
  const facts = { ...dirty, ...worktree };
  const [row] = judge({ ...emptySurvey, ...more, worktrees: known([facts]) }).rows;
  if (row?.kind !== 'worktree') throw new Error('one worktree gives one row');
  return { ...row, codes: row.evidence.map(({ code }) => code), permit: permitSave(row, facts) };
}

it('one that stays with changes, in spite of hints and of what is in it', () => {
  expect(rowOf({})).toMatchObject({
    action: 'save-patch',
    reason: { code: 'modified' },
    permit: { digest: SAVED.digest },
  });
  for (const part of [{ conflicted: some }, { nested: [{ path: 'a', what: 'a repository' }] }, { mounts: ['a'] }])
    expect(rowOf({ contents: known({ ...contents, ...part }) }).action).toBe('save-patch');
  expect(rowOf({ merge: unknown('why') }).action).toBe('save-patch');
  expect(rowOf({ measure: unknown('why') }).action).toBe('save-patch');
  const perhaps = known({ occupants: [{ how: 'watches', pid: 7, name: 'vim' } as never], unreadable: 0 });
  expect(rowOf({ presence: perhaps })).toMatchObject({ action: 'save-patch' });
});

describe('none', () => {
  const works = known({ occupants: [{ how: 'works', pid: 7, name: 'vim' } as never], unreadable: 0 });
  const cases: readonly (readonly [string, Partial<WorktreeFacts>, Partial<Survey>?])[] = [
    ['the main worktree', { admin: null }],
    ['the one around the caller', { isCurrent: true }],
    ['a protected one', { protectedBy: 'the settings protect /desk' }],
    ['of another account', { identity: { kind: 'foreign-owner', owner: 7, what: 'its folder' } }],
    ['that is missing', { identity: { kind: 'missing', why: 'gone' } }],
    ['with a broken pointer', { identity: { kind: 'pointer-broken', why: 'broken' } }],
    ['with another at its place', { identity: { kind: 'wrong-occupant', why: 'a link' } }],
    ['that is damaged', { identity: { kind: 'repository-damaged', why: 'no HEAD' } }],
    ['that is leased', { lease: known({ ...lease, expires: NOW + 1 }) }],
    ['of which the lease cannot be read', { lease: unknown('why') }],
    ['in a run', {}, { runs: known({ runs: [run], unreadable: [] }) }],
    ['where runs cannot be read', {}, { runs: unknown('why') }],
    ['where somebody works', { presence: works }],
    ['where reservations were not read', {}, { hasUnreadReservations: true }],
    ['that is in hand by its name', {}, { named: { keepsBranch: false, pushed: new Set() } }],
  ];

  it.each(cases.map(([title, part, more = {}]) => ({ title, part, more })))('$title', ({ part, more }) => {
    const row = rowOf(part, more);
    expect([row.action, row.permit]).toEqual(['keep', null]);
    expect(rowOf({ ...part, salvage: unknown('why') }, more).codes).not.toContain('not-saved');
  });

  it('where a copy of the same is kept, which is named', () => {
    const row = rowOf({ salvage: known({ ...SAVED, earlier: 'ID' }) });
    expect([row.action, row.codes.includes('already-saved'), row.permit]).toEqual(['keep', true, null]);
    expect(row.evidence.find(({ code }) => code === 'already-saved')?.text).toContain('coppice salvage show ID');
  });

  it('where none can be made, and why', () => {
    const row = rowOf({ salvage: unknown('x: permission denied') });
    expect(row.action).toBe('keep');
    expect(row.evidence.find(({ code }) => code === 'not-saved')?.text).toContain('x: permission denied');
  });

  it('where nothing differs, or nothing was to be copied', () => {
    expect(rowOf({ salvage: absent }).codes).toEqual(expect.not.arrayContaining(['not-saved', 'already-saved']));
    expect(rowOf({ salvage: absent }).action).toBe('keep');
  });
});

it('a permit is given for the row alone, and with a commit', () => {
  const row = rowOf({});
  expect(permitSave(row, { ...dirty, admin: 'other' })).toBeNull();
  expect(permitSave(row, { ...dirty, head: null })).toBeNull();
  expect(permitSave(row, { ...dirty, salvage: absent })).toBeNull();
  expect(permitSave({ ...row, action: 'keep' }, dirty)).toBeNull();
  expect(permitSave({ ...row, kind: 'branch' } as never, dirty)).toBeNull();
  expect(permitSave(row, { ...dirty, head: TIP })).not.toBeNull();
});

it('a permit to make files is given where nothing else is', () => {
  const given = (...there: readonly Fact<'same' | 'other'>[]) => permitUnpack('/to' as AbsPath, there);
  expect(given()).toEqual({ folder: '/to' });
  expect(given(absent, known('same'))).not.toBeNull();
  expect(given(absent, known('other'))).toBeNull();
  expect(given(known('same'), unknown('why'))).toBeNull();
});
