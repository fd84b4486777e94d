/** What is broken or stale, and the one command that mends it. Nothing is mended by itself. */
import type { Evidence } from './evidence.ts';
import { runStanding } from './facts/claims.ts';
import type { Fault, Survey } from './facts/survey.ts';
import type { WorktreeFacts } from './facts/worktree.ts';
import { count } from './holds/hold.ts';
import { gitIn, quoted } from './holds/worktree/hold.ts';
import type { Row } from './row.ts';

export interface Ailment {
  /** A stable word. */
  readonly code: string;
  /** The row that it is about; null: it concerns the repository or the machine. */
  readonly row: Row | null;
  /** As a byte string. */
  readonly text: string;
  /** A command that mends it, as a byte string; null: none does that for all cases. */
  readonly mend: string | null;
}

/** @param rows as they were judged. */
export function ailmentsOf(survey: Survey, rows: readonly Row[]): Ailment[] {
  const worktrees = survey.worktrees.kind === 'known' ? survey.worktrees.value : [];
  const unread = [survey.worktrees, survey.branches].flatMap((fact): Ailment[] =>
    fact.kind === 'unknown' ? [{ code: 'probe-failed', row: null, text: fact.reason, mend: null }] : [],
  );
  return [
    ...unread,
    ...survey.faults.map((fault) => ({
      code: fault.code,
      row: null,
      text: textOfFault(fault),
      mend: mendFault(fault),
    })),
    ...ofTheWhole(survey),
    ...rows.flatMap((row) => {
      const worktree = worktrees.find(({ path }) => row.kind === 'worktree' && path === row.path);
      return worktree === undefined ? [] : ofWorktree({ row, worktree, survey, rows });
    }),
  ];
}

/** Some people keep a repository for a folder elsewhere: whether that is meant so nobody can see from here. */
function textOfFault({ code, text }: Fault): string {
  return code === 'core-worktree-set' ? `${text}; it may be set on purpose` : text;
}

function mendFault({ code, place }: Fault): string | null {
  const file = place === null ? null : quoted(place);
  if (file === null) return null;
  return code === 'core-bare-set' ? `git config --file ${file} core.bare false` : null;
}

function ofTheWhole(survey: Survey): Ailment[] {
  const { path } = survey.repository;
  const found: Ailment[] = [];
  if (survey.base.kind === 'unknown')
    found.push({
      code: 'base-unknown',
      row: null,
      text: survey.base.reason,
      mend: survey.remote === null ? null : gitIn(path, `remote set-head ${survey.remote} --auto`),
    });
  if (survey.shallow)
    found.push({
      code: 'shallow',
      row: null,
      text: 'this clone is shallow: what began before its edge cannot be judged',
      mend: gitIn(path, 'fetch --unshallow'),
    });
  const worktrees = survey.worktrees.kind === 'known' ? survey.worktrees.value : [];
  for (const { code, text, mend } of ofRuns(survey)) found.push({ code, row: null, text, mend });
  const blind = worktrees.find(({ presence }) => presence.kind === 'unknown')?.presence;
  if (blind?.kind === 'unknown')
    found.push({ code: 'process-check-unavailable', row: null, text: blind.reason, mend: null });
  return [...found, ...ofWhatWasPutAside(survey)];
}

function ofWhatWasPutAside({ aside }: Survey): Ailment[] {
  const found: Ailment[] = [];
  if (aside.trash.kind === 'unknown')
    found.push({ code: 'trash-unreadable', row: null, text: aside.trash.reason, mend: null });
  if (aside.unfinished.kind === 'unknown')
    found.push({ code: 'journal-unreadable', row: null, text: aside.unfinished.reason, mend: null });
  if (aside.unfinished.kind === 'known' && aside.unfinished.value.length > 0) {
    const text = `${count(aside.unfinished.value.length, 'act')} of coppice, such as ${aside.unfinished.value[0]}, was cut off; the next verb that acts ends it first`;
    found.push({ code: 'act-unfinished', row: null, text, mend: 'coppice purge --apply' });
  }
  for (const remote of aside.mirrors) {
    const text = `remote ${remote} mirrors all refs: what a sweep deletes is kept in a pack alone, without anchors, which it would publish or take away`;
    found.push({ code: 'refs-mirrored', row: null, text, mend: null });
  }
  return found;
}

