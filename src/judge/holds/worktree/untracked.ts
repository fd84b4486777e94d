// Question: are there files that git neither tracks nor ignores?
// Evidence: git's status with all untracked files, whatever the settings say.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const untracked: ContentHold = (contents, { path }) =>
  contents.untracked.count === 0
    ? null
    : holds('untracked', listed(contents.untracked, 'untracked file'), {
        check: gitIn(path, 'status --short --untracked-files=all'),
      });
