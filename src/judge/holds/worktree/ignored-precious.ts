// Question: are there ignored files that nothing makes again, and no copies that can be kept of all of them?
// Evidence: the rules for what a tool makes again, the same file in the main checkout, and the folder for notes.
// Cannot know: whether there is room for the copies, which is asked when they are made.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

export const ignoredPrecious: ContentHold = (contents, { path }, { precious }) => {
  const { count, files, bytes, paths } = contents.precious;
  if (count === 0) return null;
  const isTooMuch =
    files === null || bytes === null || paths === null || bytes > precious.upTo || count > precious.most;
  if (!precious.holds && !isTooMuch && precious.place.kind === 'known') return null;
  const size = bytes === null ? '' : ` (${bytes} bytes)`;
  const why = precious.place.kind === 'unknown' ? `; no copy can be kept: ${precious.place.reason}` : '';
  return holds(
    'ignored-precious',
    `${listed(contents.precious, 'ignored file')} that nothing makes again${size}${why}`,
    {
      check: gitIn(path, 'status --short --ignored=matching'),
      source: 'files',
    },
  );
};
