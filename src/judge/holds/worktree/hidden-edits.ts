// Question: are there edits that git's status does not show?
// Evidence: the bytes of files that the index marks as unchanged or skipped, and of files with a filter.
// Cannot know: a file that cannot be read counts as edited.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const hiddenEdits: ContentHold = (contents, { path }) =>
  contents.hidden.count === 0
    ? null
    : holds('hidden-edits', `edits that git status hides in ${listed(contents.hidden, 'file')}`, {
        check: gitIn(path, 'ls-files -v'),
      });
