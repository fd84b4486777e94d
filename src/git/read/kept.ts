import type { Oid } from '../../judge/facts/names.ts';
import { type Git, runGit } from '../run.ts';

/**
 * Those of `commits` that a branch, a tag or a remote-tracking ref reaches. None when it cannot be read: then each
 * counts as held by nothing.
 */
export async function keptByRefs(git: Git, commits: readonly Oid[]): Promise<ReadonlySet<Oid>> {
  if (commits.length === 0) return new Set();
  const args = ['rev-list', '--stdin', '--not', '--branches', '--tags', '--remotes'];
  const result = await runGit(git, args, { input: commits.map((oid) => `${oid}\n`).join('') });
  if (result.code !== 0 || result.cut !== null) return new Set();
  const lost = new Set(result.stdout.toString('latin1').split('\n'));
  return new Set(commits.filter((oid) => !lost.has(oid)));
}
