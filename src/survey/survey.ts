/** Reads a repository for a sweep. Decides nothing and changes nothing but what the fetch brings. */
import { basename } from 'node:path';
import { loadSettings } from '../config/load.ts';
import type { Settings } from '../config/table.ts';
import { lastValue } from '../git/parse/config.ts';
import type { Ref } from '../git/parse/refs.ts';
import type { ListedWorktree } from '../git/parse/worktree-list.ts';
import { readRefs, type RefList, readWorktrees } from '../git/read/refs.ts';
import { readConfig, readPlace, readShallow, readVersion, type RepositoryPlace } from '../git/read/repository.ts';
import { gitFor } from '../git/run.ts';
import { resolveBase } from '../judge/base/base.ts';
import { type Remote, trackingRef } from '../judge/base/remote.ts';
import { type Fact, known } from '../judge/facts/fact.ts';
import { branchName, isBranch, type Oid, type RefName } from '../judge/facts/names.ts';
import type { Base } from '../judge/facts/repository.ts';
import type { Fault, Survey } from '../judge/facts/survey.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { readAside } from './aside.ts';
import { type HeadFacts, readBranches } from './branches.ts';
import { cachePlace } from './cache-place.ts';
import { EMPTY_TREE } from './comparison.ts';
import { rootCommitOf } from './root-commit.ts';
import { readRemote, remotesOf, remoteThatCounts, type RemoteView } from './remote.ts';
import { readRuns } from '../state/runs/read.ts';
import { requireFolder } from '../system/require-folder.ts';
import { toByteString, toNative } from '../system/bytes.ts';
import { boundHeap } from '../system/memory.ts';
import { hasReservations } from './reservations.ts';
import { preciousRule } from './precious.ts';
import { withSalvage } from './salvage.ts';
import { NO_PLACES, readPlaces } from './places/places.ts';
import { keysOf, readBranchLeases } from './worktree/claims.ts';
import { factsOf, nonsense, openWorktrees } from './worktree/open.ts';
import type { Worktrees } from './worktree/worktrees.ts';
import type { SurveyRequest, World } from './world.ts';

/** From so many refs on memory is minded more than time. */
const MANY_REFS = 5000;

/** What was read, and what else an act needs of it. */
export interface Surveyed {
  readonly survey: Survey;
  readonly place: RepositoryPlace;
  readonly settings: Settings;
  /** To be handed in again, so that a second look asks no remote. */
  readonly remote: RemoteView;
  /** Reads a worktree again where it was moved to. */
  readonly moved: Worktrees['moved'];
  /** The same of what tools make again in it. */
  readonly movedCaches: Worktrees['movedCaches'];
  /** What of one differs from its commit, as patches. */
  readonly patches: Worktrees['patches'];
}

export async function surveyRepository(world: World, request: SurveyRequest): Promise<Survey> {
  return (await surveyFor(world, request, null)).survey;
}

