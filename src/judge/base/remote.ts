/** Remotes as the settings name them, and what their refspecs mean. */
import { parseRefName, type RefName } from '../facts/names.ts';

/** A configured remote. */
export interface Remote {
  /** As a byte string. */
  readonly name: string;
  readonly fetch: readonly string[];
}

/**
 * Where a remote's branch is kept here: the destination of the refspec that brings it, if that lies below
 * `refs/remotes/`; else coppice's own copy. Refspecs that would write anywhere else are not followed.
 */
export function trackingRef(remote: Remote, branch: RefName): RefName {
  for (const refspec of remote.fetch) {
    const mapped = mapRefspec(refspec, branch);
    if (mapped?.startsWith('refs/remotes/')) return mapped;
  }
  return `refs/coppice/remotes/${remote.name}/${branch.slice('refs/heads/'.length)}` as RefName;
}

/** The refspecs that bring `branches` to where `trackingRef` says, and nothing anywhere else. */
export function safeRefspecs(remote: Remote, branches: Iterable<RefName>): string[] {
  const kept = remote.fetch.filter(
    (refspec) => refspec.startsWith('^') || destination(refspec).startsWith('refs/remotes/'),
  );
  const extra: string[] = [];
  for (const branch of branches) {
    const ref = trackingRef(remote, branch);
    if (ref.startsWith('refs/coppice/')) extra.push(`+${branch}:${ref}`);
  }
  return [...kept, ...extra];
}

function destination(refspec: string): string {
  const at = refspec.indexOf(':');
  return at < 0 ? '' : refspec.slice(at + 1);
}

function mapRefspec(refspec: string, branch: RefName): RefName | null {
  // One that begins with ^ brings nothing, and no branch begins so.
  const [from = ''] = refspec.replace(/^\+/, '').split(':');
  const to = destination(refspec);
  const star = from.indexOf('*');
  if (star < 0) return from === branch ? parseRefName(to) : null;
  const [head, tail] = [from.slice(0, star), from.slice(star + 1)];
  if (!branch.startsWith(head) || !branch.endsWith(tail) || branch.length < head.length + tail.length) return null;
  return parseRefName(to.replace('*', () => branch.slice(head.length, branch.length - tail.length)));
}

/**
 * The remote that counts: the one asked for, the configured one, `origin`, or the only one.
 * Null when there is none, or several and none of these.
 */
export function chooseRemote(
  remotes: readonly Remote[],
  asked: string | null,
  configured: string | null,
): Remote | null {
  const named = asked ?? configured;
  if (named !== null) return remotes.find((remote) => remote.name === named) ?? null;
  const origin = remotes.find((remote) => remote.name === 'origin');
  if (origin) return origin;
  return remotes.length === 1 ? (remotes[0] ?? null) : null;
}
