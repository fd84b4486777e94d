/** Reading and writing what runs put aside. */
import { lstatSync, readdirSync } from 'node:fs';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { nativePath, toByteString } from '../../system/bytes.ts';
import { readBounded, sayFault, writeAtomic } from '../../system/files.ts';
import { RUN_ID } from '../ids.ts';
import { ensureFolder, findFolder, type StateFolder, type StatePlace } from '../place.ts';
import { parseState, readState, toJson, writeState } from '../store.ts';
import { type KeptCache, readKeptCache } from './cache-record.ts';
import { begunMark, holderOf, type KeptWorktree, readKeptWorktree } from './worktree-record.ts';
import { BRANCH, HEAD, type SavedBranch, type Span, type TrashHead } from './record.ts';

/** The largest file that is read or written here, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** One run's folder. */
export interface TrashEntry {
  readonly run: string;
  /** Native. */
  readonly path: string;
  /** Unknown: it was never finished, or cannot be understood. */
  readonly head: Fact<TrashHead>;
  /** Absent: it is no worktree's. */
  readonly worktree: Fact<KeptWorktree>;
  /** Absent: it holds no folders that a tool makes again. */
  readonly cache: Fact<KeptCache>;
  /** True: a purge of it was begun, and what is left is in pieces. */
  readonly isGoing: boolean;
  /** Of what was moved only what was weighed. */
  readonly bytes: number;
}

/** All of it, oldest first. Known and empty where nothing was ever put aside. */
export function listTrash(place: StatePlace): Fact<readonly TrashEntry[]> {
  const folder = findFolder(place, 'trash');
  if (folder.kind !== 'known') return folder.kind === 'absent' ? known([]) : folder;
  const { path, account } = folder.value;
  try {
    const runs = readdirSync(path).filter((name) => RUN_ID.test(name));
    return known(
      runs.sort().map((run) => {
        const head = readState(`${path}/${run}/entry.json`, HEAD, account);
        const worktree = readKeptWorktree(`${path}/${run}`, account);
        const cache = readKeptCache(`${path}/${run}`, account);
        const moved = [worktree, cache].flatMap((one) => (one.kind === 'known' ? [one.value] : []));
        return {
          run,
          path: `${path}/${run}`,
          head: agree(head, run),
          worktree,
          cache,
          isGoing: moved.some((one) => isBegun(one, `${path}/${run}`)),
          bytes: moved.reduce((sum, { bytes }) => sum + bytes, bytesIn(`${path}/${run}`)),
        };
      }),
    );
  } catch (fault) {
    return unknown(`the trash cannot be listed: ${sayFault(fault)}`);
  }
}

function isBegun(kept: Pick<KeptWorktree, 'elsewhere'>, entry: string): boolean {
  const holder = holderOf(kept, toByteString(entry));
  return lstatSync(nativePath(begunMark(holder)), { throwIfNoEntry: false }) !== undefined;
}

function agree(head: Fact<TrashHead>, run: string): Fact<TrashHead> {
  return head.kind === 'known' && head.value.run !== run ? unknown('it names another run') : head;
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + lstatSync(`${folder}/${name}`).size, 0);
}

/** The branches of an entry. */
export function readSaved(entry: TrashEntry, account: number): Fact<readonly SavedBranch[]> {
  const bytes = readBounded(`${entry.path}/branches.jsonl`, LARGEST, { owner: account });
  if (bytes.kind !== 'known') return bytes;
  const saved: SavedBranch[] = [];
  for (const line of bytes.value.toString('latin1').split('\n').slice(0, -1)) {
    const one = parseState(Buffer.from(line, 'latin1'), BRANCH);
    if (one.kind !== 'known') return one.kind === 'absent' ? absent : unknown(one.reason);
    saved.push(one.value);
  }
  return known(saved);
}

/** A piece of one of the files `reflogs` and `config`, as it was. */
export function readPiece(entry: TrashEntry, file: 'reflogs' | 'config', span: Span, account: number): Fact<Buffer> {
  const whole = readWhole(entry, file, account);
  if (whole.kind !== 'known') return whole;
  return span.end > whole.value.length || span.start > span.end
    ? unknown('it is shorter than it was')
    : known(whole.value.subarray(span.start, span.end));
}

export function readWhole(entry: TrashEntry, file: 'reflogs' | 'config', account: number): Fact<Buffer> {
  return readBounded(`${entry.path}/${file}`, LARGEST, { owner: account });
}

/** An entry that is being made: its folder is there, and nothing in it counts before `finish`. */
export interface TrashDraft {
  readonly path: string;
  readonly account: number;
}

/** @throws UserError `unsafe-folder` */
export function draftTrash(folder: StateFolder, run: string): TrashDraft {
  const trash = { path: ensureFolder(folder, 'trash'), account: folder.account };
  return { path: ensureFolder(trash, run), account: folder.account };
}

/** Puts all of it on the disk, the head last. @throws UserError `write-failed` */
export function finishTrash(
  draft: TrashDraft,
  head: TrashHead,
  files: { readonly branches: readonly SavedBranch[]; readonly reflogs: Buffer; readonly config: Buffer },
): void {
  const lines = files.branches.map(
    (one) => `${JSON.stringify(toJson({ schema: BRANCH.schema, ...BRANCH.write(one) }))}\n`,
  );
  writeAtomic(`${draft.path}/branches.jsonl`, Buffer.from(lines.join(''), 'utf8'), 0o600);
  writeAtomic(`${draft.path}/reflogs`, files.reflogs, 0o600);
  writeAtomic(`${draft.path}/config`, files.config, 0o600);
  writeState(`${draft.path}/entry.json`, HEAD, head);
}
