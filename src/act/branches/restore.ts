/** Makes branches that were deleted again: their commits, refs, reflogs to the byte, and settings. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { posix } from 'node:path';
import { isWhole, presentObjects } from '../../git/read/objects.ts';
import { readTips, tipOf } from '../../git/read/named.ts';
import { complaint } from '../../git/run.ts';
import { create, type Leave, runWrite, transact, verify } from '../../git/write.ts';
import type { Oid, RefName } from '../../judge/facts/names.ts';
import type { BranchPermit, RestorePermit } from '../../judge/permit.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { readPiece, type TrashEntry } from '../../state/trash/store.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded, sayFault, syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { removeSections, restoreSections } from './sections.ts';

/**
 * `failed`: it is not there. `partly`: it is, and the text says what is missing of it. `unclear`: whether it is could
 * not be read.
 */
export interface Restored {
  readonly kind: 'whole' | 'partly' | 'failed' | 'unclear';
  readonly text: string;
  /** True: another try may do better, so that who acts next is to make it. */
  readonly isOpen: boolean;
}

/** A branch that is to be made again, and where: under the name that it had, unless somebody asks for another. */
export interface Return {
  readonly permit: BranchPermit | RestorePermit;
  readonly saved: SavedBranch;
  readonly ref: RefName;
}

/** Those of one run, by the names under which they are to be. */
export async function restoreBranches(
  acting: Acting,
  entry: TrashEntry,
  returns: readonly Return[],
): Promise<ReadonlyMap<RefName, Restored>> {
  const told = new Map<RefName, Restored>();
  const failed: Failing = (one, text, kind = 'failed') =>
    void told.set(one.ref, { kind, text, isOpen: kind === 'unclear' });
  const reflogs = new Map<Return, Buffer | null>();
  for (const one of returns) {
    const { reflog } = one.saved;
    const bytes = reflog === null ? null : readPiece(entry, 'reflogs', reflog, acting.folder.account);
    if (bytes === null) reflogs.set(one, null);
    else if (bytes.kind === 'known') reflogs.set(one, bytes.value);
    else failed(one, 'what was put aside of its reflog cannot be read');
  }
  const readable = [...reflogs.keys()];
  const whole = await bringObjects(acting, entry, readable, failed);
  await makeRefs(acting, whole, failed);
  const there = whole.filter(({ ref }) => !told.has(ref));
  const settings = await restoreSections(acting, entry, there);
  for (const one of there) {
    const texts: string[] = [];
    const why = await restoreReflog(acting, one, { bytes: reflogs.get(one) ?? null, entry });
    if (why !== null) texts.push(`its reflog is not back: ${why}`);
    const missing = settings.get(one.ref);
    if (missing !== undefined) texts.push(`its settings are not back: ${missing.text}`);
    const isOpen = why !== null || missing?.isLasting === false;
    told.set(one.ref, { kind: texts.length === 0 ? 'whole' : 'partly', text: texts.join('; '), isOpen });
  }
  await withdraw(acting, entry, there, failed);
  return told;
}

/** Of those that somebody has just taken away again, no settings are left behind. */
async function withdraw(acting: Acting, entry: TrashEntry, there: readonly Return[], failed: Failing): Promise<void> {
  if (there.length === 0) return;
  const now = await readTips(acting.git, 'refs/heads');
  const gone = there.filter(({ ref }) => tipOf(now, ref).kind === 'absent');
  const stay = await removeSections(acting, entry, gone);
  for (const one of there) {
    if (now.kind === 'unknown') failed(one, unclear(now), 'unclear');
    else if (gone.includes(one)) {
      const why = stay.get(one.ref);
      failed(one, `somebody took it away again at once${why === undefined ? '' : `; its settings stay: ${why}`}`);
    }
  }
}

function unclear({ reason }: { readonly reason: string }): string {
  return `whether it is there cannot be told: ${reason}`;
}

type Failing = (one: Return, text: string, kind?: 'failed' | 'unclear') => void;

/** Takes from the pack what is not here any more. @returns those whose commits are all here. */
async function bringObjects(
  { git }: Acting,
  entry: TrashEntry,
  returns: readonly Return[],
  failed: Failing,
): Promise<readonly Return[]> {
  const all = [...new Set(returns.flatMap(({ saved }) => saved.anchors.ids))];
  const leave = returns.map(({ permit }) => permit);
  const why = returns.length === 0 ? null : await bringPacked(git, leave, entry, all);
  if (why === null) return returns;
  const whole: Return[] = [];
  for (const one of returns) {
    if (await isHere(git, one.saved.anchors.ids)) whole.push(one);
    else failed(one, why);
  }
  return whole;
}

/** @returns null: all that these reach is here, if need be out of the pack of their entry; else why not. */
export async function bringPacked(
  git: Acting['git'],
  leave: Leave,
  entry: TrashEntry,
  ids: readonly Oid[],
): Promise<string | null> {
  if (await isHere(git, ids)) return null;
  const why = await takePack(git, leave, entry);
  return why === null && !(await isHere(git, ids)) ? 'not all of its commits came back' : why;
}

