// Question: are there ignored files that nothing makes again, and more than can be kept as notes?
// Evidence: the rules for what a tool makes again, and the same file in the main checkout.
import { holds } from '../../evidence.ts';
import { type ContentHold, gitIn, listed } from './hold.ts';

/** More files than this are not kept as notes. */
export const MOST_ARCHIVED_FILES = 1000;

export const ignoredPrecious: ContentHold = (contents, { path }, { precious }) => {
  const { count, files, bytes } = contents.precious;
  if (count === 0) return null;
  const isTooMuch = files === null || bytes === null || bytes > precious.upTo || files > MOST_ARCHIVED_FILES;
  if (!precious.holds && !isTooMuch) return null;
  const size = bytes === null ? '' : ` (${bytes} bytes)`;
  return holds('ignored-precious', `${listed(contents.precious, 'ignored file')} that nothing makes again${size}`, {
    check: gitIn(path, 'status --short --ignored=matching'),
    source: 'files',
  });
};
