/** Puts aside, before a branch goes, everything that brings it back exactly as it was. */
import { sectionsOf, isOfBranch, type Section } from '../../git/parse/config-file.ts';
import { parseReflog } from '../../git/parse/reflog.ts';
import { presentObjects, reachedObjects } from '../../git/read/objects.ts';
import { readReflogBytes } from '../../git/read/reflogs.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { branchName, type Oid, type RefName } from '../../judge/facts/names.ts';
import type { BranchPermit } from '../../judge/permit.ts';
import { fileId } from '../../system/file-id.ts';
import type { SavedBranch, Span } from '../../state/trash/record.ts';
import { draftTrash, finishTrash } from '../../state/trash/store.ts';
import { readBounded } from '../../system/files.ts';
import type { Acting } from '../acting.ts';
import { packObjects } from './pack.ts';

/** The largest configuration that is put aside, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** A branch that is to go, and its act in the journal. */
export interface Going {
  readonly permit: BranchPermit;
  readonly id: string;
}

export interface SaveRequest {
  /** That of the person who asked. */
  readonly verb: string;
  readonly run: string;
  /** What stays anyway. */
  readonly base: Oid | null;
  /** False: no anchors, and the pack holds all that is reached. */
  readonly isAnchored: boolean;
}

/** What was put aside, and why the others were not. */
export interface Saved {
  readonly branches: readonly SavedBranch[];
  /** Reflogs as they were put aside; null: there was none. */
  readonly reflogs: ReadonlyMap<RefName, Buffer | null>;
  readonly refused: ReadonlyMap<RefName, string>;
}

interface Read {
  readonly going: Going;
  readonly reflog: Buffer | null;
  readonly ids: readonly Oid[];
}

/** @throws UserError `write-failed`, `unsafe-folder`: then nothing was changed */
export async function saveBranches(acting: Acting, going: readonly Going[], request: SaveRequest): Promise<Saved> {
  const { commonDir, folder, git, world } = acting;
  const refused = new Map<RefName, string>();
  const read = going.flatMap((one): Read[] => {
    const reflog = readReflog(acting, one.permit.ref);
    if (reflog.kind === 'known') return [{ going: one, ...reflog.value, ids: idsOf(one.permit.tip, reflog.value.ids) }];
    refused.set(one.permit.ref, `its reflog cannot be put aside: ${reasonOf(reflog)}`);
    return [];
  });
  const not = request.isAnchored && request.base !== null ? [request.base] : [];
  const here = await presentObjects(git, [...new Set(read.flatMap(({ ids }) => ids))]);
  const sound: { readonly one: Read; readonly ids: readonly Oid[] }[] = [];
  for (const one of read) {
    const { tip, ref } = one.going.permit;
    const ids = here.kind === 'known' ? one.ids.filter((oid) => here.value.has(oid)) : [];
    if (ids.includes(tip)) sound.push({ one, ids });
    else
      refused.set(
        ref,
        `its commits cannot be put aside: ${here.kind === 'known' ? 'its tip is not here' : reasonOf(here)}`,
      );
  }
  const whole = await wholeOf(acting, sound, not);
  for (const { one } of sound) {
    if (!whole.has(one))
      refused.set(one.going.permit.ref, 'its commits cannot be put aside: not all that it reaches is here');
  }
  if (whole.size === 0) return { branches: [], reflogs: new Map(), refused };

  const draft = draftTrash(folder, request.run);
  const pack = await packObjects(acting, draft, {
    leave: [...whole.keys()].map(({ going: { permit } }) => permit),
    from: [...new Set([...whole.values()].flat())],
    not,
  });
  if (pack.kind !== 'known') {
    for (const { going } of whole.keys())
      refused.set(going.permit.ref, `its commits cannot be put aside: ${reasonOf(pack)}`);
    return { branches: [], reflogs: new Map(), refused };
  }
  const config = readConfigBytes(acting);
  const sections = sectionsOf(config.toString('latin1')) ?? [];
  const reflogs: Buffer[] = [];
  let [at, anchor] = [0, 0];
  const branches = [...whole].map(([{ going, reflog, ids: all }, ids]): SavedBranch => {
    const { permit, id } = going;
    const spanned: Span | null = reflog === null ? null : { start: at, end: at + reflog.length };
    if (reflog !== null) {
      reflogs.push(reflog);
      at += reflog.length;
    }
    const first = anchor;
    anchor += ids.length;
    return {
      id,
      row: permit.row,
      ref: permit.ref,
      tip: permit.tip,
      reflog: spanned,
      sections: sectionsFor(sections, permit.ref),
      anchors: { first, ids },
      lost: all.filter((oid) => !ids.includes(oid)),
    };
  });
  finishTrash(
    draft,
    {
      run: request.run,
      time: world.now(),
      commonDir: fileId(commonDir),
      pack: pack.value,
      isAnchored: request.isAnchored,
    },
    { branches, reflogs: Buffer.concat(reflogs), config },
  );
  const byRef = new Map([...whole.keys()].map(({ going, reflog }) => [going.permit.ref, reflog]));
  return { branches, reflogs: byRef, refused };
}

