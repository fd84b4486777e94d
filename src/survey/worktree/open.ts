/** From what was read of a repository to its worktrees. */
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { protectedBy } from '../../config/branch-patterns.ts';
import { coppiceHome } from '../../config/homes.ts';
import type { Settings } from '../../config/table.ts';
import { type GitConfig, lastValue } from '../../git/parse/config.ts';
import type { Ref } from '../../git/parse/refs.ts';
import type { ListedWorktree } from '../../git/parse/worktree-list.ts';
import { readAdmins } from '../../git/read/checkouts.ts';
import type { RepositoryPlace } from '../../git/read/repository.ts';
import type { Git } from '../../git/run.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Fault } from '../../judge/facts/survey.ts';
import type { TrashPlace, WorktreeFacts } from '../../judge/facts/worktree.ts';
import { nativePath, toByteString, toNative } from '../../system/bytes.ts';
import { readMounts } from '../../system/mounts.ts';
import type { HeadFacts } from '../branches.ts';
import { mostPrecious } from '../precious.ts';
import type { SurveyRequest, World } from '../world.ts';
import type { TreeReading } from './contents.ts';
import { attributesFileIn, attributesFileOf } from './attributes.ts';
import { driversOf } from './drivers.ts';
import { lookOptions } from './look-options.ts';
import { Worktrees } from './worktrees.ts';

/** Milliseconds for one worktree's walk; what takes longer is a doubt on its row. */
const WALK_TIME = 20_000;

export interface WorktreeRequest {
  readonly git: Git;
  readonly place: RepositoryPlace;
  readonly config: GitConfig;
  readonly world: World;
  readonly request: SurveyRequest;
  readonly settings: Settings;
  readonly worktrees: readonly ListedWorktree[];
  readonly refs: readonly Ref[];
  readonly damage: readonly Fault[];
  /** True: folders that tools make again are wanted one by one. */
  readonly wantsCaches: boolean;
}

/** @returns null inside: there is none. */
export function openWorktrees(asked: WorktreeRequest): Fact<Worktrees | null> {
  const { place, config, world, request, settings } = asked;
  const excludes = lastValue(config, 'core.excludesfile');
  const admins = readAdmins(place.commonDir);
  if (admins.kind !== 'known') return unknown(admins.kind === 'unknown' ? admins.reason : 'there is no git directory');
  return known(
    new Worktrees({
      git: asked.git,
      commonDir: place.commonDir,
      format: place.objectFormat,
      platform: world.platform,
      account: world.account,
      drivers: driversOf(config),
      lineEnds: lineEndsOf(config),
      excludesFile: excludes === null ? null : toNative(excludes),
      attributesFile: attributesFileOf(attributesFileIn(config), world),
      hasConditions: [...config.keys()].some((key) => key.startsWith('includeif.')),
      rebuildable: settings['ignored.rebuildable'].map(toByteString),
      mounts: readMounts(world.platform),
      mostPrecious: mostPrecious(request),
      wantsCaches: asked.wantsCaches,
      weighsAll: request.measure || asked.wantsCaches,
      processes: lookOptions(world, settings),
      walkTime: WALK_TIME,
      now: () => world.now(),
      listed: asked.worktrees,
      admins: admins.value,
      refs: asked.refs,
      standingIn: [request.directory, ...request.standingIn].flatMap(realFolder),
      isNameProtected: protectedBy(settings['protect.branches']),
      protectedPaths: settings['protect.paths'].map(toByteString),
      homes: [world.home, coppiceHome(world)].flatMap((home) => (home === null ? [] : realFolder(home))),
      damage: asked.damage[0]?.text ?? null,
      hasLogFiles: (lastValue(config, 'extensions.refstorage') ?? 'files').toLowerCase() === 'files',
    }),
  );
}

/** Only values that git takes: another would make it give up. */
function lineEndsOf(config: GitConfig): (readonly [string, string])[] {
  const known = { 'core.autocrlf': /^(?:true|false|input)$/i, 'core.eol': /^(?:lf|crlf|native)$/i };
  return Object.entries(known).flatMap(([key, values]) => {
    const value = lastValue(config, key);
    return value !== null && values.test(value) ? [[key, value] as const] : [];
  });
}

/** @param contents what their files were read as; null: nothing was to be read. */
export async function factsOf(
  trees: Fact<Worktrees | null>,
  listed: Fact<readonly ListedWorktree[]>,
  contents: Promise<ReadonlyMap<string | null, Fact<TreeReading>>> | null,
  heads: ReadonlyMap<string, HeadFacts>,
  trashes: readonly TrashPlace[],
): Promise<Fact<readonly WorktreeFacts[]>> {
  if (listed.kind === 'unknown') return listed;
  if (trees.kind !== 'known') return trees;
  if (trees.value === null || contents === null) return known([]);
  return known(trees.value.facts(await contents, heads, trashes));
}

function realFolder(folder: string): string[] {
  try {
    return [realpathSync.native(folder, { encoding: 'buffer' }).toString('latin1')];
  } catch {
    // A folder that is gone lies nowhere.
    return [];
  }
}

/** Settings that make git speak of another folder than the one asked about. They are said, and never mended. */
export function nonsense(
  place: RepositoryPlace,
  config: GitConfig,
  worktrees: Fact<readonly ListedWorktree[]>,
): Fault[] {
  if (basename(place.commonDir) !== '.git') return [];
  const said: Fault[] = [];
  const file = `${place.commonDir}/config`;
  const tree = lastValue(config, 'core.worktree');
  if (tree !== null)
    said.push({
      code: 'core-worktree-set',
      place: file,
      text: `core.worktree is set to ${tree}: what git says of the worktree beside ${place.commonDir} is not to be believed`,
    });
  const main = worktrees.kind === 'known' ? worktrees.value[0] : undefined;
  if (main?.bare === true && existsSync(nativePath(`${place.commonDir}/index`)))
    said.push({
      code: 'core-bare-set',
      place: file,
      text: `core.bare is set although ${place.commonDir} has a worktree beside it`,
    });
  return said;
}
