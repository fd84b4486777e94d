/** Deletes branches that are put aside: anchors and deletions in one transaction, all or none of it. */
import { readTips, tipOf, type Tips, usedBranches } from '../../git/read/named.ts';
import { readReflogBytes } from '../../git/read/reflogs.ts';
import { create, remove, type Transaction, transact } from '../../git/write.ts';
import type { Fact } from '../../judge/facts/fact.ts';
import type { AbsPath, RefName } from '../../judge/facts/names.ts';
import type { BranchPermit } from '../../judge/permit.ts';
import { anchorName, type SavedBranch } from '../../state/trash/record.ts';
import type { Acting } from '../acting.ts';

/** A branch that is put aside, with leave to delete it. */
export interface Doomed {
  readonly permit: BranchPermit;
  readonly saved: SavedBranch;
  /** As it was put aside; null: there was none. */
  readonly reflog: Buffer | null;
}

/**
 * What became of it. `again`: git deleted it, or began to, and one of that name is there at the same commit. `taken`: it
 * is gone, and one of that name is there at another commit. `unclear`: it could not be read; who acts next looks again.
 */
export interface Fate {
  readonly kind: 'gone' | 'again' | 'taken' | 'kept' | 'failed' | 'unclear';
  readonly text: string;
}

interface Aside {
  readonly run: string;
  readonly isAnchored: boolean;
}

/** By ref. Those of which a worktree takes hold while they go are gone here, and to be put back by who asks. */
export async function deleteBranches(
  acting: Acting,
  doomed: readonly Doomed[],
  aside: Aside,
): Promise<ReadonlyMap<RefName, Fate>> {
  const fates = new Map<RefName, Fate>();
  await deleteTogether(acting, doomed, aside, fates);
  const tips = await readTips(acting.git, 'refs/heads', `refs/coppice/trash/${aside.run}`);
  for (const one of doomed) fates.set(one.saved.ref, seen(one, tips, fates.get(one.saved.ref), aside));
  return fates;
}

async function deleteTogether(
  acting: Acting,
  doomed: readonly Doomed[],
  aside: Aside,
  fates: Map<RefName, Fate>,
): Promise<void> {
  let wanted = doomed;
  while (wanted.length > 0) {
    let used: readonly Doomed[] = [];
    const decide = () => {
      const uses = usedBranches(acting.commonDir);
      used = wanted.filter(({ saved, reflog }) => {
        // While git holds the ref's lock nobody writes to its reflog, and a branch can be moved and moved back.
        const why = whyUsed(uses, saved.ref) ?? whyWritten(acting.commonDir, saved.ref, reflog);
        if (why !== null) fates.set(saved.ref, { kind: 'kept', text: why });
        return why !== null;
      });
      return used.length > 0 ? 'abort' : 'commit';
    };
    const commands = wanted.flatMap((one) => commandsOf(one, aside));
    const ended = await transact(
      wanted.map(({ permit }) => permit),
      acting.git,
      commands,
      decide,
    );
    if (ended.kind === 'aborted') {
      wanted = wanted.filter((one) => !used.includes(one));
      continue;
    }
    if (ended.kind === 'refused' && !ended.isLate && wanted.length > 1) {
      // One of them was in the way: each for itself, so that the others are not kept by it.
      for (const one of wanted) await deleteTogether(acting, [one], aside, fates);
      return;
    }
    const fate = fateOf(ended);
    for (const { saved } of wanted) fates.set(saved.ref, fate);
    return;
  }
}

function fateOf(ended: Transaction): Fate {
  if (ended.kind === 'refused') return { kind: 'failed', text: `git did not delete it: ${ended.why}` };
  return { kind: 'gone', text: ended.kind === 'unclear' ? `git ended before it said so: ${ended.why}` : '' };
}

function commandsOf({ saved }: Doomed, { run, isAnchored }: Aside): string[] {
  const { first, ids } = saved.anchors;
  const anchors = isAnchored ? ids.map((oid, index) => create(anchorName(run, first + index), oid)) : [];
  return [...anchors, remove(saved.ref, saved.tip)];
}

/** Why it must not go now; null: no worktree names it. */
export function whyUsed(used: Fact<ReadonlySet<RefName>>, ref: RefName): string | null {
  if (used.kind === 'known') return used.value.has(ref) ? 'a worktree has just begun to use it' : null;
  return `whether a worktree uses it cannot be told: ${used.kind === 'unknown' ? used.reason : 'nothing is there'}`;
}

/** Why its reflog is not the one that was put aside; null: it is. */
function whyWritten(commonDir: AbsPath, ref: RefName, reflog: Buffer | null): string | null {
  const now = readReflogBytes(commonDir, ref);
  if (now.kind === 'unknown') return `its reflog cannot be read any more: ${now.reason}`;
  const isSame = now.kind === 'absent' ? reflog === null : reflog?.equals(now.value) === true;
  return isSame ? null : 'it was moved, and back, since it was put aside';
}

const TAKEN = 'somebody made another one of that name at once, which stays, with the settings';

/** What a look tells is what counts, whatever git said. */
function seen({ saved }: Doomed, tips: Fact<Tips>, fate: Fate | undefined, aside: Aside): Fate {
  const there = tipOf(tips, saved.ref);
  if (there.kind === 'unknown') return { kind: 'unclear', text: `whether it is gone cannot be told: ${there.reason}` };
  if (fate?.kind === 'kept') return fate;
  if (there.kind === 'known' && there.value !== saved.tip) {
    if (fate?.kind !== 'gone') return { kind: 'kept', text: 'it has just been moved' };
    // Where git did not say that it was deleted, it may have been moved.
    return fate.text === '' ? { kind: 'taken', text: TAKEN } : { kind: 'unclear', text: fate.text };
  }
  if (there.kind === 'known') {
    if (fate?.kind === 'failed') return fate;
    return { kind: 'again', text: `it is still there, or there again${fate?.text ? `: ${fate.text}` : ''}` };
  }
  if (fate?.kind === 'failed') return { kind: 'kept', text: 'somebody else has just deleted it' };
  return { kind: 'gone', text: hasAnchors(saved, tips, aside) ? '' : 'its anchors are gone: the pack alone holds it' };
}

function hasAnchors({ anchors }: SavedBranch, tips: Fact<Tips>, { run, isAnchored }: Aside): boolean {
  if (!isAnchored || tips.kind !== 'known') return true;
  return anchors.ids.every((oid, index) => tips.value.get(anchorName(run, anchors.first + index)) === oid);
}