/** Runs that nobody heard of for their time, and those that nobody can read. */
function ofRuns({ runs, now }: Survey): Omit<Ailment, 'row'>[] {
  if (runs.kind === 'absent') return [];
  if (runs.kind === 'unknown') return [{ code: 'runs-unread', text: runs.reason, mend: null }];
  return [
    ...runs.value.unreadable.map(({ file, reason }) => ({
      code: 'runs-unread',
      text: `the run ${file} cannot be read: ${reason}`,
      mend: null,
    })),
    ...runs.value.runs
      .filter((run) => runStanding(run, now) === 'expired')
      .map(({ id, title }) => ({
        code: 'run-expired',
        text: `nothing was heard of the run ${title} for its time, and it was not finished`,
        mend: `coppice run finish ${id}`,
      })),
  ];
}

interface Subject {
  readonly row: Row;
  readonly worktree: WorktreeFacts;
  readonly survey: Survey;
  /** All of them. */
  readonly rows: readonly Row[];
}

function ofWorktree({ row, worktree, survey, rows }: Subject): Ailment[] {
  const main = survey.repository.path;
  const mends: Readonly<Partial<Record<Evidence['code'], () => string | null>>> = {
    // It may be elsewhere, moved or not mounted; and what is staged in it, its index alone has.
    missing: () => null,
    'pointer-broken': () => repairOf(main, rows),
    'wrong-occupant': () => null,
    'repository-damaged': () => null,
    'index-locked': () => removalOfLock(worktree, survey.now),
    'lease-unreadable': () => null,
    'stale-lock': () => 'coppice unlock --dead',
  };
  return row.evidence.flatMap(({ code, text }): Ailment[] => {
    const mend = mends[code];
    if (mend === undefined) return [];
    return [{ code, row, text: code === 'missing' ? `${text}${wayToMoved(main)}` : text, mend: mend() }];
  });
}

function wayToMoved(main: string): string {
  const repair = gitIn(main, 'worktree repair NEWPATH');
  return repair === null ? '' : `; if it was moved: ${repair}`;
}

/** Where something else may be in a worktree's place: git would write into that, too. */
const PERHAPS_OTHERS: readonly Evidence['code'][] = ['missing', 'wrong-occupant', 'foreign-owner', 'protected'];

/** Named with its folder, git would not look at one without a .git file; without, it goes to all that it has. */
function repairOf(main: string, rows: readonly Row[]): string | null {
  const isSure = rows.every(
    ({ kind, evidence }) => kind !== 'worktree' || evidence.every(({ code }) => !PERHAPS_OTHERS.includes(code)),
  );
  return isSure ? gitIn(main, 'worktree repair') : null;
}

/** A git that is at work has not written its lock for so long. Milliseconds. */
const LEFT_BEHIND = 3_600_000;

/** Only of an old lock that nobody has open, in a worktree that nobody is in, when everybody could be asked. */
function removalOfLock({ adminState, gitDir, presence }: WorktreeFacts, now: number): string | null {
  const lock = adminState.kind === 'known' ? adminState.value.indexLock : null;
  if (lock?.holders.kind !== 'known' || !lock.holders.value.all || lock.holders.value.pids.length > 0) return null;
  if (presence.kind !== 'known' || presence.value.occupants.length > 0) return null;
  if (now - lock.written < LEFT_BEHIND) return null;
  const file = quoted(`${gitDir}/${lock.file}`);
  return file === null ? null : `rm ${file}`;
}
