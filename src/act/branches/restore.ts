/** Makes a branch that was deleted again: its commits, its ref, its reflog to the byte, its settings. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isWhole, presentObjects } from '../../git/read/objects.ts';
import { readTips, tipOf } from '../../git/read/named.ts';
import { complaint } from '../../git/run.ts';
import { create, type Leave, runWrite, transact, verify } from '../../git/write.ts';
import type { RefName } from '../../judge/facts/names.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { readPiece, type TrashEntry } from '../../state/trash/store.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded, sayFault, syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { restoreSections } from './sections.ts';

/** `failed`: it is not there. `partly`: it is, and the text says what is missing of it. */
export interface Restored {
  readonly kind: 'whole' | 'partly' | 'failed';
  readonly text: string;
}

/** @param ref where to; the name it had, unless somebody asks for another. */
export async function restoreBranch(
  leave: Leave,
  acting: Acting,
  entry: TrashEntry,
  saved: SavedBranch,
  ref: RefName = saved.ref,
): Promise<Restored> {
  const { git } = acting;
  const reflog = saved.reflog === null ? null : readPiece(entry, 'reflogs', saved.reflog, acting.folder.account);
  if (reflog !== null && reflog.kind !== 'known')
    return { kind: 'failed', text: 'what was put aside of its reflog cannot be read' };
  const missing = await bringObjects(leave, acting, entry, saved);
  if (missing !== null) return { kind: 'failed', text: missing };
  const there = tipOf(await readTips(git, 'refs/heads'), ref);
  if (there.kind !== 'known') {
    const made = await transact(leave, git, [create(ref, saved.tip)], () => 'commit');
    const now = tipOf(await readTips(git, 'refs/heads'), ref);
    if (now.kind !== 'known' || now.value !== saved.tip) {
      const why = made.kind === 'refused' || made.kind === 'unclear' ? `: ${made.why}` : '';
      return { kind: 'failed', text: `git did not make it${why}` };
    }
  }
  const faults: string[] = [];
  if (reflog !== null) {
    const why = await restoreReflog(leave, acting, {
      ref,
      saved,
      bytes: reflog.value,
      temporary: `${entry.path}/reflog.tmp`,
    });
    if (why !== null) faults.push(`its reflog is not back: ${why}`);
  }
  const why = await restoreSections(acting, entry, saved, ref);
  if (why !== null) faults.push(`its settings are not back: ${why}`);
  return { kind: faults.length === 0 ? 'whole' : 'partly', text: faults.join('; ') };
}

/** Takes from the pack what is not here any more. Null, or why that did not work. */
async function bringObjects(
  leave: Leave,
  { git }: Acting,
  entry: TrashEntry,
  { anchors: { ids }, tip }: SavedBranch,
): Promise<string | null> {
  const here = await presentObjects(git, ids);
  if (here.kind === 'known' && here.value.size === ids.length && (await isWhole(git, ids))) return null;
  const pack = entry.head.kind === 'known' ? entry.head.value.pack : null;
  if (pack === null) return `its commit ${tip} is not here any more`;
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${entry.path}/${pack}.pack`);
  } catch (fault) {
    return `the pack that holds its commits cannot be read: ${sayFault(fault)}`;
  }
  const taken = await runWrite(leave, git, ['index-pack', '--stdin', '--fix-thin'], { input: bytes });
  if (taken.code !== 0 || taken.cut !== null) return `its commits cannot be brought back: ${complaint(taken)}`;
  return (await isWhole(git, ids)) ? null : 'not all of its commits came back';
}

interface ReflogPlace {
  readonly ref: RefName;
  readonly saved: SavedBranch;
  readonly bytes: Buffer;
  /** Where a file may lie until it is whole, in the same file system. */
  readonly temporary: string;
}

/** While git holds the ref's lock, nobody else writes to its reflog. */
async function restoreReflog(leave: Leave, { commonDir, git }: Acting, place: ReflogPlace): Promise<string | null> {
  const path = `${commonDir}/logs/${place.ref}`;
  if (startsWith(path, place.bytes)) return null;
  let fault: unknown = null;
  const ended = await transact(leave, git, [verify(place.ref, place.saved.tip)], () => {
    try {
      putReflog(path, place.bytes, place.temporary);
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
function putReflog(path: string, bytes: Buffer, temporary: string): void {
  const later = readReflog(path) ?? Buffer.alloc(0);
  const folder = nativePath(posix.dirname(path));
  mkdirSync(folder, { recursive: true });
  const descriptor = openSync(temporary, 'w', 0o666);
  try {
    writeFileSync(descriptor, Buffer.concat([bytes, later]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, nativePath(path));
  syncFolder(folder);
}
