// Question: does the index hold what no commit has?
// Evidence: git's comparison of index and HEAD.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const staged: ContentHold = (contents, { path }) =>
  contents.staged.count === 0
    ? null
    : holds('staged', `staged changes of ${listed(contents.staged, 'path')}`, {
        check: gitIn(path, 'diff --cached --stat'),
      });
