import { type Git, startGit, complaint } from '../run.ts';
import { COMMIT_FORMAT, type ListedCommit, MESSAGE_FORMAT, parseCommit } from '../parse/commits.ts';

/** How a listing ended: `stopped` when the reader had enough. */
export type ListingEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Lists commits with tree, time and parents, and where asked with their messages, in one process.
 *
 * @param input object ids, one a line, `^` before those whose ancestors are left out. Ids that are not here are passed
 *   over: what must be there has to be seen in the listing.
 * @param enough asked from time to time; true ends the listing.
 */
export async function listCommits(
  git: Git,
  input: readonly string[],
  options: { readonly boundary?: boolean; readonly messages?: boolean },
  take: (commit: ListedCommit) => void,
  enough: () => boolean = () => false,
): Promise<ListingEnd> {
  const flags = [
    '--no-commit-header',
    `--format=${options.messages === true ? MESSAGE_FORMAT : COMMIT_FORMAT}`,
    '--ignore-missing',
    ...(options.boundary === true ? ['--boundary'] : []),
  ];
  const running = startGit(git, ['rev-list', ...flags, '--stdin']);
  running.end(input.map((line) => `${line}\n`).join(''));
  let rest = '';
  for await (const chunk of running.output()) {
    const records = (rest + chunk.toString('latin1')).split('\0');
    rest = records.pop() ?? '';
    for (const record of records) {
      const commit = parseCommit(record);
      if (commit === null) {
        running.stop();
        return { kind: 'failed', reason: 'git listed a commit in a form that is not known' };
      }
      take(commit);
    }
    if (enough()) {
      running.stop();
      return { kind: 'stopped' };
    }
  }
  const ended = await running.ended;
  if (ended.code !== 0 || rest.trim() !== '') return { kind: 'failed', reason: complaint(ended) };
  return { kind: 'complete' };
}
