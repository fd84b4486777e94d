// Question: does its detached HEAD hold commits that are not proven to be on the base?
// Evidence: the merge ladder, asked about HEAD as about a branch.
import { holds } from '../../evidence.ts';
import { shortOid } from '../../facts/names.ts';
import { baseName } from '../hold.ts';
import type { HeadHold } from './hold.ts';

export const detachedCommits: HeadHold = (merge, { branch, head, headIsHeld }, survey) => {
  if (branch !== null || head === null || merge.proof !== null || merge.relation === 'line') return null;
  const others = headIsHeld ? '' : ', and no branch or tag has them';
  const check = survey.base.kind === 'known' ? `git log --oneline ${head} --not ${survey.base.value.oid}` : null;
  return holds('detached-commits', `commits up to ${shortOid(head)} are not on ${baseName(survey)}${others}`, {
    check,
  });
};
