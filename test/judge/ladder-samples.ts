/** Contents, changes and a history of the base made by hand, to ask the merge ladder without a repository. */
import type { Oid } from '../../src/judge/facts/names.ts';
import type { Asking } from '../../src/judge/merged/ask.ts';
import type { BranchChange } from '../../src/judge/merged/branch.ts';
import { type Change, compose, type Entry, toChange } from '../../src/judge/merged/change.ts';
import { BaseHistory, type Departure, type Move, type Step } from '../../src/judge/merged/history.ts';
import type { BaseState } from '../../src/judge/merged/ladder.ts';
import { lineSum } from '../../src/judge/merged/lines.ts';

export const FILE = 0o100644;
export const PROGRAM = 0o100755;
export const LINK = 0o120000;

const texts: (string | null)[] = [null];

/** The number of a blob with that text. */
export function blob(text: string): number {
  const at = texts.indexOf(text);
  return at > 0 ? at : texts.push(text) - 1;
}

/** The number of a blob that is not to be had. */
export function lost(): number {
  return texts.push(null) - 1;
}

const large = new Set<number>();

/** The number of a blob that is too large to compare: only its size is known. */
export function huge(text: string): number {
  large.add(texts.push(text) - 1);
  return texts.length - 1;
}

/** Lines, each ended by a line feed. */
export const lines = (...list: readonly (string | number)[]) => list.map((line) => `${line}\n`).join('');

/** What lies at a path, in short: a text, the number of a blob, or null for nothing. */
type Content = string | number | null;

const numberOf = (content: Content) => (content === null ? 0 : typeof content === 'number' ? content : blob(content));

/** A path's change; the mode is that of a file where there is something. */
export function entry(path: number, before: Content, after: Content, modes: readonly number[] = []): Entry {
  const [beforeMode = before === null ? 0 : FILE, afterMode = after === null ? 0 : FILE] = modes;
  return { path, beforeMode, before: numberOf(before), afterMode, after: numberOf(after) };
}

export const oid = (name: string) => name.padEnd(40, '0') as Oid;

/** A commit of the base; without `firstParent: false` it is the next on its line. */
export type Commit = Partial<Pick<Step, 'firstParent' | 'others' | 'at'>> & { readonly change: Change };

export interface Told {
  readonly moves?: readonly Move[];
  readonly departures?: readonly Departure[];
  readonly reverted?: ReadonlyMap<Oid, Oid>;
  /** The place of the tip; without it that of the last commit. */
  readonly end?: number;
}

/** The base: its fork is at place 0, the first of `commits` at place 1; `c1` is the name of the first, and so on. */
export function base(commits: readonly Commit[], told: Told = {}): BaseState {
  let place = 0;
  const steps = commits.map(({ change, firstParent = true, others = 0, at }, index): Step => {
    if (firstParent) place++;
    return { commit: oid(`c${index + 1}`), at: at ?? (firstParent ? place : place + 1), firstParent, change, others };
  });
  const end = told.end ?? place;
  return {
    history: new BaseHistory(steps, told.moves, told.departures),
    end,
    line: Array.from({ length: end + 1 }, (_, at) => oid(`e${at}`)),
    reverted: told.reverted ?? new Map(),
  };
}

/** A branch that forked at place 0, one change a commit. */
export function branch(work: readonly Change[], more: Partial<BranchChange> = {}): BranchChange {
  return {
    relation: { kind: 'forked', at: 0, exact: true },
    whole: compose(work.map(toChange)),
    pieces: work,
    work,
    own: work.map((_, index) => oid(`b${index + 1}`)),
    since: 0,
    brought: null,
    againstBase: null,
    ...more,
  };
}

/** What comes of it when each question is answered from the contents above. */
export function answered<Result>(asking: Asking<Result>): Result {
  let next = asking.next();
  while (next.done !== true) {
    const { kind, blobs } = next.value;
    next = asking.next(
      blobs.map((number) => {
        const text = texts[number] ?? null;
        if (text !== null && kind === 'sizes') return text.length;
        if (text === null || large.has(number)) return null;
        return kind === 'texts' ? text : lineSum(text);
      }),
    );
  }
  return next.value;
}
