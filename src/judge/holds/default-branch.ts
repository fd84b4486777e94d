// Question: is this the default branch, of this repository or of a remote?
// Evidence: the base, the remote's HEAD, the remote-tracking HEAD.
// Cannot know: without a base no branch is judged, so none goes.
import { holds } from '../evidence.ts';
import { branchName, type RefName } from '../facts/names.ts';
import type { Survey } from '../facts/survey.ts';
import type { BranchHold } from './hold.ts';

export const defaultBranch: BranchHold = (branch, survey) =>
  survey.defaults.has(branch.ref)
    ? holds(
        'default-branch',
        isBase(branch.ref, survey) ? 'it is what the others are judged by' : 'it is the default branch',
      )
    : null;

/** By `--base` or the settings it may be another than the default. */
function isBase(ref: RefName, { base }: Survey): boolean {
  return (
    base.kind === 'known' &&
    (base.value.how === 'option' || base.value.how === 'config') &&
    base.value.ref.endsWith(`/${branchName(ref)}`)
  );
}
