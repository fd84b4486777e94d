// Question: did the base take the work back after it had it?
// Evidence: a later commit that makes the inverse change, the base's tip holding what was there
// before, or a later commit that says it reverts the one that brought it.
// Cannot know: contents that are not here are held as probe-failed.
import { holds } from '../evidence.ts';
import { shortOid } from '../facts/names.ts';
import { baseName, type MergeHold } from './hold.ts';

export const revertedLater: MergeHold = (merge, _branch, survey) => {
  if (merge.veto?.code !== 'reverted-later') return null;
  const { by, grade } = merge.veto;
  const where = merge.proof?.commits[0];
  const had = where === undefined ? '' : ` after ${shortOid(where)} brought it`;
  const verb = grade === 'hint' ? 'says that it took the work back' : 'took the work back';
  const text = by === null ? `${baseName(survey)} no longer has the work${had}` : `${shortOid(by)} ${verb}${had}`;
  return holds('reverted-later', text, { check: by === null ? null : `git show --stat ${by}`, grade });
};
