/** What a branch's reflog tells: commits made on it, and commits that it once held and no longer does. */
import type { Oid } from '../facts/names.ts';
import type { Commit, Graph } from './graph.ts';

/** One entry, oldest first in a list. */
export interface ReflogEntry {
  /** Null: the branch was not there. */
  readonly before: Oid | null;
  readonly after: Oid | null;
  /** Seconds since 1970. */
  readonly time: number;
  /** The reason that git wrote, as a byte string. */
  readonly message: string;
}

export interface ReflogStory {
  /** The place on the line of the oldest commit that was made on this branch and is on the base; null when none is. */
  readonly ownOnLine: number | null;
  /** True when a commit that was made on this branch is on the base, on the line or not. */
  readonly ownOnBase: boolean;
  /** Commits that a reset or a checkout left behind: on neither the branch nor the base. */
  readonly dropped: readonly Oid[];
  /** Commits that an amend or a rebase replaced. */
  readonly replaced: readonly Oid[];
}

const OWN = /^(?:commit|cherry-pick|revert|am)\b|^(?:merge|pull)\b.*: Merge made by/;
const REPLACES = /^commit \(amend\)|^rebase\b|^pull\b.* --rebase|\(finish\): /;
const REBASED = /\(finish\): .* onto ([0-9a-f]{40,64})$/;

/** @returns null when the history needed is not in view. */
export function readStory(graph: Graph, tip: Commit, entries: readonly ReflogEntry[]): ReflogStory | null {
  const tipReach = graph.reach(tip);
  if (tipReach === null) return null;
  const own: Commit[] = [];
  const dropped = new Set<Oid>();
  const replaced = new Set<Oid>();
  let worked = false;
  for (const move of movesTo(tip.oid, entries)) {
    const after = move.after === null ? null : graph.get(move.after);
    const onto = REBASED.exec(move.message)?.[1];
    const made: boolean = OWN.test(move.message) || (worked && onto !== undefined && onto !== move.after);
    worked ||= made;
    if (made && after?.onBase) own.push(after);
    const before = move.before === null ? null : graph.get(move.before);
    if (!before || before.onBase || graph.contains(tipReach, before)) continue;
    if (after) {
      const reach = graph.reach(after);
      if (reach === null) return null;
      if (graph.contains(reach, before)) continue;
    }
    const beforeReach = graph.reach(before);
    if (beforeReach === null) return null;
    // What a soft reset left behind and a new commit took up again is replaced, too. Where it left nothing, as after a
    // commit and its revert, nothing was taken up.
    const isTakenUp =
      after?.tree !== before.tree &&
      [tip, ...tipReach.extra].some((commit) => commit.tree === before.tree && !graph.contains(beforeReach, commit));
    (REPLACES.test(move.message) || isTakenUp ? replaced : dropped).add(before.oid);
  }
  const places = own.filter((commit) => commit.place >= 0).map((commit) => commit.place);
  return {
    ownOnLine: places.length > 0 ? Math.min(...places) : null,
    ownOnBase: own.length > 0,
    dropped: [...dropped],
    replaced: [...replaced].filter((oid) => !dropped.has(oid)),
  };
}

/** The entries, and between them the moves that nobody wrote down: where one does not begin as the one before it ended. */
function movesTo(tip: Oid, entries: readonly ReflogEntry[]): readonly ReflogEntry[] {
  const moves: ReflogEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    moves.push(entry);
    const next = entries[index + 1];
    const then = next ? next.before : tip;
    if (entry.after !== null && entry.after !== then)
      moves.push({ before: entry.after, after: then, time: entry.time, message: '' });
  }
  return moves;
}
