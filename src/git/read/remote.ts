import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { parseLsRemote, type RemoteHeads } from '../parse/ls-remote.ts';
import { complaint, type Git, runGit } from '../run.ts';

/** Milliseconds that each of the two questions to a remote may take. */
const DEADLINE = 30_000;

/** The heads of a remote as they are now. */
export async function askRemote(git: Git, remote: string): Promise<Fact<RemoteHeads>> {
  const args = ['ls-remote', '--symref', '--', remote, 'HEAD', 'refs/heads/*'];
  const result = await runGit(git, args, { network: true, deadline: DEADLINE });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const heads = parseLsRemote(result.stdout);
  return heads === null ? unknown('the remote answered in a form that is not known') : known(heads);
}

/** Brings the remote's commits by the given refspecs; removes no ref. Null, or why it failed. */
export async function fetchFrom(git: Git, remote: string, refspecs: readonly string[]): Promise<string | null> {
  const flags = [
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
    '--no-prune',
    '--quiet',
    '--refmap=',
  ];
  // Newer versions of git would also set the remote's HEAD here.
  const follow = ['-c', `remote.${remote}.followRemoteHEAD=never`];
  const result = await runGit(git, [...follow, 'fetch', ...flags, '--stdin', '--', remote], {
    input: refspecs.map((refspec) => `${refspec}\n`).join(''),
    network: true,
    deadline: DEADLINE,
  });
  return result.code === 0 && result.cut === null ? null : complaint(result);
}
