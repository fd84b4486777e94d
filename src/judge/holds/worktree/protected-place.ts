// Question: do the settings protect its place?
// Evidence: `protect.paths`. Nothing of it is read.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const protectedPlace: WorktreeHold = ({ protectedBy }) =>
  protectedBy === null ? null : holds('protected', protectedBy, { source: 'config' });
