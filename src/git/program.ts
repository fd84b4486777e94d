import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { UserError } from '../judge/facts/user-error.ts';

/**
 * The absolute path of git: the first on PATH that does not lie in the repository around `directory`, which could
 * bring its own.
 * @throws UserError `git-missing`
 */
export function findGit(path: string | undefined, directory: string): string {
  const repository = repositoryAround(directory);
  for (const entry of (path ?? '').split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    const program = join(entry, 'git');
    if (isProgram(program) && !(repository !== null && isInside(realpathSync(program), repository))) return program;
  }
  throw new UserError('git-missing', 'git was not found on PATH', { hint: 'install git 2.36 or newer' });
}

function repositoryAround(directory: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not ours to run: the next entry of PATH is asked.
    return false;
  }
}
