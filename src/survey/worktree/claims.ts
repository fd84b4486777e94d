/** Who says that they use a worktree: its lease. */
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { LeaseRecord, Leases as NamedLeases } from '../../judge/facts/claims.ts';
import { readKey } from '../../state/key.ts';
import { type Leases, readLeases } from '../../state/leases/read.ts';
import type { StatePlace } from '../../state/place.ts';

/** The key of a working copy, and its lease. */
export interface Claim {
  readonly key: string | null;
  readonly lease: Fact<LeaseRecord>;
}

/** The claims on a repository's worktrees, read once. */
export class Claims {
  private readonly account: number | null;
  private readonly leases: Fact<Leases>;

  constructor(place: StatePlace) {
    this.account = place.account;
    this.leases = readLeases(place);
  }

  /** @param gitDir the worktree's own, a byte string. */
  of(gitDir: string): Claim {
    const key = readKey(gitDir, this.account);
    const name = key.kind === 'known' ? key.value : null;
    if (this.leases.kind !== 'known') return { key: name, lease: this.leases };
    const [stray] = this.leases.value.strays;
    // It may be the lease of any worktree.
    if (stray !== undefined)
      return { key: name, lease: unknown(`${stray} among the leases is none that is understood`) };
    if (key.kind !== 'known') return { key: null, lease: key };
    return { key: name, lease: this.leases.value.byKey.get(key.value) ?? absent };
  }
}

/** Every lease that may name a branch. @param keys of the worktrees that there are: theirs hold by themselves. */
export function readBranchLeases(place: StatePlace, keys: ReadonlySet<string>): Fact<NamedLeases> {
  const leases = readLeases(place);
  if (leases.kind !== 'known') return leases;
  const all = [...leases.value.byKey];
  const [stray] = leases.value.strays;
  const unread = all.find(([key, lease]) => lease.kind === 'unknown' && !keys.has(key))?.[1];
  return known({
    leases: all.flatMap(([, lease]) => (lease.kind === 'known' ? [lease.value] : [])),
    unreadable: unread?.kind === 'unknown' ? unread.reason : stray === undefined ? null : `${stray} among the leases`,
  });
}

/** The keys of the worktrees that there are. */
export function keysOf(worktrees: Fact<readonly { readonly key: string | null }[]>): ReadonlySet<string> {
  const keys = worktrees.kind === 'known' ? worktrees.value.map(({ key }) => key) : [];
  return new Set(keys.filter((key) => key !== null));
}
