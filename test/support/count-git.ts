/** Counts the git processes that a run starts, and keeps their arguments. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { quoted, standInGit, withProgramsOf } from './programs.ts';

export interface GitCounter {
  /** The environment in which git is counted. */
  readonly env: Environment;
  /** The arguments of each call so far, in the order in which they began. */
  calls(): string[];
}

/** Counts from now on, for programs that run in the counter's environment. */
export function countGit(root: string, env: Environment): GitCounter {
  const log = join(root, 'git-calls.log');
  // One short line appended at once: calls that run at the same time do not tear each other's lines.
  const folder = standInGit(root, `printf '%s\\n' "$*" >> ${quoted(log)}\nexec "$GIT" "$@"`);
  return {
    env: withProgramsOf(folder, env),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []),
  };
}
