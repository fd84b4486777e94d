/** Parts of a branch's work, which may have been taken back without the rest. */
import { addsNothing } from './absorbed.ts';
import { type Asking, texts } from './ask.ts';
import type { BranchChange } from './branch.ts';
import { type Change, type Entry, entryAt, isFile, type PathNumber, type Side } from './change.ts';
import type { Equality } from './equal.ts';
import { countLines, hasStep } from './likeness.ts';

/**
 * The commits that were merged together with others and may be taken back without them. That the base deletes a file
 * which one of them added is later work as a rule, and looks the same.
 */
export function singleCommits(work: readonly Change[]): Change[] {
  return work.length < 2 ? [] : work.filter((change) => change.some((entry) => entry.beforeMode !== 0));
}

/** Whether the branch has the part in the end: it may have undone it, and another's commit is none of its own. */
export function* isWithin(part: Change, branch: BranchChange): Asking<Equality> {
  for (const entry of part) {
    const final = finalSide(branch, entry.path);
    if (final === null) return 'different';
    const verdict = yield* addsNothing([{ entry, base: final }]);
    if (verdict === 'unknown') return 'unknown';
    if (verdict === 'different' && !(yield* isLike(entry, final))) return 'different';
  }
  return 'equal';
}

/** What the branch has at a path in the end, of its own doing. */
function finalSide({ whole, work }: BranchChange, path: PathNumber): Side | null {
  const entry = entryAt(whole, path) ?? work?.flat().findLast((one) => one.path === path);
  return entry ? { mode: entry.afterMode, blob: entry.after } : null;
}

/** Where lines beside it changed, too, no merge tells: the lines themselves do. */
function* isLike(entry: Entry, final: Side): Asking<boolean> {
  if (!isFile(entry.beforeMode) || !isFile(entry.afterMode) || !isFile(final.mode)) return false;
  const [before, after, now] = yield* texts([entry.before, entry.after, final.blob]);
  if (before == null || after == null || now == null) return true;
  return hasStep(countLines(before), countLines(after), countLines(now));
}
