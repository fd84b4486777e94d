/** What was kept of a worktree outside of it: `<home>/notes/<root12>/<id>`. Texts are byte strings. */
import * as v from 'valibot';
import type { AbsPath, Oid, RefName } from '../../judge/facts/names.ts';
import { JOURNAL_ID } from '../ids.ts';
import { absPath, oid, refName } from '../parts.ts';
import type { Form } from '../store.ts';

/** One note. It is written last: without it nothing in the folder counts. */
export interface NoteHead {
  /** Of the act in the journal that made it, and the folder's name. */
  readonly id: string;
  /** `ignored`: files that git ignores and nothing makes again. `changes`: what differed from the commit. */
  readonly kind: 'ignored' | 'changes';
  /** The git directory that all worktrees share. */
  readonly repository: AbsPath;
  /** Where the files were. */
  readonly worktree: AbsPath;
  /** Null: detached. */
  readonly branch: RefName | null;
  readonly head: Oid;
  readonly count: number;
  /** Bytes of all of them. */
  readonly bytes: number;
  /** Of changes: two notes that hold the same have the same. */
  readonly digest: string | null;
  /** SHA-256 of the file that lists them, in hex. */
  readonly list: string;
}

/** One file of it. */
export interface NoteFile {
  /** Relative to the worktree. */
  readonly path: string;
  /** `other`: a socket, a FIFO or a device, of which nothing but the name is kept. */
  readonly kind: 'file' | 'link' | 'other';
  /** Permissions. */
  readonly mode: number;
  readonly size: number;
  /** Of the bytes, or of the link's target; null: there is nothing to read. */
  readonly sha256: string | null;
  /** When it was last written, in nanoseconds since 1970, as digits. */
  readonly modified: string;
  /** Where a link leads to. */
  readonly target: string | null;
}

const number = v.pipe(v.number(), v.integer(), v.minValue(0));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** Below the folder, and no way out of it. */
const inside = v.pipe(
  v.string(),
  v.check((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')),
);

export const NOTE: Form<NoteHead> = {
  schema: 'coppice.note.v1',
  shape: v.strictObject({
    id: v.pipe(v.string(), v.regex(JOURNAL_ID)),
    kind: v.picklist(['ignored', 'changes']),
    repository: absPath,
    worktree: absPath,
    branch: v.nullable(refName),
    head: oid,
    count: number,
    bytes: number,
    digest: v.nullable(sha256),
    list: sha256,
  }),
  write: (head) => ({ ...head }),
};

export const FILE: Form<NoteFile> = {
  schema: 'coppice.note-file.v1',
  shape: v.strictObject({
    path: inside,
    kind: v.picklist(['file', 'link', 'other']),
    mode: v.pipe(number, v.maxValue(0o7777)),
    size: number,
    sha256: v.nullable(sha256),
    modified: v.pipe(v.string(), v.regex(/^-?\d{1,20}$/)),
    target: v.nullable(v.string()),
  }),
  write: (file) => ({ ...file }),
};
