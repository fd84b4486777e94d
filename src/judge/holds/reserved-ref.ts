// Question: is this one of the branches that reservations are kept in?
// Evidence: its name. They are never merged, and never deleted from here.
import { holds } from '../evidence.ts';
import { branchName } from '../facts/names.ts';
import type { BranchHold } from './hold.ts';

export const reservedRef: BranchHold = (branch, survey) =>
  branchName(branch.ref).startsWith(`${survey.reserved}/`)
    ? holds('reserved-ref', 'its name belongs to reservations')
    : null;
