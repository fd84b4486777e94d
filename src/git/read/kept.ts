import type { Oid } from '../../judge/facts/names.ts';
import { type Git, runGit } from '../run.ts';

/**
 * Those of `commits` that a tag, a remote-tracking ref or one of `surviving` reaches. None when it cannot be read: then
 * each counts as held by nothing.
 */
export async function keptByRefs(
  git: Git,
  commits: readonly Oid[],
  surviving: readonly Oid[],
): Promise<ReadonlySet<Oid>> {
  if (commits.length === 0) return new Set();
  const input = [...commits, ...surviving.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  const result = await runGit(git, ['rev-list', '--stdin', '--not', '--tags', '--remotes'], { input });
  if (result.code !== 0 || result.cut !== null) return new Set();
  const lost = new Set(result.stdout.toString('latin1').split('\n'));
  return new Set(commits.filter((oid) => !lost.has(oid)));
}