async function isHere(git: Acting['git'], ids: readonly Oid[]): Promise<boolean> {
  const here = await presentObjects(git, ids);
  return here.kind === 'known' && here.value.size === ids.length && (await isWhole(git, ids));
}

async function takePack(git: Acting['git'], leave: Leave, { head, path }: TrashEntry): Promise<string | null> {
  const pack = head.kind === 'known' ? head.value.pack : null;
  if (pack === null) return 'its commits are not here any more';
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${path}/${pack}.pack`);
  } catch (fault) {
    return `the pack that holds its commits cannot be read: ${sayFault(fault)}`;
  }
  const taken = await runWrite(leave, git, ['index-pack', '--stdin', '--fix-thin'], { input: bytes });
  return taken.code === 0 && taken.cut === null ? null : `its commits cannot be brought back: ${complaint(taken)}`;
}

/** What is there afterwards counts: somebody may have made one of that name since it was looked for. */
async function makeRefs({ git }: Acting, returns: readonly Return[], failed: Failing): Promise<void> {
  const before = await readTips(git, 'refs/heads');
  const wanted = returns.filter(({ ref }) => tipOf(before, ref).kind !== 'known');
  const whys = await createRefs(git, wanted);
  const after = wanted.length === 0 ? before : await readTips(git, 'refs/heads');
  for (const one of returns) {
    const there = tipOf(after, one.ref);
    if (there.kind === 'unknown') failed(one, unclear(there), 'unclear');
    else if (there.kind === 'absent' || there.value !== one.saved.tip)
      failed(one, whys.get(one) ?? 'somebody has just made another one of that name');
  }
}

/** All together; where one of them is in the way, each for itself. @returns why some were not made */
async function createRefs(git: Acting['git'], wanted: readonly Return[]): Promise<ReadonlyMap<Return, string>> {
  const whys = new Map<Return, string>();
  if (wanted.length === 0) return whys;
  const ended = await transact(
    wanted.map(({ permit }) => permit),
    git,
    wanted.map(({ ref, saved }) => create(ref, saved.tip)),
    () => 'commit',
  );
  if (ended.kind === 'refused' && !ended.isLate && wanted.length > 1) {
    for (const one of wanted) for (const [key, why] of await createRefs(git, [one])) whys.set(key, why);
    return whys;
  }
  for (const one of wanted) whys.set(one, `git did not make it${'why' in ended ? `: ${ended.why}` : ''}`);
  return whys;
}

interface ReflogSource {
  readonly bytes: Buffer | null;
  readonly entry: TrashEntry;
}

/** While git holds the ref's lock, nobody else writes to its reflog. */
async function restoreReflog(
  { commonDir, git }: Acting,
  { permit, ref, saved }: Return,
  { bytes, entry }: ReflogSource,
): Promise<string | null> {
  const path = `${commonDir}/logs/${ref}`;
  if (bytes === null || startsWith(path, bytes)) return null;
  let fault: unknown = null;
  const ended = await transact([permit], git, [verify(ref, saved.tip)], () => {
    try {
      // In the same file system, and no name of anybody else's.
      putReflog(path, `${commonDir}/${ref}`, bytes, `${entry.path}/reflog.tmp`);
    } catch (caught) {
      fault = caught;
    }
    return 'abort';
  });
  if (fault !== null) return sayFault(fault);
  return ended.kind === 'refused' ? ended.why : null;
}

function startsWith(path: string, bytes: Buffer): boolean {
  const there = readReflog(path);
  return there?.subarray(0, bytes.length).equals(bytes) === true;
}

function readReflog(path: string): Buffer | null {
  const bytes = readBounded(Buffer.from(path, 'latin1'), Number.MAX_SAFE_INTEGER);
  return bytes.kind === 'known' ? bytes.value : null;
}

/** What was written since it was made again stands after it. */
function putReflog(path: string, ref: string, bytes: Buffer, temporary: string): void {
  const later = readReflog(path) ?? Buffer.alloc(0);
  const folder = nativePath(posix.dirname(path));
  // Whoever may write to the ref, which git has just made, may write to its reflog, as where a group shares the repository.
  makeAlike(posix.dirname(path), posix.dirname(ref));
  const mode = modeOf(ref) ?? 0;
  const descriptor = openSync(temporary, 'w', 0o666);
  try {
    fchmodSync(descriptor, (fstatSync(descriptor).mode | mode) & 0o666);
    writeFileSync(descriptor, Buffer.concat([bytes, later]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, nativePath(path));
  syncFolder(folder);
}

/** Makes a folder, and those above it, with the modes that those of the ref have. */
function makeAlike(path: string, alike: string): void {
  if (modeOf(path) !== null) return;
  makeAlike(posix.dirname(path), posix.dirname(alike));
  const native = nativePath(path);
  mkdirSync(native);
  const mode = modeOf(alike);
  if (mode !== null) chmodSync(native, mode);
}

function modeOf(path: string): number | null {
  const stats = statSync(nativePath(path), { throwIfNoEntry: false });
  return stats === undefined ? null : stats.mode & 0o7777;
}
