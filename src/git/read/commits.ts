import { type Git, startGit, complaint } from '../run.ts';
import { COMMIT_FORMAT, type ListedCommit, parseCommit } from '../parse/commits.ts';

/** How a listing ended: `stopped` when the reader had enough. */
export type ListingEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Lists commits with tree, time and parents, in one process.
 *
 * @param input object ids, one a line, `^` before those whose ancestors are left out. Ids that are not here are passed
 *   over: what must be there has to be seen in the listing.
 * @param enough asked from time to time; true ends the listing.
 */
export async function listCommits(
  git: Git,
  input: readonly string[],
  options: { readonly boundary: boolean },
  take: (commit: ListedCommit) => void,
  enough: () => boolean = () => false,
): Promise<ListingEnd> {
  const flags = [
    '--no-commit-header',
    `--format=${COMMIT_FORMAT}`,
    '--ignore-missing',
    ...(options.boundary ? ['--boundary'] : []),
  ];
  const running = startGit(git, ['rev-list', ...flags, '--stdin']);
  running.end(input.map((line) => `${line}\n`).join(''));
  let rest = '';
  for await (const chunk of running.output()) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const commit = parseCommit(line);
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
  if (ended.code !== 0 || rest !== '') return { kind: 'failed', reason: complaint(ended) };
  return { kind: 'complete' };
}
