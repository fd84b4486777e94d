import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AbsPath, type Oid, parseAbsPath, parseOid } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { toByteString } from '../../system/bytes.ts';
import { type GitConfig, parseConfig } from '../parse/config.ts';
import { complaint, type Git, type GitResult, runGit } from '../run.ts';

/** Where a repository's parts lie. Paths are byte strings. */
export interface RepositoryPlace {
  /** The git directory that all its worktrees share. */
  readonly commonDir: AbsPath;
  /** True when the folder asked about has no worktree around it. */
  readonly bare: boolean;
  readonly shallow: boolean;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** The oldest git whose `worktree list` prints names of any bytes. */
const OLDEST: readonly [number, number] = [2, 36];

/**
 * git's version, such as `2.39.5`.
 * @throws UserError `git-too-old`, `git-failed`
 */
export async function readVersion(git: Git): Promise<string> {
  const result = await runGit(git, ['version']);
  const match = /^git version (\d+)\.(\d+)(\S*)/.exec(result.stdout.toString('latin1'));
  if (result.code !== 0 || !match) {
    throw new UserError('git-failed', `git does not tell its version: ${complaint(result)}`);
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new UserError(
      'git-too-old',
      `git ${major}.${minor}${match[3]} is too old: coppice needs ${OLDEST.join('.')} or newer`,
      {
        hint: `${toByteString(git.program)} is the git on PATH; put a newer one before it`,
      },
    );
  }
  return `${major}.${minor}${match[3]}`;
}

/**
 * The repository around the folder.
 * @throws UserError `not-a-repository`, `dubious-ownership`, `repository-damaged`
 */
export async function readPlace(git: Git): Promise<RepositoryPlace> {
  const questions = [
    '--is-bare-repository',
    '--is-shallow-repository',
    '--show-object-format',
    '--path-format=absolute',
  ];
  const result = await runGit(git, ['rev-parse', ...questions, '--git-common-dir']);
  if (result.code !== 0) throw placeError(git, result);
  // The path comes last: it may hold line feeds of its own.
  const match = /^(true|false)\n(true|false)\n(sha1|sha256)\n(.*)\n$/s.exec(result.stdout.toString('latin1'));
  const commonDir = parseAbsPath(match?.[4] ?? '');
  if (!match || commonDir === null) {
    throw new UserError('repository-damaged', 'git does not tell where its repository lies in a form that can be read');
  }
  return {
    commonDir,
    bare: match[1] === 'true',
    shallow: match[2] === 'true',
    objectFormat: match[3] as 'sha1' | 'sha256',
  };
}

function placeError(git: Git, result: GitResult): UserError {
  const said = complaint(result);
  if (/dubious ownership/.test(result.stderr)) {
    return new UserError(
      'dubious-ownership',
      `git does not trust the repository at ${toByteString(git.directory)}: another account owns it`,
      {
        hint: 'run coppice as its owner, or, if you trust it, add it to safe.directory in your own git configuration',
      },
    );
  }
  const around = foundAround(git.directory);
  if (around === null) {
    return new UserError('not-a-repository', `${toByteString(git.directory)} is not in a git repository`, {
      hint: 'name one with -C DIR',
    });
  }
  return new UserError('repository-damaged', `git cannot read the repository at ${toByteString(around)}: ${said}`, {
    hint: 'nothing was changed; git fsck tells more',
  });
}

/** The nearest folder with a `.git` entry, whatever its state. */
function foundAround(directory: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}

/** The settings that git reads in this repository, from all files. Null when they cannot be read. */
export async function readConfig(git: Git): Promise<GitConfig | null> {
  const result = await runGit(git, ['config', '--list', '-z', '--includes'], { most: 64 * 1024 * 1024 });
  return result.code === 0 && result.cut === null ? parseConfig(result.stdout) : null;
}

/** The commits whose parents a shallow clone left out. */
export async function readShallow(place: RepositoryPlace): Promise<ReadonlySet<Oid>> {
  if (!place.shallow) return new Set();
  const text = await readFile(Buffer.from(`${place.commonDir}/shallow`, 'latin1'), 'latin1');
  return new Set(
    text
      .split('\n')
      .map(parseOid)
      .filter((oid) => oid !== null),
  );
}
