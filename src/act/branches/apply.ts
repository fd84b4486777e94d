/** Deletes branches, all of it on record: intent, what is put aside, the change, a look, the end. */
import { readTips, tipOf, usedBranches } from '../../git/read/named.ts';
import { branchName, type RefName } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import type { Outcome } from '../../judge/outcome.ts';
import { type BranchPermit, permitPurge } from '../../judge/permit.ts';
import { appendSteps, beginAct, type Recording } from '../../state/journal.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { listTrash, type TrashEntry } from '../../state/trash/store.ts';
import type { Acting } from '../acting.ts';
import { deleteEntry } from '../purging.ts';
import { deleteBranches, type Doomed, type Fate, whyUsed } from './delete.ts';
import { restoreBranches } from './restore.ts';
import { type Saved, saveBranches, type SaveRequest } from './save.ts';
import { removeSections } from './sections.ts';

/** Outcomes by the ids of rows. @throws UserError `journal-failed`: then nothing was changed */
export async function applyBranches(
  acting: Acting,
  permits: readonly BranchPermit[],
  request: SaveRequest,
): Promise<ReadonlyMap<string, Outcome>> {
  if (permits.length === 0) return new Map();
  const { commonDir, folder, world } = acting;
  const records = new Map<RefName, Recording>(
    permits.map(({ evidence, ref, row, tip, why }) => [
      ref,
      beginAct(folder, commonDir, world, branchName(ref), {
        verb: request.verb,
        subject: branchName(ref),
        why,
        detail: { run: request.run, row, ref, tip, evidence },
      }),
    ]),
  );
  appendSteps(
    folder,
    steps(records, () => ['intent']),
  );
  const fates = await fatesOf(acting, permits, records, request);
  // What could not be told is not ended: who acts next looks again.
  const told = new Map([...records].filter(([ref]) => fates.get(ref)?.kind !== 'unclear'));
  const unrecorded = attempt(() => {
    appendSteps(
      folder,
      steps(told, (ref) => [STEPS[fates.get(ref)?.kind ?? 'failed'], fates.get(ref)?.text ?? '']),
    );
  });
  return new Map(
    permits.map(({ ref, row, why }) => {
      const fate = fates.get(ref) ?? { kind: 'failed', text: '' };
      const status = STATUSES[fate.kind];
      const text = [status === 'done' ? why : '', fate.text, unrecorded ?? ''].filter((part) => part !== '').join('; ');
      const undo = STEPS[fate.kind] === 'done' ? `coppice undo ${records.get(ref)?.id}` : null;
      return [row, { status, text, undo }];
    }),
  );
}

/** On record as done is what can be undone. */
const STEPS = {
  gone: 'done',
  taken: 'done',
  again: 'done',
  kept: 'kept',
  failed: 'failed',
  unclear: 'failed',
} as const;
const STATUSES = { ...STEPS, again: 'failed' } as const;

function steps(
  records: ReadonlyMap<RefName, Recording>,
  stepOf: (ref: RefName) => readonly [step: string, why?: string],
) {
  return [...records].map(([ref, record]) => {
    const [step, why] = stepOf(ref);
    return why === undefined || why === '' ? record.entry(step) : record.entry(step, why);
  });
}

async function fatesOf(
  acting: Acting,
  permits: readonly BranchPermit[],
  records: ReadonlyMap<RefName, Recording>,
  request: SaveRequest,
): Promise<ReadonlyMap<RefName, Fate>> {
  const going = permits.map((permit) => ({ permit, id: records.get(permit.ref)?.id ?? '' }));
  const fates = new Map<RefName, Fate>();
  let saved: Saved;
  try {
    saved = await saveBranches(acting, going, request);
  } catch (fault) {
    if (!(fault instanceof UserError)) throw fault;
    for (const { ref } of permits) fates.set(ref, { kind: 'failed', text: fault.message });
    return fates;
  }
  for (const [ref, text] of saved.refused) fates.set(ref, { kind: 'kept', text });
  const entry = entryOf(acting, request.run);
  const doomed = saved.branches.flatMap((one): Doomed[] => {
    const permit = permits.find(({ ref }) => ref === one.ref);
    return permit === undefined ? [] : [{ permit, saved: one, reflog: saved.reflogs.get(one.ref) ?? null }];
  });
  if (entry !== null && entry.head.kind === 'known') {
    for (const [ref, fate] of await deleteBranches(acting, doomed, request)) fates.set(ref, fate);
    await putBack(acting, entry, doomed, fates);
    await removeSettings(acting, entry, gone(saved.branches, fates), fates);
  }
  // Nothing waits in an entry of which nothing is needed.
  if (entry !== null && [...fates.values()].every(({ kind }) => kind === 'kept' || kind === 'failed')) {
    const permit = permitPurge(request.run, 0, 0, acting.world.now());
    if (permit !== null) deleteEntry(permit, acting, entry);
  }
  return fates;
}

