import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type ListedWorktree, parseWorktreeList } from '../parse/worktree-list.ts';
import { parseRefs, REF_FORMAT, type Ref } from '../parse/refs.ts';
import { complaint, type Git, runGit } from '../run.ts';

/** Local branches, remote-tracking refs and coppice's own copies of remote heads, by full name. */
export interface RefList {
  readonly refs: readonly Ref[];
  /** What git said of each ref that it cannot read and so did not list. */
  readonly broken: readonly string[];
}

export async function readRefs(git: Git): Promise<Fact<RefList>> {
  const places = ['refs/heads', 'refs/remotes', 'refs/coppice/remotes'];
  const result = await runGit(git, ['for-each-ref', `--format=${REF_FORMAT}`, ...places]);
  if (result.code !== 0 || result.cut !== null) return unknown(`the refs could not be read: ${complaint(result)}`);
  const refs = parseRefs(result.stdout);
  if (refs === null) return unknown('git listed a ref in a form that is not known');
  return known({ refs, broken: result.stderr.match(/^warning: ignoring .*$/gm) ?? [] });
}

export async function readWorktrees(git: Git): Promise<Fact<readonly ListedWorktree[]>> {
  const result = await runGit(git, ['worktree', 'list', '--porcelain', '-z']);
  if (result.code !== 0 || result.cut !== null) return unknown(`the worktrees could not be read: ${complaint(result)}`);
  const list = parseWorktreeList(result.stdout);
  return list === null ? unknown('git listed a worktree in a form that is not known') : known(list);
}
