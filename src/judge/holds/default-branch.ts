// Question: is this the default branch, of this repository or of a remote?
// Evidence: the base, the remote's HEAD, the remote-tracking HEAD.
// Cannot know: without a base no branch is judged, so none goes.
import { holds } from '../evidence.ts';
import type { BranchHold } from './hold.ts';

export const defaultBranch: BranchHold = (branch, survey) =>
  survey.defaults.has(branch.ref) ? holds('default-branch', 'it is the default branch') : null;