function sectionsFor(sections: readonly Section[], ref: RefName): readonly Span[] {
  return sections.filter((section) => isOfBranch(section, branchName(ref))).map(({ start, end }) => ({ start, end }));
}

/** A branch that stays, and that whoever takes away by hand is to come back with its worktree. */
export interface StandingBranch {
  readonly id: string;
  readonly row: string;
  readonly ref: RefName;
  readonly head: Oid;
  readonly reflog: Buffer | null;
  /** All that is anchored with it, in order. */
  readonly ids: readonly Oid[];
  /** The configuration of the repository. */
  readonly config: Buffer;
}

/** The only one of its entry. */
export function savedBranch({ id, row, ref, head, reflog, ids, config }: StandingBranch): SavedBranch {
  return {
    id,
    row,
    ref,
    tip: head,
    reflog: reflog === null ? null : { start: 0, end: reflog.length },
    sections: sectionsFor(sectionsOf(config.toString('latin1')) ?? [], ref),
    anchors: { first: 0, ids },
    lost: [],
  };
}

function reasonOf(fact: Fact<unknown>): string {
  return fact.kind === 'unknown' ? fact.reason : 'it is not there';
}

/**
 * The ids of each branch from which everything that they reach is here. What is damaged in part cannot be put aside, and
 * nothing but the branch holds the rest of it: a branch with such an id is not among them.
 */
async function wholeOf(
  { git }: Acting,
  sound: readonly { readonly one: Read; readonly ids: readonly Oid[] }[],
  not: readonly Oid[],
): Promise<ReadonlyMap<Read, readonly Oid[]>> {
  const isWhole = async (ids: readonly Oid[]) => (await reachedObjects(git, ids, not)).kind === 'known';
  if (await isWhole([...new Set(sound.flatMap(({ ids }) => ids))])) {
    return new Map(sound.map(({ one, ids }) => [one, ids]));
  }
  // Rare: something is damaged or not here. Only then it is asked one by one.
  const whole = new Map<Read, readonly Oid[]>();
  for (const { one, ids } of sound) {
    if (await isWhole(ids)) whole.set(one, ids);
  }
  return whole;
}

/** The tip first, each once. */
function idsOf(tip: Oid, reflog: readonly Oid[]): Oid[] {
  return [...new Set([tip, ...reflog])];
}

/** Known with nothing in it where there is none. */
export function readReflog(
  { commonDir }: Acting,
  ref: RefName,
): Fact<{ readonly reflog: Buffer | null; readonly ids: readonly Oid[] }> {
  const bytes = readReflogBytes(commonDir, ref);
  if (bytes.kind === 'absent') return known({ reflog: null, ids: [] });
  if (bytes.kind === 'unknown') return bytes;
  const entries = parseReflog(bytes.value);
  if (entries === null) return unknown('it is not in the form that git writes');
  const ids = entries.flatMap(({ before, after }) => [before, after]).filter((oid) => oid !== null);
  return known({ reflog: bytes.value, ids });
}

/** What cannot be read holds no section that could be taken away. */
export function readConfigBytes({ commonDir }: Acting): Buffer {
  const bytes = readBounded(Buffer.from(`${commonDir}/config`, 'latin1'), LARGEST, { follow: true });
  return bytes.kind === 'known' ? bytes.value : Buffer.alloc(0);
}