/** @param seen what the remote said a moment ago; null: it is asked, if that is wanted. */
export async function surveyFor(world: World, request: SurveyRequest, seen: RemoteView | null): Promise<Surveyed> {
  requireFolder(request.directory);
  const git = gitFor(request.directory, world.env);
  request.progress('reading the repository');
  // Without a fetch all of it can be read at once; with one, the refs have to wait for what it brings.
  // What a tool makes again is made again whatever became of a branch.
  const fetch = request.fetch && request.kinds?.every((kind) => kind === 'cache') !== true;
  const asks = fetch && seen === null;
  const early = asks ? null : Promise.all([readRefs(git), readWorktrees(git)]);
  early?.catch(() => undefined);
  const [version, place, config] = await Promise.all([readVersion(git), readPlace(git), readConfig(git)]);
  if (config === null) throw new UserError('repository-damaged', "the repository's configuration cannot be read");
  const remotes = remotesOf(config);
  const top = topOf(place);
  const { settings, warnings } = settingsFor(world, place);
  const kinds: readonly string[] = request.kinds ?? settings['sweep.kinds'];
  const caches = kinds.includes('cache') ? { budget: request.budget, alone: !kinds.includes('worktree') } : null;
  const remote = remoteThatCounts(remotes, request.remote, settings.remote);
  if (asks && remote !== null) request.progress(`asking ${toNative(remote.name)}`);
  const view = seen ?? (await readRemote(git, remote, fetch, world.now));
  const [refs, worktrees] = await (early ?? Promise.all([readRefs(git), readWorktrees(git)]));
  const resolved = { request, settings, remote, remotes, view, worktrees };
  const read = refs.kind === 'known' ? refs.value : { refs: [], broken: [] };
  if (read.refs.length > MANY_REFS) boundHeap();
  const base = baseOf(resolved, read);
  const shallow = await readShallow(place);
  const cache = cachePlace(world, place.commonDir, version, shallow);
  const root =
    base.kind === 'known' && !place.shallow ? rootCommitOf(git, base.value.oid, cache) : Promise.resolve(null);
  const defaults = defaultsOf(resolved, read, base);
  const reserved = settings['reservations.namespace'];
  request.progress('reading branches');
  const damage = nonsense(place, config, worktrees);
  const unused = request.unused ?? settings.unused;
  const trees =
    (kinds.includes('worktree') || caches !== null) && worktrees.kind === 'known'
      ? openWorktrees({
          git,
          place,
          config,
          world,
          request,
          settings,
          worktrees: worktrees.value,
          refs: read.refs,
          damage,
          wantsCaches: caches !== null,
        })
      : known(null);
  const contents = trees.kind === 'known' && trees.value !== null ? readTrees(trees.value, request) : null;
  contents?.catch(() => undefined);
  const reading =
    refs.kind === 'known'
      ? await readBranches(git, {
          commonDir: place.commonDir,
          refStorage: lastValue(config, 'extensions.refstorage'),
          refs: read.refs,
          judgesBranches: kinds.includes('branch'),
          heads: trees.kind === 'known' && caches?.alone !== true ? (trees.value?.heads ?? []) : [],
          wantsLastMove: unused !== null,
          base,
          localBase: localBaseOf(read, base),
          defaults,
          reserved,
          protect: settings['protect.branches'],
          worktrees,
          shallow,
          emptyTree: EMPTY_TREE[place.objectFormat] as Oid,
          now: world.now,
          cache,
        })
      : { branches: [], heads: new Map<string, HeadFacts>() };
  const rootCommit = await root;
  const places =
    trees.kind === 'known' && trees.value !== null
      ? readPlaces({ place, settings, world, worktrees: trees.value.folders, rootCommit, top })
      : NO_PLACES;
  const facts = await factsOf(trees, worktrees, contents, reading.heads, places.trashes);
  const judged = withSalvage(facts, places.roots, world);
  const state = { commonDir: place.commonDir, account: world.account };
  const survey: Survey = {
    repository: {
      path: worktrees.kind === 'known' ? (worktrees.value[0]?.path ?? place.commonDir) : place.commonDir,
      rootCommit,
    },
    base,
    baseMoved: hasMoved(resolved, base),
    remote: remote !== null && /^[\w.-]+$/.test(remote.name) ? remote.name : null,
    fetch: view.report,
    shallow: place.shallow,
    defaults,
    reserved,
    worktrees: judged,
    leases: readBranchLeases(state, keysOf(judged)),
    runs: readRuns(state),
    branches: refs.kind === 'known' ? known(kinds.includes('branch') ? reading.branches : []) : refs,
    strays: places.strays,
    protectedPlaces: places.protectedPlaces,
    now: world.now(),
    idle: request.idle ?? settings.idle,
    unused,
    hasUnreadReservations: settings['reservations.enabled'] || hasReservations(resolved, read.refs, reserved),
    precious: preciousRule(request, settings, world, rootCommit),
    named: request.named && { ...request.named, pushed: new Set(view.heads?.heads.values() ?? []) },
    caches,
    aside: readAside({
      place: { commonDir: place.commonDir, account: world.account },
      config,
      keep: settings['trash.keep'],
      audit: request.audit,
    }),
    faults: [
      ...read.broken.map((text): Fault => ({ code: 'broken-ref', text, place: null })),
      ...damage,
      ...places.faults.map((text): Fault => ({ code: 'probe-failed', text, place: null })),
      ...warnings.map(({ code, text }): Fault => ({ code, text: toByteString(text), place: null })),
    ],
  };
  const opened = () => {
    if (trees.kind !== 'known' || trees.value === null) throw new Error('no worktree was read');
    return trees.value;
  };
  const moved: Surveyed['moved'] = (before, folder) => opened().moved(before, folder);
  const movedCaches: Surveyed['movedCaches'] = (before, shelf) => opened().movedCaches(before, shelf);
  const patches: Surveyed['patches'] = (worktree) => opened().patches(worktree);
  return { survey, place, settings, remote: view, moved, movedCaches, patches };
}

/** Reads their files, and shows what is there already to those who wait. */
function readTrees(trees: Worktrees, { sketch }: SurveyRequest): ReturnType<Worktrees['readContents']> {
  if (sketch === undefined) return trees.readContents();
  // To put it together reads from each git directory again, and most of it is never drawn.
  sketch(() => trees.facts(new Map(), new Map(), []));
  return trees.readContents((readings) => sketch(() => trees.facts(readings, new Map(), [])));
}

/** What base, defaults and remote are resolved from. */
interface Resolved {
  readonly request: SurveyRequest;
  readonly settings: Settings;
  readonly remote: Remote | null;
  readonly remotes: readonly Remote[];
  readonly view: RemoteView;
  readonly worktrees: Fact<readonly ListedWorktree[]>;
}

