// Question: were tracked files edited?
// Evidence: git's comparison of files and index, with every setting overridden that would hide a difference.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const modified: ContentHold = (contents, { path }) =>
  contents.unstaged.count === 0
    ? null
    : holds('modified', `edits of ${listed(contents.unstaged, 'path')}`, { check: gitIn(path, 'status --short') });
