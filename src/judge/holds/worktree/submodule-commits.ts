// Question: has a submodule work of its own?
// Evidence: its commits, stashes and files; its store lies in the worktree's git directory and would go with it.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn } from './hold.ts';

export const submoduleCommits: ContentHold = ({ submodules }, { path }) => {
  const [first, ...more] = submodules.filter((submodule) => submodule.holds !== null);
  if (first === undefined) return null;
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return holds('submodule-commits', `submodule ${first.path} has ${first.holds}${rest}`, {
    check: gitIn(path, 'submodule status --recursive'),
  });
};
