/** Puts aside what a worktree's git directory names, so that all of it outlives the directory: a pack, and anchors. */
import { readFileSync } from 'node:fs';
import { create, transact } from '../../git/write.ts';
import { presentObjects, reachedObjects } from '../../git/read/objects.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Oid } from '../../judge/facts/names.ts';
import type { WorktreePermit } from '../../judge/permit.ts';
import { anchorName } from '../../state/trash/record.ts';
import { finishTrash, type TrashDraft } from '../../state/trash/store.ts';
import { type KeptWorktree, writeKeptWorktree } from '../../state/trash/worktree-record.ts';
import { nativePath } from '../../system/bytes.ts';
import { timesOf } from '../../system/times.ts';
import { fileId } from '../../system/file-id.ts';
import { writeAtomic } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import type { Archived } from '../notes/archive.ts';
import { packObjects } from '../branches/pack.ts';
import { readConfigBytes, readReflog, savedBranch } from '../branches/save.ts';
import { entriesIn, readNamedObjects, stateOf } from './git-directory.ts';
import { Stop } from './stop.ts';

export interface SaveRequest {
  readonly permit: WorktreePermit;
  readonly draft: TrashDraft;
  /** The name of the entry. */
  readonly entry: string;
  /** Of the act in the journal. */
  readonly id: string;
  readonly run: string;
  /** What stays anyway. */
  readonly base: Oid | null;
  /** False: no anchors, and the pack holds all that is reached. */
  readonly isAnchored: boolean;
  /** The copies of ignored files that nothing makes again; null: there are no such files. */
  readonly archived: Archived | null;
  readonly bytes: number;
}

/** Known: it is whole in the trash but for the tree. Unknown: why it is not, and nothing was changed but in the trash. @throws Stop */
export async function saveWorktree(acting: Acting, request: SaveRequest): Promise<Fact<KeptWorktree>> {
  const { commonDir, git, world } = acting;
  const { permit, draft, entry, base, isAnchored } = request;
  const { gitDir, head, branch } = permit;
  const state = stateOf(entriesIn(gitDir));
  // All that comes back rests on what was judged; what changes from here on differs from `state`.
  const checkedOut = readFileSync(nativePath(`${gitDir}/HEAD`), 'latin1').trimEnd();
  if (checkedOut !== (branch === null ? head : `ref: ${branch}`))
    throw new Stop('kept', 'something else has just been checked out in it');
  const named = await readNamedObjects(git, gitDir, head, world.platform);
  if (named.kind !== 'known') return named;
  const reflog = branch === null ? known({ reflog: null, ids: [] }) : readReflog(acting, branch);
  if (reflog.kind !== 'known') return reflog;
  const { refs, others } = named.value;
  const wanted = [...new Set([head, ...refs, ...reflog.value.ids, ...others])];
  const here = await presentObjects(git, wanted);
  if (here.kind !== 'known') return here;
  if (!here.value.has(head)) return unknown('its commit is not here');
  const not = isAnchored && base !== null ? [base] : [];
  const ids = await wholeOf(
    acting,
    wanted.filter((oid) => here.value.has(oid)),
    not,
  );
  if (!ids.includes(head)) return unknown('not all that its commit reaches is here');
  const leave = [permit];
  const pack = await packObjects(acting, draft, { leave, from: ids, not });
  if (pack.kind !== 'known') return pack;

  const kept: KeptWorktree = {
    id: request.id,
    run: request.run,
    row: permit.row,
    admin: permit.admin,
    path: permit.path,
    elsewhere: isBeside(acting, permit) ? null : (`${permit.trash.folder}/${entry}` as KeptWorktree['elsewhere']),
    ids: permit.ids,
    branch,
    head,
    anchors: isAnchored ? ids.length : 0,
    state,
    times: timesOf(permit.path),
    isMarked: permit.mark !== null,
    precious: request.archived?.files.length ?? 0,
    notes: request.archived?.folder ?? null,
    bytes: request.bytes,
  };
  writeKeptWorktree(draft.path, kept);
  writeAtomic(`${draft.path}/ids`, lines(ids), 0o600);
  writeAtomic(`${draft.path}/lost`, lines([...refs, ...reflog.value.ids].filter((oid) => !ids.includes(oid))), 0o600);
  const config = readConfigBytes(acting);
  const saved =
    branch === null ? [] : [savedBranch({ ...permit, ...reflog.value, ref: branch, id: request.id, ids, config })];
  finishTrash(
    draft,
    { run: entry, time: world.now(), commonDir: fileId(commonDir), pack: pack.value, isAnchored },
    { branches: saved, reflogs: reflog.value.reflog ?? Buffer.alloc(0), config },
  );
  if (!isAnchored) return known(kept);
  const anchored = await transact(
    leave,
    git,
    ids.map((oid, at) => create(anchorName(entry, at), oid)),
    () => 'commit',
  );
  return anchored.kind === 'committed'
    ? known(kept)
    : unknown(`it cannot be anchored: ${'why' in anchored ? anchored.why : ''}`);
}

/** Its tree goes beside these files. */
function isBeside({ commonDir }: Acting, { trash }: WorktreePermit): boolean {
  return trash.folder === `${commonDir}/coppice/trash`;
}

/** Those from which everything that they reach is here: what is damaged or was collected cannot be kept, nor is it lost now. */
async function wholeOf({ git }: Acting, ids: readonly Oid[], not: readonly Oid[]): Promise<readonly Oid[]> {
  const isWhole = async (some: readonly Oid[]) => (await reachedObjects(git, some, not)).kind === 'known';
  if (await isWhole(ids)) return ids;
  const whole: Oid[] = [];
  for (const oid of ids) if (await isWhole([oid])) whole.push(oid);
  return whole;
}

function lines(ids: readonly Oid[]): Buffer {
  return Buffer.from(ids.map((oid) => `${oid}\n`).join(''));
}
