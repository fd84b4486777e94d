/** Reads local branches: who uses them, their reflogs, and how they stand to the base. */
import { protectedBy } from '../config/branch-patterns.ts';
import type { Ref } from '../git/parse/refs.ts';
import type { ListedWorktree } from '../git/parse/worktree-list.ts';
import { readBranchUses } from '../git/read/checkouts.ts';
import { keptByRefs } from '../git/read/kept.ts';
import { openReflogs } from '../git/read/reflogs.ts';
import type { Git } from '../git/run.ts';
import { staysByName } from '../judge/branches.ts';
import type { BranchFacts, BranchUse, MergeFacts } from '../judge/facts/branch.ts';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { type AbsPath, branchName, isBranch, type Oid, parseAbsPath, type RefName } from '../judge/facts/names.ts';
import type { Base } from '../judge/facts/repository.ts';
import type { ReflogCommits } from '../judge/facts/worktree.ts';
import type { ReflogEntry } from '../judge/graph/reflog.ts';
import { type CacheQuestion, readCached } from './cache.ts';
import type { CachePlace } from './cache-place.ts';
import type { MergeSurvey } from './merge-facts.ts';

export interface BranchSurvey extends Omit<MergeSurvey, 'base' | 'readQuestions'> {
  readonly commonDir: AbsPath;
  readonly refStorage: string | null;
  readonly refs: readonly Ref[];
  readonly base: Fact<Base>;
  readonly defaults: ReadonlySet<RefName>;
  readonly reserved: string;
  readonly protect: readonly string[];
  readonly worktrees: Fact<readonly ListedWorktree[]>;
  readonly heads: readonly HeadQuestion[];
  /** False: only what worktrees have checked out is asked about. */
  readonly judgesBranches: boolean;
  /** True when it matters when a branch was last moved. */
  readonly wantsLastMove: boolean;
  /** Where answers about object ids are kept, and all that they depend on; null: nowhere. */
  readonly cache: CachePlace | null;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What a worktree has checked out, to be judged as a branch is. */
export interface HeadQuestion {
  /** The admin directory's name. */
  readonly admin: string;
  /** Null when detached. */
  readonly branch: RefName | null;
  readonly tip: Oid;
  /** The reflog of its HEAD. */
  readonly stamp: string | null;
  readReflog(): Fact<readonly ReflogEntry[]>;
}

/** How it stands to the base, and what only the reflog of its HEAD holds. */
export interface HeadFacts {
  readonly merge: Fact<MergeFacts>;
  readonly reflog: Fact<ReflogCommits>;
  /** True when a branch, a tag or a remote-tracking ref reaches the tip. */
  readonly isHeld: boolean;
}

export interface BranchReading {
  readonly branches: readonly BranchFacts[];
  readonly heads: ReadonlyMap<string, HeadFacts>;
}

export async function readBranches(git: Git, survey: BranchSurvey): Promise<BranchReading> {
  const uses = usesByBranch(survey);
  const isNameProtected = protectedBy(survey.protect);
  const reflogs = openReflogs(survey.commonDir, survey.refStorage, survey.now);
  const ids = new Map(survey.refs.map((ref) => [ref.name, ref.oid]));
  const branches: Omit<BranchFacts, 'merge' | 'lastMove'>[] = [];
  const questions: CacheQuestion[] = [];
  for (const ref of survey.refs) {
    if (!isBranch(ref.name)) continue;
    const upstream = ref.upstream === null ? null : { ref: ref.upstream, oid: ids.get(ref.upstream) ?? null };
    const isProtected = isNameProtected(branchName(ref.name));
    const plain = {
      ref: ref.name,
      oid: ref.oid,
      symbolic: ref.symbolic,
      upstream,
      isProtected,
      uses: useOf(uses, ref.name),
    };
    branches.push(plain);
    if (!survey.judgesBranches || staysByName(plain, survey)) continue;
    questions.push({
      ref: ref.name,
      tip: ref.oid,
      upstream: upstream?.oid ?? null,
      stampReflog: () => reflogs.stamp(ref.name),
      readReflog: () => reflogs.read(ref.name),
    });
  }
  const asked = new Set(questions.map(({ ref }) => ref));
  for (const head of survey.heads) {
    const { admin, branch, tip, stamp, readReflog } = head;
    questions.push({ ref: headKey(admin), tip, upstream: null, stampReflog: () => stamp, readReflog });
    // A branch that stays for its name is not asked about, but a worktree on it is.
    if (branch === null || asked.has(branch)) continue;
    asked.add(branch);
    const upstream = branches.find(({ ref }) => ref === branch)?.upstream?.oid ?? null;
    const own = { stampReflog: () => reflogs.stamp(branch), readReflog: () => reflogs.read(branch) };
    questions.push({ ref: branch, tip, upstream, ...own });
  }
  const merge =
    survey.base.kind === 'known'
      ? await readCached(git, { ...survey, base: survey.base.value.oid, questions }, survey.cache)
      : NOTHING;
  const dropped = branches.flatMap(({ ref }) => droppedOf(merge.get(ref)));
  // Only a branch that nothing speaks against keeping can hold what another one dropped.
  const surviving = branches.filter((branch) => !mayGo(merge.get(branch.ref))).map((branch) => branch.oid);
  const kept = await keptByRefs(git, dropped, surviving);
  return {
    branches: branches.map((branch) => {
      const found = staysByName(branch, survey) ? absent : withoutKept(merge.get(branch.ref) ?? absent, kept);
      return { ...branch, merge: found, lastMove: survey.wantsLastMove ? lastMoveOf(reflogs.read(branch.ref)) : null };
    }),
    heads: await headsOf(git, survey, branches, merge),
  };
}

/** What a worktree's reflog holds stays as long as any branch has it: that branch is judged by itself. */
async function headsOf(
  git: Git,
  { heads }: BranchSurvey,
  branches: readonly Pick<BranchFacts, 'oid'>[],
  merge: ReadonlyMap<RefName, Fact<MergeFacts>>,
): Promise<ReadonlyMap<string, HeadFacts>> {
  const detached = heads.filter(({ branch }) => branch === null).map(({ tip }) => tip);
  const dropped = heads.flatMap(({ admin }) => droppedOf(merge.get(headKey(admin))));
  const kept = await keptByRefs(
    git,
    [...dropped, ...detached],
    branches.map(({ oid }) => oid),
  );
  return new Map(
    heads.map(({ admin, branch, tip }) => {
      const own = withoutKept(merge.get(headKey(admin)) ?? absent, kept);
      return [
        admin,
        {
          merge: branch === null ? own : (merge.get(branch) ?? absent),
          reflog: own.kind === 'known' ? known({ dropped: own.value.dropped, replaced: own.value.replaced }) : own,
          isHeld: branch !== null || kept.has(tip),
        },
      ];
    }),
  );
}

/** No ref can have this name. */
function headKey(admin: string): RefName {
  return `worktrees/${admin}/HEAD` as RefName;
}

function droppedOf(merge: Fact<MergeFacts> | undefined): readonly Oid[] {
  return merge?.kind === 'known' ? merge.value.dropped : [];
}

function lastMoveOf(reflog: Fact<readonly ReflogEntry[]>): number | null {
  return reflog.kind === 'known' ? (reflog.value.at(-1)?.time ?? null) : null;
}

function mayGo(merge: Fact<MergeFacts> | undefined): boolean {
  return merge?.kind === 'known' && merge.value.proof !== null;
}

/** Commits that a branch dropped and another ref holds are not lost with it. */
function withoutKept(merge: Fact<MergeFacts>, kept: ReadonlySet<Oid>): Fact<MergeFacts> {
  if (merge.kind !== 'known' || kept.size === 0) return merge;
  return known({ ...merge.value, dropped: merge.value.dropped.filter((oid) => !kept.has(oid)) });
}

const NOTHING: ReadonlyMap<RefName, Fact<MergeFacts>> = new Map();

function useOf(uses: Fact<ReadonlyMap<RefName, readonly BranchUse[]>>, ref: RefName): Fact<readonly BranchUse[]> {
  return uses.kind === 'known' ? known(uses.value.get(ref) ?? []) : uses;
}

/** All uses of branches: those that git lists, and those that only its files tell. */
function usesByBranch(survey: BranchSurvey): Fact<ReadonlyMap<RefName, readonly BranchUse[]>> {
  const { worktrees } = survey;
  if (worktrees.kind !== 'known')
    return unknown(worktrees.kind === 'unknown' ? worktrees.reason : 'git listed no worktree');
  const files = readBranchUses(survey.commonDir);
  if (files.kind !== 'known') return unknown(files.kind === 'unknown' ? files.reason : 'there is no git directory');
  const symbolic = new Map(
    survey.refs.flatMap((ref): [RefName, Oid | RefName][] => (ref.symbolic === null ? [] : [[ref.name, ref.symbolic]])),
  );
  const uses = new Map<RefName, BranchUse[]>();
  const add = (branch: RefName, use: BranchUse) => {
    const list = uses.get(branch) ?? [];
    if (!list.some((other) => other.how === use.how && (other.path === use.path || use.path === null))) list.push(use);
    uses.set(branch, list);
    const target = symbolic.get(branch);
    if (target !== undefined && target !== branch && !uses.has(target as RefName)) add(target as RefName, use);
  };
  for (const worktree of worktrees.value) {
    if (worktree.branch !== null) add(worktree.branch, { how: 'checked out', path: worktree.path });
  }
  const main = worktrees.value[0]?.path ?? null;
  for (const use of files.value) {
    add(use.branch, { how: use.how, path: use.admin === null ? main : parseAbsPath(use.path ?? '') });
  }
  return known(uses);
}