function entryOf({ commonDir, folder }: Acting, run: string): TrashEntry | null {
  const trash = listTrash({ commonDir, account: folder.account });
  return (trash.kind === 'known' ? trash.value.find((one) => one.run === run) : undefined) ?? null;
}

function gone(branches: readonly SavedBranch[], fates: ReadonlyMap<RefName, Fate>): readonly SavedBranch[] {
  return branches.filter(({ ref }) => fates.get(ref)?.kind === 'gone');
}

/**
 * Whoever began to use a branch in the moment in which it went has it back, and one that is there again has all that it
 * had. What does not come back whole stays on record, and in the trash.
 */
async function putBack(
  acting: Acting,
  entry: TrashEntry,
  doomed: readonly Doomed[],
  fates: Map<RefName, Fate>,
): Promise<void> {
  const used = usedBranches(acting.commonDir);
  const whys = new Map<RefName, string>();
  for (const { saved } of doomed) {
    const { kind, text } = fates.get(saved.ref) ?? { kind: 'failed', text: '' };
    const why = kind === 'again' ? text : kind === 'gone' ? whyUsed(used, saved.ref) : null;
    if (why !== null) whys.set(saved.ref, why);
  }
  if (whys.size === 0) return;
  const returns = doomed.filter(({ saved }) => whys.has(saved.ref)).map((one) => ({ ...one, ref: one.saved.ref }));
  const backs = await restoreBranches(acting, entry, returns);
  const tips = await readTips(acting.git, 'refs/heads');
  for (const [ref, why] of whys) {
    const back = backs.get(ref) ?? { kind: 'failed', text: '', isOpen: false };
    const wasThere = fates.get(ref)?.kind === 'again';
    if (back.isOpen) {
      // Not ended: who acts next goes on with it.
      const how = back.kind === 'unclear' ? back.text : `it is back, but ${back.text}`;
      fates.set(ref, { kind: 'unclear', text: `${why}: ${how}` });
    } else if (back.kind === 'whole') {
      const kind = wasThere ? 'failed' : 'kept';
      fates.set(ref, { kind, text: wasThere ? `${why}; it has all that it had` : `${why}: it is back as it was` });
    } else if (back.kind === 'partly') {
      fates.set(ref, { kind: 'kept', text: `${why}: it is back, and ${back.text}` });
    } else if (tipOf(tips, ref).kind === 'known') {
      // Whoever uses it may have made it again.
      fates.set(ref, { kind: 'again', text: `${why}, and made it again: what it had is not back: ${back.text}` });
    } else fates.set(ref, { kind: 'gone', text: `${why}, and it could not be made again: ${back.text}` });
  }
}

async function removeSettings(
  acting: Acting,
  entry: TrashEntry,
  branches: readonly SavedBranch[],
  fates: Map<RefName, Fate>,
): Promise<void> {
  for (const [ref, why] of await removeSections(
    acting,
    entry,
    branches.map((saved) => ({ saved, ref: saved.ref })),
  )) {
    const fate = fates.get(ref);
    const text = [fate?.text ?? '', `its settings stay: ${why}`].filter((part) => part !== '').join('; ');
    fates.set(ref, { kind: 'gone', text });
  }
}

function attempt(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (fault) {
    if (!(fault instanceof UserError)) throw fault;
    return 'its end is not on record, which who acts next makes good';
  }
}
