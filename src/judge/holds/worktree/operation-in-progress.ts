// Question: has git begun something there and not ended it?
// Evidence: the files that git keeps meanwhile; status may be clean all the same.
import { holds } from '../../evidence.ts';
import { type AdminHold, gitIn } from './hold.ts';

export const operationInProgress: AdminHold = ({ operations }, { path }) =>
  operations.length === 0
    ? null
    : holds('operation-in-progress', `in progress: ${operations.join(', ')}`, { check: gitIn(path, 'status') });
