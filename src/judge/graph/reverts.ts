/**
 * What base commits say of one another: "This reverts commit …", as git writes it, and `Revert "…"` or `Reapply "…"`
 * before the subject of the other, as forges do. Words are no proof, but a hint is enough to keep a branch.
 */
import type { Oid } from '../facts/names.ts';

/** What a commit says, oldest first in a list. */
export interface Saying {
  readonly commit: Oid;
  readonly subject: string;
  /** Full ids that its message says it reverts. */
  readonly reverts: readonly Oid[];
}

const REVERTS = /This reverts commit ([0-9a-f]{40,64})/g;

/** Keeps what commits say, as they come, newest first: of all messages only those that matter. */
export class Sayings {
  /** Newest first. */
  readonly all: Saying[] = [];
  private readonly titles = new Set<string>();

  hear(commit: Oid, subject: string, body: string): void {
    const title = targetSubject(subject);
    const reverts = body.includes('This reverts commit ')
      ? [...body.matchAll(REVERTS)].map((match) => match[1] as Oid)
      : [];
    if (title !== null) this.titles.add(title);
    if (title === null && reverts.length === 0 && !this.titles.has(subject) && !this.titles.has(withoutNumber(subject)))
      return;
    this.all.push({ commit, subject, reverts });
  }
}

/** For each commit that was reverted, and whose revert was not reverted in turn: the commit that did it last. */
export function revertedBy(sayings: readonly Saying[]): ReadonlyMap<Oid, Oid> {
  const lastWith = new Map<string, Oid>();
  const undoing = new Map<Oid, Oid[]>();
  for (const { commit, subject, reverts } of sayings) {
    const targets = new Set<Oid>(reverts);
    const title = targetSubject(subject);
    const named = title === null ? undefined : lastWith.get(title);
    if (targets.size === 0 && named !== undefined) targets.add(named);
    for (const target of targets) undoing.set(target, [...(undoing.get(target) ?? []), commit]);
    lastWith.set(subject, commit);
    lastWith.set(withoutNumber(subject), commit);
  }
  const result = new Map<Oid, Oid>();
  const settled = new Map<Oid, Oid | null>();
  for (const target of undoing.keys()) {
    const by = standingRevert(target, undoing, settled);
    if (by !== null) result.set(target, by);
  }
  return result;
}

/** The newest revert of `target` that still stands. A revert is always younger, so this ends. */
function standingRevert(
  target: Oid,
  undoing: ReadonlyMap<Oid, readonly Oid[]>,
  settled: Map<Oid, Oid | null>,
): Oid | null {
  const known = settled.get(target);
  if (known !== undefined) return known;
  settled.set(target, null);
  const by =
    (undoing.get(target) ?? []).findLast((commit) => standingRevert(commit, undoing, settled) === null) ?? null;
  settled.set(target, by);
  return by;
}

/** The subject of the commit that this subject says it undoes. */
function targetSubject(subject: string): string | null {
  const match = /^(Revert|Reapply) "(.*)"(?: \(#\d+\))?$/s.exec(subject);
  if (!match) return null;
  return match[1] === 'Revert' ? (match[2] ?? null) : `Revert "${match[2]}"`;
}

/** A forge adds the pull request's number to the subject of what it merges. */
function withoutNumber(subject: string): string {
  return subject.replace(/ \(#\d+\)$/, '');
}
