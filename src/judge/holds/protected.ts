// Question: do the settings keep a branch of this name?
// Evidence: the patterns of `protect.branches`. Settings that cannot be read end the whole run.
import { holds } from '../evidence.ts';
import type { BranchHold } from './hold.ts';

export const protectedName: BranchHold = (branch) =>
  branch.isProtected ? holds('protected', 'its name is protected by the settings', { source: 'config' }) : null;
