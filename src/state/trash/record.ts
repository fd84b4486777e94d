/** What a run of a sweep put aside: `<common git dir>/coppice/trash/<run>`. Texts are byte strings. */
import * as v from 'valibot';
import type { Oid, RefName } from '../../judge/facts/names.ts';
import type { FileId } from '../../judge/facts/worktree.ts';
import { JOURNAL_ID, RUN_ID } from '../ids.ts';
import { fileIdShape, oid, refName } from '../parts.ts';
import type { Form } from '../store.ts';
import { formatTime, time } from '../time.ts';

/** One run. It is written last: without it nothing was done yet. */
export interface TrashHead {
  readonly run: string;
  readonly time: number;
  readonly commonDir: FileId;
  /** The pack's name without its ending; null: everything is on the base. */
  readonly pack: string | null;
  /** False: a remote mirrors all refs, so that the pack alone holds the commits, with all that they reach. */
  readonly isAnchored: boolean;
}

/** One branch of it. */
export interface SavedBranch {
  /** Of its act in the journal. */
  readonly id: string;
  readonly row: string;
  readonly ref: RefName;
  readonly tip: Oid;
  /** Where its reflog lies in the file `reflogs`; null: there was none. */
  readonly reflog: Span | null;
  /** Where its sections lie in the file `config`. */
  readonly sections: readonly Span[];
  /** Anchored from this number on, in order: the tip, and each id of the reflog that was there. */
  readonly anchors: { readonly first: number; readonly ids: readonly Oid[] };
  /** Ids of the reflog that were not there any more. */
  readonly lost: readonly Oid[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const number = v.pipe(v.number(), v.integer(), v.minValue(0));
const span = v.strictObject({ start: number, end: number });

export const HEAD: Form<TrashHead> = {
  schema: 'coppice.trash.v1',
  shape: v.strictObject({
    run: v.pipe(v.string(), v.regex(RUN_ID)),
    time,
    commonDir: fileIdShape,
    pack: v.nullable(v.pipe(v.string(), v.regex(/^pack-[0-9a-f]{40,64}$/))),
    isAnchored: v.boolean(),
  }),
  write: ({ run, time, commonDir, pack, isAnchored }) => ({
    run,
    time: formatTime(time),
    commonDir: { ...commonDir },
    pack,
    isAnchored,
  }),
};

export const BRANCH: Form<SavedBranch> = {
  schema: 'coppice.trash-branch.v1',
  shape: v.strictObject({
    id: v.pipe(v.string(), v.regex(JOURNAL_ID)),
    row: v.string(),
    ref: refName,
    tip: oid,
    reflog: v.nullable(span),
    sections: v.array(span),
    anchors: v.strictObject({ first: number, ids: v.array(oid) }),
    lost: v.array(oid),
  }),
  write: ({ reflog, sections, anchors, ...rest }) => ({
    ...rest,
    reflog: reflog && { ...reflog },
    sections: sections.map((one) => ({ ...one })),
    anchors: { ...anchors },
  }),
};

/** The name of an anchor: time and random digits, never a name of somebody else's. */
export function anchorName(run: string, number: number): RefName {
  return `refs/coppice/trash/${run}/${number}` as RefName;
}
