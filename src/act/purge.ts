/** Deletes for good what waited in the trash for its time, and the anchors that waited for theirs. */
import type { Settings } from '../config/table.ts';
import { readTips } from '../git/read/named.ts';
import { reflogKeep } from '../git/read/expiry.ts';
import { readPlace } from '../git/read/repository.ts';
import { gitFor } from '../git/run.ts';
import { remove, transact } from '../git/write.ts';
import type { AbsPath, Oid, RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import type { Outcome } from '../judge/outcome.ts';
import { permitDue, permitPurge, type PurgePermit } from '../judge/permit.ts';
import type { Due } from '../judge/purge.ts';
import { actsOf, detailOf, matterOf, unfinishedIn } from '../state/acts.ts';
import { entryOf, RUN_ID, timeOfRun } from '../state/ids.ts';
import { beginAct } from '../state/journal.ts';
import { withLifecycleLock } from '../state/lifecycle-lock.ts';
import { findState } from '../state/place.ts';
import { readJournal } from '../state/read-journal.ts';
import { readSeenDue, writeSeenDue } from '../state/trash/due.ts';
import { listTrash, type TrashEntry } from '../state/trash/store.ts';
import { settingsFor } from '../survey/survey.ts';
import type { Acting, ActWorld } from './acting.ts';
import { heldIn, type Purged, purgeHeld } from './purge-held.ts';
import { deleteEntry } from './purging.ts';
import { recover } from './recover.ts';

export interface PurgeRequest {
  readonly directory: string;
  readonly apply: boolean;
  /** Milliseconds instead of `trash.keep`; null: as set. */
  readonly olderThan: number | null;
  /** A run, or something that it did; null: all that are due. */
  readonly id: string | null;
}

/** One run's things in the trash, what tools make again, or its anchors. */
export interface PurgeItem {
  readonly kind: 'trash' | 'cache' | 'anchors';
  readonly run: string;
  /** Where the worktree was or, of what tools make again in it, is; as a byte string. Null: it is neither. */
  readonly path: AbsPath | null;
  /** Milliseconds since 1970. */
  readonly put: number;
  /** On the disk; of anchors their number stands in `count` alone. */
  readonly bytes: number;
  /** Anchors. */
  readonly count: number;
  readonly isDue: boolean;
  /** Null: it was only shown. */
  readonly outcome: Outcome | null;
}

/** @throws UserError `no-such-id`, `trash-unreadable`, and those of the lock and the journal */
export async function purge(world: ActWorld, request: PurgeRequest): Promise<readonly PurgeItem[]> {
  const git = gitFor(request.directory, world.env);
  const place = await readPlace(git);
  const { commonDir } = place;
  const question = { ...request, settings: settingsFor(world, place).settings };
  // Where there is no state yet, none is made.
  const isEmpty = findState({ commonDir, account: world.account }).kind === 'absent';
  if (!request.apply || isEmpty) return (await findItems({ world, commonDir, git }, question)).map(({ item }) => item);
  return withLifecycleLock({ commonDir, account: world.account }, world, async (folder) => {
    const acting: Acting = { world, folder, commonDir, git };
    await recover(acting);
    return purgeItems(acting, await findItems(acting, question), question);
  });
}

/** What a sweep deletes besides: what is due, and was a day ago. */
export async function purgeDue(acting: Acting, settings: Settings): Promise<Due> {
  const question = { settings, olderThan: null, id: null };
  const found = await findItems(acting, question);
  const seen = readSeenDue({ commonDir: acting.commonDir, account: acting.folder.account });
  const now = acting.world.now();
  const next = new Map<string, number>();
  const agreed = found.map((one): Found => {
    if (one.permit === null) return one;
    const key = `${one.item.kind}:${one.permit.run}`;
    const before = seen.get(key);
    // A time that is yet to come was read from a clock that was wrong.
    const seenDue = before === undefined || before > now ? null : before;
    const permit = permitDue(one.permit.run, { put: one.item.put, keep: 0, seenDue }, now);
    if (permit === null) next.set(key, seenDue ?? now);
    return { ...one, permit };
  });
  if (next.size > 0 || seen.size > 0) writeSeenDue(acting.folder, next);
  const items = await purgeItems(acting, agreed, question);
  const gone = items.filter(({ kind, outcome }) => kind !== 'anchors' && outcome?.status === 'done');
  return { due: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Found {
  readonly item: PurgeItem;
  readonly permit: PurgePermit | null;
  readonly entry: TrashEntry | null;
  readonly anchors: readonly (readonly [RefName, Oid])[];
}

interface Question {
  readonly settings: Settings;
  readonly olderThan: number | null;
  readonly id: string | null;
}

type Place = Pick<Acting, 'world' | 'commonDir' | 'git'>;

async function findItems({ world, commonDir, git }: Place, { settings, olderThan, id }: Question): Promise<Found[]> {
  const now = world.now();
  const wanted = id === null ? null : wantedBy(id, { world, commonDir });
  const trash = listTrash({ commonDir, account: world.account });
  if (trash.kind === 'unknown') throw new UserError('trash-unreadable', trash.reason);
  const keep = wanted === null ? (olderThan ?? settings['trash.keep']) : 0;
  const entries = (trash.kind === 'known' ? trash.value : []).flatMap((entry): Found[] => {
    if (wanted !== null && !wanted(entry)) return [];
    const put = timeOfRun(entry.run);
    const permit = permitPurge(entry.run, put, keep, now);
    const { worktree, cache, run, bytes } = entry;
    const moved = worktree.kind === 'known' ? worktree : cache;
    const own = moved.kind === 'known' ? { run: moved.value.run, path: moved.value.path } : { run, path: null };
    const kind = worktree.kind !== 'known' && cache.kind === 'known' ? ('cache' as const) : ('trash' as const);
    const item = { kind, ...own, put, bytes, count: 0, isDue: permit !== null, outcome: null };
    return [{ item, permit, entry, anchors: [] }];
  });
  if (wanted !== null && entries.length === 0) throw new UserError('no-such-id', `nothing of ${id} is in the trash`);
  return wanted === null ? [...entries, ...(await findAnchors({ world, git }, settings, now))] : entries;
}

/** Anchors stay as long as git would have kept a reflog, at least. */
async function findAnchors({ git }: Pick<Place, 'world' | 'git'>, settings: Settings, now: number): Promise<Found[]> {
  const [tips, reflogs] = await Promise.all([readTips(git, 'refs/coppice/trash'), reflogKeep(git, now)]);
  const runs = new Map<string, [RefName, Oid][]>();
  for (const [ref, oid] of tips.kind === 'known' ? tips.value : []) {
    const run = ref.split('/')[3] ?? '';
    if (!RUN_ID.test(run)) continue;
    const own = runs.get(run) ?? [];
    own.push([ref, oid]);
    runs.set(run, own);
  }
  const keep = reflogs === null ? null : Math.max(settings['trash.keepRefs'], settings['trash.keep'], reflogs);
  return [...runs].map(([run, anchors]) => {
    const put = timeOfRun(run);
    const permit = permitPurge(run, put, keep, now);
    const item = {
      kind: 'anchors',
      run,
      path: null,
      put,
      bytes: 0,
      count: anchors.length,
      isDue: permit !== null,
    } as const;
    return { item: { ...item, outcome: null }, permit, entry: null, anchors };
  });
}

/** Entries that an id means: all of a run, or of something that it did. A run's branches lie in one. */
function wantedBy(
  id: string,
  { world, commonDir }: Pick<Place, 'world' | 'commonDir'>,
): (entry: TrashEntry) => boolean {
  if (RUN_ID.test(id))
    return ({ run, worktree, cache }) =>
      [run, ...[worktree, cache].map((one) => (one.kind === 'known' ? one.value.run : null))].includes(id);
  const journal = readJournal({ commonDir, account: world.account });
  const act = journal.kind === 'known' ? journal.value.entries.find((one) => one.id === id) : undefined;
  const run = act === undefined ? null : detailOf(act, 'run');
  if (act === undefined || run === null)
    throw new UserError('no-such-id', `the record knows no ${id}`, { hint: 'coppice history lists what was done' });
  const name = matterOf(act) === 'branch' ? run : entryOf(id);
  return (entry) => entry.run === name;
}

async function purgeItems(acting: Acting, found: readonly Found[], question: Question): Promise<PurgeItem[]> {
  const items: PurgeItem[] = [];
  const needed = found.some(({ permit }) => permit !== null) ? neededBy(acting) : new Set<string>();
  for (const one of found) {
    const { item, permit, entry } = one;
    if (permit === null) {
      items.push(item);
      continue;
    }
    if (needed === null || needed.has(entry?.run ?? item.run)) {
      items.push({ ...item, outcome: { status: 'kept', text: NEEDED, undo: null } });
      continue;
    }
    const what = entry === null ? 'the anchors' : 'the trash';
    const recording = beginAct(acting.folder, acting.commonDir, acting.world, item.run, {
      verb: 'purge',
      subject: item.path ?? `${what} of ${item.run}`,
      why: 'its time is over',
      detail: { run: entry?.run ?? item.run },
    });
    recording.step('intent');
    const { status, text } = await purgeOne(permit, acting, one, question);
    recording.step(status, status === 'done' ? 'its time is over' : text);
    items.push({ ...item, outcome: { status, text, undo: null } });
  }
  return items;
}

const NEEDED = 'something that was cut off is not ended yet, and may need it';

/** Entries of acts that could not be ended just now. Null: the record cannot be read. */
function neededBy({ commonDir, folder }: Acting): ReadonlySet<string> | null {
  const journal = readJournal({ commonDir, account: folder.account });
  if (journal.kind === 'absent') return new Set();
  if (journal.kind === 'unknown') return null;
  const open = unfinishedIn(actsOf(journal.value.entries), commonDir);
  return new Set(
    open.flatMap(([id, { began }]) => {
      if (began.verb === 'purge') return [];
      const of = detailOf(began, 'of') ?? id;
      return [detailOf(began, 'run') ?? '', RUN_ID.test(of) ? of : entryOf(of)];
    }),
  );
}

async function purgeOne(
  permit: PurgePermit,
  acting: Acting,
  { entry, anchors }: Found,
  { settings, id }: Question,
): Promise<Purged> {
  const held = entry === null ? null : heldIn(acting.commonDir, entry);
  if (held?.kind === 'unknown') return { status: 'kept', text: `what is in it cannot be told: ${held.reason}` };
  if (entry !== null && held?.kind === 'known')
    return purgeHeld(permit, acting, { entry, held: held.value, settings, isNamed: id !== null });
  const why = entry === null ? await removeAnchors(permit, acting, anchors) : deleteEntry(permit, acting, entry);
  return why === null ? { status: 'done', text: 'deleted for good' } : { status: 'failed', text: why };
}

async function removeAnchors(
  permit: PurgePermit,
  { git }: Acting,
  anchors: readonly (readonly [RefName, Oid])[],
): Promise<string | null> {
  const commands = anchors.map(([ref, oid]) => remove(ref, oid));
  const ended = await transact([permit], git, commands, () => 'commit');
  return ended.kind === 'refused' || ended.kind === 'unclear' ? ended.why : null;
}
