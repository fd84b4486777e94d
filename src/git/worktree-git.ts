/** git for one worktree or submodule, by its git directory and folder, so that it never looks for another one. */
import type { AbsPath } from '../judge/facts/names.ts';
import { toByteString, toNative } from '../system/bytes.ts';
import { type OpenFolder, openFolder } from '../system/folders.ts';
import type { Environment } from './environment.ts';
import type { Git } from './run.ts';

export interface TreePlace {
  readonly gitDir: AbsPath;
  readonly path: AbsPath;
  /** Where it was before it was moved, which pointers in it still go by. */
  readonly was?: AbsPath;
}

/** To be closed when no command runs any more. */
export interface TreeGit extends Git {
  close(): void;
}

/** What of the settings has to do with a worktree's files. */
export interface TreeSettings {
  /** Names of filter drivers, as byte strings, which must not be run. */
  readonly drivers: readonly string[];
  /** The account's or the repository's file of names to ignore, as set; null: git's own default. */
  readonly excludesFile: string | null;
  /** How line ends are converted, as set: keys and values. */
  readonly lineEnds: readonly (readonly [key: string, value: string])[];
}

/** For questions to which no file of the worktree matters. */
export const NO_FILES: TreeSettings = { drivers: [], excludesFile: null, lineEnds: [] };

/**
 * The settings of the account and of the machine are not read: one that makes no sense would make git give up.
 *
 * @returns null where the folder's name, or a filter driver's, is no UTF-8 and there is no way around that.
 */
export function gitForTree(git: Git, place: TreePlace, settings: TreeSettings, platform: string): TreeGit | null {
  const folders: (OpenFolder | null)[] = [];
  const close = () => {
    for (const folder of folders) folder?.close();
  };
  try {
    for (const bytes of [place.path, place.gitDir]) folders.push(openFolder(bytes, platform));
  } catch (fault) {
    close();
    throw fault;
  }
  const [tree, gitDir] = folders;
  if (!tree || !gitDir) {
    close();
    return null;
  }
  const own = { GIT_DIR: gitDir.path, GIT_WORK_TREE: '.', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const env = withSettings({ ...git.env, ...own }, settings);
  if (env === null) {
    close();
    return null;
  }
  return { ...git, directory: tree.path, env, networkEnv: env, close };
}

/** The same git with one more setting, which outdoes all others. */
export function withSetting(git: Git, key: string, value: string): Git {
  const count = Number(git.env.GIT_CONFIG_COUNT ?? 0);
  const more = { [`GIT_CONFIG_KEY_${count}`]: key, [`GIT_CONFIG_VALUE_${count}`]: value };
  return { ...git, env: { ...git.env, ...more, GIT_CONFIG_COUNT: String(count + 1) } };
}

/** Null: a driver has a name that cannot be given to git, so that it could not be kept from running. */
function withSettings(env: Environment, { drivers, excludesFile, lineEnds }: TreeSettings): Environment | null {
  const pairs: (readonly [key: string, value: string])[] = [...lineEnds];
  if (excludesFile !== null) pairs.push(['core.excludesFile', excludesFile]);
  // An empty command is none: the file's own bytes are compared.
  for (const driver of drivers) {
    const name = toNative(driver);
    if (toByteString(name) !== driver) return null;
    for (const key of ['clean', 'smudge', 'process']) pairs.push([`filter.${name}.${key}`, '']);
    pairs.push([`filter.${name}.required`, 'false']);
  }
  const more: Record<string, string> = {};
  let count = Number(env.GIT_CONFIG_COUNT ?? 0);
  for (const [key, value] of pairs) {
    more[`GIT_CONFIG_KEY_${count}`] = key;
    more[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  return { ...env, ...more, GIT_CONFIG_COUNT: String(count) };
}