function baseOf(resolved: Resolved, list: RefList): Fact<Base> {
  const { request, settings, remote, remotes, view, worktrees } = resolved;
  const text = (value: string | null) => (value === null ? null : toByteString(value));
  const base = resolveBase({
    asked: text(request.base),
    configured: text(settings.base),
    remote,
    hasRemotes: remotes.length > 0,
    remoteDefault: view.heads?.defaultBranch ?? null,
    refs: new Map(list.refs.filter((ref) => !isGone(resolved, ref.name)).map((ref) => [ref.name, ref.oid])),
    symbolic: symbolicRefs(list.refs),
    mainBranch: worktrees.kind === 'known' ? (worktrees.value[0]?.branch ?? null) : null,
  });
  if (base.kind !== 'known' && request.base !== null) {
    throw new UserError(
      'base-unknown',
      `--base ${toByteString(request.base)}: ${base.kind === 'unknown' ? base.reason : 'there is none'}`,
    );
  }
  return base;
}

/** Stands for a branch that the remote, as it was read just now, does not have any more. A fetch prunes none. */
function isGone({ remote, view }: Resolved, ref: RefName): boolean {
  if (remote === null || view.heads === null) return false;
  const prefix = [`refs/remotes/${remote.name}/`, `refs/coppice/remotes/${remote.name}/`].find((one) =>
    ref.startsWith(one),
  );
  if (prefix === undefined) return false;
  const branch = `refs/heads/${ref.slice(prefix.length)}` as RefName;
  return trackingRef(remote, branch) === ref && !view.heads.heads.has(branch);
}

function symbolicRefs(refs: readonly Ref[]): Map<RefName, RefName> {
  return new Map(
    refs.flatMap((ref): [RefName, RefName][] => (ref.symbolic === null ? [] : [[ref.name, ref.symbolic]])),
  );
}

/** True when the remote names another commit for the base now than the one that is here. */
function hasMoved({ remote, view }: Resolved, base: Fact<Base>): boolean {
  if (base.kind !== 'known' || remote === null || view.heads === null) return false;
  for (const [branch, oid] of view.heads.heads) {
    if (trackingRef(remote, branch) === base.value.ref) return oid !== base.value.oid;
  }
  return false;
}

/** The local branches that are a default: the base itself, and those that the base and each remote's HEAD stand for. */
function defaultsOf(resolved: Resolved, list: RefList, base: Fact<Base>): ReadonlySet<RefName> {
  const defaults = new Set<RefName>();
  if (base.kind === 'known') {
    defaults.add(base.value.ref);
    defaults.add(localNameOf(base.value.ref, resolved.remotes));
  }
  const named = resolved.view.heads?.defaultBranch;
  if (named != null) defaults.add(named);
  const symbolic = symbolicRefs(list.refs);
  for (const remote of resolved.remotes) {
    const head = symbolic.get(`refs/remotes/${remote.name}/HEAD` as RefName);
    // A HEAD that points nowhere says what was the default once, and that is no reason to keep a branch.
    if (head !== undefined && list.refs.some((ref) => ref.name === head)) defaults.add(localNameOf(head, [remote]));
  }
  return defaults;
}

/** `refs/heads/main` for `refs/remotes/origin/main`. */
function localNameOf(ref: RefName, remotes: readonly Remote[]): RefName {
  if (isBranch(ref)) return ref;
  for (const { name } of remotes) {
    for (const prefix of [`refs/remotes/${name}/`, `refs/coppice/remotes/${name}/`]) {
      if (ref.startsWith(prefix)) return `refs/heads/${ref.slice(prefix.length)}` as RefName;
    }
  }
  return `refs/heads/${branchName(ref)}` as RefName;
}

/** The tip of the local branch that the base stands for, when it is another commit. */
function localBaseOf(list: RefList, base: Fact<Base>): Oid | null {
  if (base.kind !== 'known' || isBranch(base.value.ref)) return null;
  const name = base.value.ref.replace(/^refs\/(?:coppice\/)?remotes\/[^/]+\//, 'refs/heads/');
  const local = list.refs.find((ref) => ref.name === name);
  return local !== undefined && local.oid !== base.value.oid ? local.oid : null;
}

/** The account's settings, and those of the repository's main worktree. */
export function settingsFor(world: World, place: RepositoryPlace): ReturnType<typeof loadSettings> {
  return loadSettings({ ...world, repositoryTop: topOf(place) });
}

/** The folder whose settings count for the repository: that of the main worktree. */
function topOf(place: RepositoryPlace): string | null {
  return basename(place.commonDir) === '.git' ? toNative(place.commonDir.slice(0, -'/.git'.length)) || '/' : null;
}
