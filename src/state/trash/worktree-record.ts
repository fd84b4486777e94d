/** A worktree that was put aside, beside the other files of its entry in the trash. Texts are byte strings. */
import * as v from 'valibot';
import type { AbsPath, Oid, RefName } from '../../judge/facts/names.ts';
import type { FileId } from '../../judge/facts/worktree.ts';
import { JOURNAL_ID, RUN_ID } from '../ids.ts';
import { absPath, fileIdShape, oid, refName } from '../parts.ts';
import { type Form, readState, writeState } from '../store.ts';
import type { Fact } from '../../judge/facts/fact.ts';

export interface KeptWorktree {
  /** Of its act in the journal. */
  readonly id: string;
  readonly run: string;
  readonly row: string;
  /** The admin directory's name. */
  readonly admin: string;
  readonly path: AbsPath;
  /** The folder that holds its tree, where that is not the entry itself. */
  readonly elsewhere: AbsPath | null;
  readonly ids: { readonly folder: FileId; readonly gitDir: FileId };
  /** Null: detached. */
  readonly branch: RefName | null;
  readonly head: Oid;
  /** How often it is anchored; the ids stand in the file `ids`. */
  readonly anchors: number;
  /** What its git directory holds, as a hash. */
  readonly state: string;
  /** Of its folder, in seconds since 1970 with their fractions. */
  readonly times: { readonly accessed: string; readonly modified: string };
  /** True when it had coppice's own mark for a lock, which is kept in the file `mark`. */
  readonly isMarked: boolean;
  /** Ignored files in it that nothing makes again. */
  readonly precious: number;
  /** The note that holds copies of them; null: there are none of them. */
  readonly notes: AbsPath | null;
  /** Bytes of its files as far as they were weighed. */
  readonly bytes: number;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const seconds = v.pipe(v.string(), v.regex(/^-?\d{1,12}\.\d{9}$/));

const WORKTREE: Form<KeptWorktree> = {
  schema: 'coppice.trash-worktree.v1',
  shape: v.strictObject({
    id: v.pipe(v.string(), v.regex(JOURNAL_ID)),
    run: v.pipe(v.string(), v.regex(RUN_ID)),
    row: v.string(),
    admin: v.pipe(v.string(), v.regex(/^[^/\0]+$/)),
    path: absPath,
    elsewhere: v.nullable(absPath),
    ids: v.strictObject({ folder: fileIdShape, gitDir: fileIdShape }),
    branch: v.nullable(refName),
    head: oid,
    anchors: count,
    state: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    times: v.strictObject({ accessed: seconds, modified: seconds }),
    isMarked: v.boolean(),
    precious: count,
    notes: v.nullable(absPath),
    bytes: count,
  }),
  write: ({ ids, times, ...rest }) => ({
    ...rest,
    ids: { folder: { ...ids.folder }, gitDir: { ...ids.gitDir } },
    times: { ...times },
  }),
};

const FILE = 'worktree.json';

/** @param entry its folder, native. Absent: it is no entry of a worktree. */
export function readKeptWorktree(entry: string, account: number): Fact<KeptWorktree> {
  return readState(`${entry}/${FILE}`, WORKTREE, account);
}

/** @throws UserError `write-failed`, `state-too-large` */
export function writeKeptWorktree(entry: string, kept: KeptWorktree): void {
  writeState(`${entry}/${FILE}`, WORKTREE, kept);
}

/**
 * Where what was moved lies.
 * @param entry its folder in the trash, as a byte string.
 */
export function holderOf(kept: Pick<KeptWorktree, 'elsewhere'>, entry: string): string {
  return kept.elsewhere ?? entry;
}

/** There from the moment on at which what was moved is deleted for good, as a byte string: what is left may be in pieces. */
export function begunMark(holder: string): string {
  return `${holder}/purging-begun`;
}
