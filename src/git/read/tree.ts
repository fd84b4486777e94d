/** What git says of the files of one worktree. Writes nothing, and starts no program of the repository's. */
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, type Oid, parseOid } from '../../judge/facts/names.ts';
import type { HashFormat } from '../../system/blob-hash.ts';
import { nativePath, toNative } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { parseIndex } from '../parse/index-file.ts';
import { parseStatus, type StatusEntry } from '../parse/status.ts';
import { parseAttributes, parseTracked, type TrackedFile } from '../parse/tracked.ts';
import { complaint, type Git, runGit } from '../run.ts';
import { withSetting } from '../worktree-git.ts';

/** A larger index is left to git. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Tracked, untracked and ignored files that differ or are there. Of submodules only which commit is checked out: git
 * would look into them with settings of their own.
 */
export async function readStatus(git: Git): Promise<Fact<readonly StatusEntry[]>> {
  const flags = ['--untracked-files=all', '--ignored=matching', '--ignore-submodules=dirty', '--no-renames'];
  const result = await runGit(git, ['status', '--porcelain=v2', '-z', ...flags]);
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const entries = parseStatus(result.stdout);
  return entries === null ? unknown('git printed a status in a form that is not known') : known(entries);
}

/** How a reason begins when git ended by itself over an index: it reads nothing else for the question. */
export const INDEX_UNREADABLE = 'git cannot read its index: ';

/**
 * Every path of the index, with the flags that hide changes of it. A plain index is read as it is: starting git costs
 * more than all else that is asked about a small worktree.
 */
export async function readTracked(
  git: Git,
  gitDir: AbsPath,
  format: HashFormat,
): Promise<Fact<readonly TrackedFile[]>> {
  const bytes = readBounded(nativePath(`${gitDir}/index`), MOST_BYTES);
  const plain = bytes.kind === 'known' ? parseIndex(bytes.value, format) : null;
  if (plain !== null) return known(plain);
  const result = await runGit(git, ['ls-files', '-v', '-s', '-z']);
  if (result.cut !== null) return unknown(complaint(result));
  // One that is cut in the middle may crash it.
  if (result.code !== 0) return unknown(`${INDEX_UNREADABLE}${complaint(result)}`);
  const files = parseTracked(result.stdout);
  return files === null ? unknown(`${INDEX_UNREADABLE}it is listed in a form that is not known`) : known(files);
}

/**
 * Those of `paths` that attributes name a filter for, whether it is set or not.
 * @param attributesFile the account's, as a byte string; null: there is none.
 */
export async function readFiltered(
  git: Git,
  paths: readonly string[],
  attributesFile: string | null,
): Promise<Fact<ReadonlySet<string>>> {
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const own = attributesFile === null ? git : withSetting(git, 'core.attributesFile', toNative(attributesFile));
  const result = await runGit(own, ['check-attr', '-z', '--stdin', 'filter'], { input });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const filtered = parseAttributes(result.stdout);
  return filtered === null ? unknown('git printed attributes in a form that is not known') : known(filtered);
}

/** The ids that git would give these files now, with their line ends converted and no filter run. */
export async function hashFiles(git: Git, paths: readonly string[]): Promise<Fact<readonly Oid[]>> {
  const input = Buffer.from(paths.map((path) => `${path}\n`).join(''), 'latin1');
  const result = await runGit(git, ['hash-object', '--stdin-paths'], { input });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const ids = result.stdout.toString('latin1').trimEnd().split('\n').map(parseOid);
  return ids.length === paths.length && ids.every((oid) => oid !== null)
    ? known(ids)
    : unknown('git printed ids in a form that is not known');
}

/** Whether the index holds what HEAD does not. */
export async function hasStaged(git: Git): Promise<Fact<boolean>> {
  const result = await runGit(git, ['diff-index', '--cached', '--quiet', 'HEAD', '--']);
  if (result.cut === null && (result.code === 0 || result.code === 1)) return known(result.code === 1);
  // A HEAD that has no commit yet has nothing to compare with.
  const tracked = await runGit(git, ['ls-files', '-s', '-z']);
  return tracked.code === 0 && tracked.cut === null ? known(tracked.stdout.length > 0) : unknown(complaint(result));
}

/**
 * How many commits the store holds, by refs, HEADs, reflogs and stashes, that the remote-tracking refs of none of these
 * remotes reach.
 */
export async function countOwnCommits(git: Git, remotes: readonly string[]): Promise<Fact<number>> {
  const kept = ['--not', ...remotes.map((name) => `--remotes=${toNative(name)}`)];
  const result = await runGit(git, ['rev-list', '--count', '--all', '--reflog', 'HEAD', ...kept]);
  if (result.code === 0 && result.cut === null) return known(Number(result.stdout.toString('latin1')));
  // A HEAD that has no commit yet is no name of one.
  const unborn = await runGit(git, ['rev-list', '--count', '--all', '--reflog', ...kept]);
  if (unborn.code !== 0 || unborn.cut !== null) return unknown(complaint(unborn));
  const head = await runGit(git, ['symbolic-ref', '--quiet', 'HEAD']);
  return head.code === 0 ? known(Number(unborn.stdout.toString('latin1'))) : unknown(complaint(result));
}

/** The commit checked out; null when there is none yet. */
export async function readHead(git: Git): Promise<Fact<Oid | null>> {
  const result = await runGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (result.cut !== null || (result.code !== 0 && result.code !== 1)) return unknown(complaint(result));
  return known(result.code === 0 ? (result.stdout.toString('latin1').trim() as Oid) : null);
}
