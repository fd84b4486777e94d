/** Who says that they use a worktree: its lease. */
import { absent, type Fact, unknown } from '../../judge/facts/fact.ts';
import type { LeaseRecord } from '../../judge/facts/claims.ts';
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
