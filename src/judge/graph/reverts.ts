/**
 * What base commits say of one another: "This reverts commit …", as git writes it, and `Revert "…"` around the subject
 * of the other, as forges do. Words are no proof, but a hint is enough to keep a branch.
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

/**
 * The commits that others say they reverted, and by which last. That the revert was reverted in turn is not believed on
 * its word: words may keep a branch, only contents may let it go.
 */
export function revertedBy(sayings: readonly Saying[]): ReadonlyMap<Oid, Oid> {
  const lastWith = new Map<string, Oid>();
  const reverted = new Map<Oid, Oid>();
  for (const { commit, subject, reverts } of sayings) {
    const title = targetSubject(subject);
    const named = title === null ? undefined : lastWith.get(title);
    for (const target of reverts) reverted.set(target, commit);
    if (reverts.length === 0 && named !== undefined) reverted.set(named, commit);
    lastWith.set(subject, commit);
    lastWith.set(withoutNumber(subject), commit);
  }
  return reverted;
}

/** The subject of the commit that this subject says it reverts. */
function targetSubject(subject: string): string | null {
  return /^Revert "(.*)"(?: \(#\d+\))?$/s.exec(subject)?.[1] ?? null;
}

/** A forge adds the pull request's number to the subject of what it merges. */
function withoutNumber(subject: string): string {
  return subject.replace(/ \(#\d+\)$/, '');
}
