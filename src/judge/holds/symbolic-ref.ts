// Question: does the ref only point to another one?
// Evidence: git's own reading of the ref. Deleting it would follow the pointer, or break it.
import { holds } from '../evidence.ts';
import { branchName } from '../facts/names.ts';
import type { BranchHold } from './hold.ts';

export const symbolicRef: BranchHold = (branch) =>
  branch.symbolic === null ? null : holds('symbolic-ref', `it is a symbolic ref to ${branchName(branch.symbolic)}`);
