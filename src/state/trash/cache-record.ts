/** Folders of one worktree that a tool makes again, and that were put aside. Texts are byte strings. */
import * as v from 'valibot';
import type { Fact } from '../../judge/facts/fact.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import type { FileId } from '../../judge/facts/worktree.ts';
import { JOURNAL_ID, RUN_ID } from '../ids.ts';
import { absPath, fileIdShape } from '../parts.ts';
import { type Form, readState, writeState } from '../store.ts';

export interface KeptCache {
  /** Of its act in the journal. */
  readonly id: string;
  readonly run: string;
  readonly row: string;
  /** The worktree's admin directory's name. */
  readonly admin: string;
  /** The worktree. */
  readonly path: AbsPath;
  readonly folder: FileId;
  /** The folder that holds them, where that is not the entry itself. */
  readonly elsewhere: AbsPath | null;
  /** Where they were in the worktree, in the order of their numbers in the trash. */
  readonly folders: readonly { readonly path: string; readonly id: FileId }[];
  /** On disk. */
  readonly bytes: number;
}

const CACHE: Form<KeptCache> = {
  schema: 'coppice.trash-cache.v1',
  shape: v.strictObject({
    id: v.pipe(v.string(), v.regex(JOURNAL_ID)),
    run: v.pipe(v.string(), v.regex(RUN_ID)),
    row: v.string(),
    admin: v.pipe(v.string(), v.regex(/^[^/\0]+$/)),
    path: absPath,
    folder: fileIdShape,
    elsewhere: v.nullable(absPath),
    folders: v.pipe(
      v.array(
        v.strictObject({
          // Of its own worktree, and of nothing above it.
          path: v.pipe(v.string(), v.regex(/^(?!(?:.*\/)?\.{1,2}(?:\/|$))[^/\0]+(?:\/[^/\0]+)*$/s)),
          id: fileIdShape,
        }),
      ),
      v.minLength(1),
    ),
    bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  write: ({ folder, folders, ...rest }) => ({
    ...rest,
    folder: { ...folder },
    folders: folders.map(({ path, id }) => ({ path, id: { ...id } })),
  }),
};

const FILE = 'cache.json';

/** @param entry its folder, native. Absent: it is no entry of such folders. */
export function readKeptCache(entry: string, account: number): Fact<KeptCache> {
  return readState(`${entry}/${FILE}`, CACHE, account);
}

/** @throws UserError `write-failed`, `state-too-large` */
export function writeKeptCache(entry: string, kept: KeptCache): void {
  writeState(`${entry}/${FILE}`, CACHE, kept);
}
