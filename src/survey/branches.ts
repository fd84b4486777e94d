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
import { type CacheQuestion, readCached } from './cache.ts';
import type { CachePlace } from './cache-place.ts';
import type { MergeSurvey } from './merge-facts.ts';

export interface BranchSurvey extends Omit<MergeSurvey, 'base' | 'questions'> {
  readonly commonDir: AbsPath;
  readonly refStorage: string | null;
  readonly refs: readonly Ref[];
  readonly base: Fact<Base>;
  readonly defaults: ReadonlySet<RefName>;
  readonly reserved: string;
  readonly protect: readonly string[];
  readonly worktrees: Fact<readonly ListedWorktree[]>;
  /** Where answers about object ids are kept, and all that they depend on; null: nowhere. */
  readonly cache: CachePlace | null;
  /** Milliseconds since 1970. */
  now(): number;
}

export async function readBranches(git: Git, survey: BranchSurvey): Promise<BranchFacts[]> {
  const uses = usesByBranch(survey);
  const isNameProtected = protectedBy(survey.protect);
  const reflogs = openReflogs(survey.commonDir, survey.refStorage, survey.now);
  const ids = new Map(survey.refs.map((ref) => [ref.name, ref.oid]));
  const branches: Omit<BranchFacts, 'merge'>[] = [];
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
    if (staysByName(plain, survey)) continue;
    const stamp = reflogs.stamp(ref.name);
    questions.push({
      ref: ref.name,
      tip: ref.oid,
      upstream: upstream?.oid ?? null,
      reflogStamp: stamp,
      readReflog: () => reflogs.read(ref.name),
    });
  }
  const merge =
    survey.base.kind === 'known'
      ? await readCached(git, { ...survey, base: survey.base.value.oid, questions }, survey.cache)
      : NOTHING;
  const dropped = [...merge.values()].flatMap((fact) => (fact.kind === 'known' ? fact.value.dropped : []));
  // Only a branch that nothing speaks against keeping can hold what another one dropped.
  const surviving = branches.filter((branch) => !mayGo(merge.get(branch.ref))).map((branch) => branch.oid);
  const kept = await keptByRefs(git, dropped, surviving);
  return branches.map((branch) => ({ ...branch, merge: withoutKept(merge.get(branch.ref) ?? absent, kept) }));
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
