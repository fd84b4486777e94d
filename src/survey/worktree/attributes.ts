/** Do any attributes name a filter? Only then it is asked which files it is for. */
import { join } from 'node:path';
import type { Homes } from '../../config/homes.ts';
import type { GitConfig } from '../../git/parse/config.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { nativePath, toByteString } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { commonDirOf } from './common-dir.ts';

const ATTRIBUTES = '.gitattributes';
const MOST_BYTES = 1024 * 1024;

/** The machine's own, where git looks for it as a rule. */
const SYSTEM_FILE = '/etc/gitattributes';

/**
 * The account's file of attributes.
 *
 * @param set the setting `core.attributesFile`, as a byte string; null: not set, so git's own default.
 * @returns absolute, as a byte string; null: there is none.
 */
export function attributesFileOf(set: string | null, { env, home }: Homes): string | null {
  if (set === null) {
    const folder = env['XDG_CONFIG_HOME'] || (home === null ? null : join(home, '.config'));
    return folder === null ? null : toByteString(join(folder, 'git', 'attributes'));
  }
  if (set.startsWith('~/')) return home === null ? null : `${toByteString(home)}${set.slice(1)}`;
  return set;
}

/** The setting `core.attributesFile` as a repository has it; null: not set. The last value is what every git here is given. */
export function attributesFileIn(config: GitConfig): string | null {
  return config.get('core.attributesfile')?.at(-2) ?? null;
}

export interface AttributePlaces {
  /** The worktree's folder. */
  readonly top: string;
  readonly gitDir: AbsPath;
  /** The account's file; null: there is none. */
  readonly attributesFile: string | null;
  /** Paths in the worktree, tracked or not. */
  readonly paths: Iterable<string>;
}

/** What cannot be read may name one. */
export function mayNameFilters({ top, gitDir, attributesFile, paths }: AttributePlaces): boolean {
  // A name that is not absolute counts from the worktree's top, as git reads it.
  const own = attributesFile === null || attributesFile.startsWith('/') ? attributesFile : `${top}/${attributesFile}`;
  const outside = [SYSTEM_FILE, own, `${commonDirOf(gitDir)}/info/attributes`];
  if (outside.some((file) => file !== null && says(file, false))) return true;
  for (const path of paths) {
    // One that is tracked and not there is read from the index by git.
    if ((path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`)) && says(`${top}/${path}`, true)) return true;
  }
  return false;
}

function says(file: string, whenAbsent: boolean): boolean {
  const contents = readBounded(nativePath(file), MOST_BYTES, { follow: true });
  return contents.kind === 'known' ? contents.value.includes('filter') : contents.kind === 'unknown' || whenAbsent;
}
