// Question: are there files with unresolved conflicts?
// Evidence: the index's entries with several stages.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const conflicted: ContentHold = (contents, { path }) =>
  contents.conflicted.count === 0
    ? null
    : holds('conflicted', `unresolved conflicts in ${listed(contents.conflicted, 'file')}`, {
        check: gitIn(path, 'status --short'),
      });
