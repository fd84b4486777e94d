import { type Oid, parseOid } from '../../judge/facts/names.ts';
import { type Git, runGit } from '../run.ts';

/** The first commit of the first-parent line that ends in `tip`; null when it cannot be read. */
export async function readRootCommit(git: Git, tip: Oid): Promise<Oid | null> {
  const result = await runGit(git, ['rev-list', '--first-parent', '--max-parents=0', '--stdin'], { input: `${tip}\n` });
  return result.code === 0 ? parseOid(result.stdout.toString('latin1').trim()) : null;
}
