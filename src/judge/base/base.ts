/** Which branch is the base? The first answer of a fixed list, and never an arbitrary branch. */
import { type Fact, known, unknown } from '../facts/fact.ts';
import { branchName, type Oid, parseRefName, type RefName } from '../facts/names.ts';
import type { Base, BaseHow } from '../facts/repository.ts';
import { type Remote, trackingRef } from './remote.ts';

/** Names that a default branch usually bears, in the order in which they are looked for. */
const CONVENTIONAL = ['main', 'master', 'trunk'];

/** What the question is answered from. */
export interface BaseFacts {
  /** `--base`. */
  readonly asked: string | null;
  /** The setting. */
  readonly configured: string | null;
  readonly remote: Remote | null;
  /** True when the repository has any remote, chosen or not. */
  readonly hasRemotes: boolean;
  /** The default branch that the remote named in this run; null when it was not asked or names none. */
  readonly remoteDefault: RefName | null;
  /** Ids of local branches, remote-tracking refs and coppice's copies. */
  readonly refs: ReadonlyMap<RefName, Oid>;
  /** Targets of symbolic refs. */
  readonly symbolic: ReadonlyMap<RefName, RefName>;
  /** The branch checked out in the main worktree. */
  readonly mainBranch: RefName | null;
}

export function resolveBase(facts: BaseFacts): Fact<Base> {
  if (facts.asked !== null) return named(facts, facts.asked, 'option');
  if (facts.configured !== null) return named(facts, facts.configured, 'config');
  if (facts.remote !== null) return fromRemote(facts, facts.remote);
  if (facts.hasRemotes) return unknown('there are several remotes and none is called origin: name one with --remote');
  return fromLocal(facts);
}

function fromRemote(facts: BaseFacts, remote: Remote): Fact<Base> {
  if (facts.remoteDefault !== null) {
    const ref = trackingRef(remote, facts.remoteDefault);
    return (
      found(facts, ref, 'remote-head') ??
      unknown(`the remote's default branch ${branchName(facts.remoteDefault)} is not here`)
    );
  }
  const head = facts.symbolic.get(`refs/remotes/${remote.name}/HEAD` as RefName);
  const tracked = head === undefined ? null : found(facts, head, 'tracking-head');
  if (tracked !== null) return tracked;
  const usual = CONVENTIONAL.map((name) =>
    found(facts, trackingRef(remote, `refs/heads/${name}` as RefName), 'conventional-name'),
  );
  const there = usual.filter((base) => base !== null);
  if (there.length === 1 && there[0]) return there[0];
  const which = there.length === 0 ? 'none' : 'more than one';
  return unknown(
    `it is not known which branch of ${remote.name} is its default, and ${which} is called ${CONVENTIONAL.join(', ')}`,
  );
}

function fromLocal(facts: BaseFacts): Fact<Base> {
  const main = facts.mainBranch;
  if (main !== null && CONVENTIONAL.includes(branchName(main))) {
    const base = found(facts, main, 'local-branch');
    if (base !== null) return base;
  }
  const there = CONVENTIONAL.map((name) => found(facts, `refs/heads/${name}` as RefName, 'local-branch')).filter(
    (base) => base !== null,
  );
  if (there.length === 1 && there[0]) return there[0];
  return unknown(
    `there is no remote, and ${there.length === 0 ? 'no' : 'more than one'} branch is called ${CONVENTIONAL.join(', ')}`,
  );
}

/** A ref that a person named: in full, or as a branch of the remote, or as a local branch. */
function named(facts: BaseFacts, name: string, how: BaseHow): Fact<Base> {
  const places = [name, `refs/remotes/${name}`, `refs/heads/${name}`];
  if (facts.remote !== null) places.splice(1, 0, trackingRef(facts.remote, `refs/heads/${name}` as RefName));
  for (const place of places) {
    const ref = parseRefName(place);
    const base = ref === null ? null : found(facts, ref, how);
    if (base !== null) return base;
  }
  return unknown(`no branch ${name} is known here, local or remote`);
}

function found(facts: BaseFacts, ref: RefName, how: BaseHow): Fact<Base> | null {
  const target = facts.symbolic.get(ref) ?? ref;
  const oid = facts.refs.get(target);
  return oid === undefined ? null : known({ ref: target, oid, how });
}
