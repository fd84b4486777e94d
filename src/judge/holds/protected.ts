// Question: do the settings keep a branch of this name?
// Evidence: the patterns of `protect.branches`. Settings that cannot be read end the whole run.
import { holds } from '../evidence.ts';
import type { BranchHold } from './hold.ts';

// The default branch usually bears such a name too; what it is says more.
export const protectedName: BranchHold = (branch, survey) =>
  branch.isProtected && !survey.defaults.has(branch.ref)
    ? holds('protected', 'its name is protected by the settings', { source: 'config' })
    : null;
