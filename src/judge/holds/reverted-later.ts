// Question: did the base take the work back after it had it?
// Evidence: a later commit that makes the inverse change, or the base's tip holding what was there before.
// Cannot know: contents that are not here are held as probe-failed.
import { holds } from '../evidence.ts';
import { shortOid } from '../facts/names.ts';
import { baseName, type MergeHold } from './hold.ts';

export const revertedLater: MergeHold = (merge, _branch, survey) => {
  if (merge.veto?.code !== 'reverted-later') return null;
  const { by } = merge.veto;
  const where = merge.proof?.commits[0];
  const had = where === undefined ? '' : ` after ${shortOid(where)} brought it`;
  const text =
    by === null ? `${baseName(survey)} no longer has the work${had}` : `${shortOid(by)} took the work back${had}`;
  return holds('reverted-later', text, { check: by === null ? null : `git show --stat ${by}` });
};
